// A program in the place of a prover or signer: a script for Node that does with its input what a test wants.

import fs from 'node:fs';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { until } from '../../helpers/until.ts';

export const unix = process.platform !== 'win32';

/** In JavaScript, with `input`, `folder` and Node's modules at hand. Runs when the input has ended. */
const BEHAVIOURS = {
  good: 'process.stdout.write(Buffer.concat([Buffer.from("proved "), input]));',
  context:
    'fs.writeFileSync(folder + "/seen", JSON.stringify([process.env, process.cwd(), process.argv.slice(2)])); process.stdout.write("x");',
  hangs: 'fs.writeFileSync(folder + "/pid", String(process.pid)); setInterval(() => {}, 1e6);',
  floods: 'const piece = Buffer.alloc(65536); for (;;) fs.writeSync(1, piece);',
  'writes the most': 'process.stdout.write(Buffer.alloc(8 * 1024 * 1024, 7));',
  dies: 'process.kill(process.pid, "SIGSEGV");',
  fails:
    'process.stderr.write("panicked at \\x1b[31mproof.rs\\x1b[0m:\\n" + "the key is " + "ab".repeat(48) + " of u1" + "q".repeat(90) + "\\n"); process.exitCode = 3;',
  chats:
    'for (let i = 0; i < 2000; i++) fs.writeSync(2, "line " + i + " " + "x ".repeat(150) + "\\n"); process.exitCode = 1;',
  'says nothing': '',
  'reads nothing': '',
  'leaves somebody': `
    const left = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit" });
    fs.writeFileSync(folder + "/pid", String(left.pid));
    left.unref();
    fs.writeSync(1, "proved");
    process.exit(0);`,
  'leaves somebody who hides': `
    const left = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit", detached: true });
    fs.writeFileSync(folder + "/pid", String(left.pid));
    left.unref();
    fs.writeSync(1, "proved");
    process.exit(0);`,
  'starts a child and hangs': `
    const code = "require('fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1e6);";
    spawn(process.execPath, ["-e", code, folder + "/pid"], { stdio: "ignore" });
    setInterval(() => {}, 1e6);`,
} as const;

export type Behaviour = keyof typeof BEHAVIOURS;

export interface FakeProgram {
  readonly command: readonly string[];
  readonly folder: string;
  /** As soon as the program has written it. */
  pid(): Promise<number>;
}

export function fakeProgram(t: ExecutionContext, behaviour: Behaviour): FakeProgram {
  const folder = temporaryFolder(t);
  const script = path.join(folder, 'program.cjs');
  const body = `const run = (input) => {${BEHAVIOURS[behaviour]}};`;
  const read =
    behaviour === 'reads nothing'
      ? 'run();'
      : 'const pieces = []; process.stdin.on("data", (piece) => pieces.push(piece)).on("end", () => run(Buffer.concat(pieces)));';
  fs.writeFileSync(
    script,
    `const fs = require("fs"); const { spawn } = require("child_process"); const folder = ${JSON.stringify(folder)};\n${body}\n${read}\n`,
  );
  const file = path.join(folder, 'program');
  fs.writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 });
  fs.chmodSync(file, 0o755);
  const pidFile = path.join(folder, 'pid');
  return {
    command: [file],
    folder,
    async pid() {
      await until(() => fs.existsSync(pidFile) && fs.readFileSync(pidFile, 'utf8') !== '');
      return Number(fs.readFileSync(pidFile, 'utf8'));
    },
  };
}

/** One that nobody waits for stays as a zombie where no init takes it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return (
      process.platform !== 'linux' || !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))
    );
  } catch {
    return false;
  }
}
