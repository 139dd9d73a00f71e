// The companion as the demo uses it: a separate process on free ports with temporary folders, called over HTTP as by
// any other client.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { requestTo, tryProblem } from '@wallet-companion/client/contract';
import type { ActivationHeights } from '@wallet-companion/zcash/network';
import { CompanionError } from '../protocol/errors.ts';
import { type OperationName, type Output, operations } from '../protocol/operations.ts';

export interface DemoCompanionOptions {
  readonly nodeUrl: string;
  readonly compactServerUrl: string;
  readonly activationHeights: Partial<ActivationHeights>;
}

const READY = /^listening on (http:\/\/\S+)/;
const START_DEADLINE_MS = 60_000;
/** How many characters of the log are shown when something fails. */
const LOG_TAIL = 4000;

export class DemoCompanion {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #log: LogTail;

  private constructor(url: string, child: ChildProcess, folder: string, log: LogTail) {
    this.url = url;
    this.#process = child;
    this.#folder = folder;
    this.#log = log;
  }

  /** Shown when something fails: the end of the companion's log, and how its process ended if it did. */
  get lastWords(): string {
    const { exitCode, signalCode } = this.#process;
    const ended = exitCode ?? signalCode;
    return ended === null ? this.#log.text : `${this.#log.text}\nthe companion ended with ${ended}`;
  }

  static async start(options: DemoCompanionOptions): Promise<DemoCompanion> {
    const folder = mkdtempSync(path.join(tmpdir(), 'wallet-companion-demo-'));
    const configDir = path.join(folder, 'config');
    mkdirSync(configDir, { mode: 0o700 });
    writeFileSync(
      path.join(configDir, 'config.json'),
      JSON.stringify({ network: 'regtest', activation_heights: options.activationHeights }),
      { mode: 0o600 },
    );
    const main = fileURLToPath(new URL('../main.js', import.meta.url));
    const flags = {
      '--port': '0',
      '--network': 'regtest',
      '--node-url': options.nodeUrl,
      '--compact-server-url': options.compactServerUrl,
      '--config-dir': configDir,
      '--data-dir': path.join(folder, 'data'),
    };
    const child = spawn(process.execPath, [main, 'serve', ...Object.entries(flags).flat()], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = new LogTail(child);
    try {
      return new DemoCompanion(await readiness(child, log), child, folder, log);
    } catch (thrown) {
      await end(child, folder);
      throw thrown;
    }
  }

  /** The answer, or `CompanionError` with the problem that came instead. */
  async call<N extends OperationName>(name: N, input: object = {}): Promise<Output<N>> {
    const { method, url, body } = this.#request(name, input);
    // One connection per call: the companion closes connections that are unused for five seconds, and this process does
    // not notice that while it mines.
    const response = await fetch(url, {
      method,
      ...(body === undefined
        ? { headers: { connection: 'close' } }
        : { headers: { connection: 'close', 'content-type': 'application/json' }, body }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer as Output<N>;
    throw (
      tryProblem(answer) ??
      new CompanionError('INTERNAL', `The companion answered with status ${response.status}.`)
    );
  }

  /** The same call as a shell command. */
  curl(name: OperationName, input: object = {}): string {
    const { url, body } = this.#request(name, input);
    if (body === undefined) return `curl -s '${url}'`;
    return `curl -s ${url} -H 'content-type: application/json' -d '${body}'`;
  }

  /** Ends the process and removes its folders. */
  stop(): Promise<void> {
    return end(this.#process, this.#folder);
  }

  #request(name: OperationName, input: object) {
    const { method, path: route } = operations[name].http;
    const { target, body } = requestTo(method, route, input);
    return { method, body, url: new URL(target, this.url).href };
  }
}

class LogTail {
  text = '';

  constructor(child: ChildProcess) {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.text = (this.text + text).slice(-LOG_TAIL);
    });
  }
}

/** Resolves with the URL from the line that reports readiness. */
async function readiness(child: ChildProcess, log: LogTail): Promise<string> {
  const lines = createInterface({ input: child.stdout! });
  const ready = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const url = READY.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const deadline = AbortSignal.timeout(START_DEADLINE_MS);
  const gone = once(child, 'exit', { signal: deadline }).then(
    () => undefined,
    () => undefined,
  );
  const url = await Promise.race([ready, gone]);
  if (url === undefined) throw new Error(`the companion did not start:\n${log.text}`);
  return url;
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
}
