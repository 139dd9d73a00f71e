// The reference's PCZT tool as functions: bytes in, bytes out, in a folder of its own.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// Tests run from the project's root.
export const { pcztTool } = (await import(pathToFileURL('scripts/pcztTool.mjs').href)) as {
  pcztTool: () => string;
};

/** Sapling's proofs need a key that the phrase alone gives. */
const NEEDS_KEYS: ReadonlySet<string> = new Set(['sign', 'prove']);
const MAX_OUTPUT = 1 << 28;

export interface PcztTool {
  /** What it prints. Throws with what it complains of. */
  run(command: string, inputs: readonly Uint8Array[], ...flags: readonly string[]): Buffer;
  /** Whether it refuses, and with which words. */
  refusal(command: string, inputs: readonly Uint8Array[], ...flags: readonly string[]): string | undefined;
  json<T>(command: string, input: Uint8Array): T;
  remove(): void;
}

/** Undefined where it is not installed. */
export function openPcztTool(phrase: string): PcztTool | undefined {
  const program = pcztTool();
  if (!existsSync(program)) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-pczt-'));
  const phraseFile = path.join(folder, 'phrase');
  writeFileSync(phraseFile, phrase, { mode: 0o600 });
  const call = (command: string, inputs: readonly Uint8Array[], flags: readonly string[]) => {
    const files = inputs.map((bytes, i) => {
      const file = path.join(folder, `${i}.pczt`);
      writeFileSync(file, bytes);
      return file;
    });
    const keys = NEEDS_KEYS.has(command) ? ['--mnemonic-file', phraseFile] : [];
    const args = [command, ...files, ...keys, ...flags];
    return spawnSync(program, args, { maxBuffer: MAX_OUTPUT }) as SpawnSyncReturns<Buffer>;
  };
  const run: PcztTool['run'] = (command, inputs, ...flags) => {
    const { status, stdout, stderr } = call(command, inputs, flags);
    if (status !== 0) throw new Error(`${command}: ${stdout}${stderr}`);
    return stdout;
  };
  return {
    run,
    refusal: (command, inputs, ...flags) => {
      const { status, stdout, stderr } = call(command, inputs, flags);
      return status === 0 ? undefined : `${stdout}${stderr}`;
    },
    json: <T>(command: string, input: Uint8Array) => JSON.parse(run(command, [input]).toString('utf8')) as T,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
