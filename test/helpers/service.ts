// The companion as people run it: its own process, spoken to over HTTP.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Teardown, untilTestEnds } from './childProcess.ts';
import { PROGRAM } from './program.ts';

/** For a Node that runs our program; its threads inherit it. */
export const UNHURRIED = ['--import', new URL('./unhurried.js', import.meta.url).href] as const;

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
}

export interface Service {
  readonly url: string;
  readonly pid: number | undefined;
  readonly configDir: string;
  readonly dataDir: string;
  /** Everything the process has written so far. */
  output(): string;
  get<T = Record<string, unknown>>(route: string): Promise<Answer<T>>;
  post<T = Record<string, unknown>>(route: string, body?: object): Promise<Answer<T>>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: nothing is flushed. */
  kill(): Promise<void>;
  remove(): void;
}

export interface ServiceOptions {
  readonly args?: readonly string[];
  readonly config?: object;
  /** An earlier service's folders, to restart on them. */
  readonly folder?: string;
  /** The command line that runs this one. */
  readonly within?: (command: readonly string[], folder: string) => readonly string[];
  /** What comes in by standard input. */
  readonly input?: string;
  /** With the program's own deadlines and all its threads, as against real servers. */
  readonly asIs?: boolean;
}

/** Calls over HTTP, a connection each: the service closes one that is not used for five seconds, and a test that computes
 * for so long does not know of it when it asks next. */
export function callsTo(url: string): Pick<Service, 'get' | 'post'> {
  const call = async <T>(route: string, init: RequestInit): Promise<Answer<T>> => {
    const headers = { ...init.headers, connection: 'close' };
    const response = await fetch(url + route, { ...init, headers });
    return { status: response.status, body: (await response.json()) as T };
  };
  return {
    get: (route) => call(route, {}),
    post: (route, body) =>
      call(route, {
        method: 'POST',
        ...(body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      }),
  };
}

/** It is killed, and a folder of its own removed, with the test at the latest. */
export async function startService(
  t: Teardown,
  options: ServiceOptions = {},
): Promise<Service & { readonly folder: string }> {
  const folder = options.folder ?? mkdtempSync(path.join(tmpdir(), 'companion-service-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (options.folder === undefined) t.teardown(remove);
  const configDir = path.join(folder, 'config');
  const dataDir = path.join(folder, 'data');
  if (options.config !== undefined) {
    mkdirSync(configDir, { recursive: true });
    writeFileSync(path.join(configDir, 'config.json'), JSON.stringify(options.config));
  }
  const args = [
    'serve',
    '--port',
    '0',
    '--config-dir',
    configDir,
    '--data-dir',
    dataDir,
    ...(options.args ?? []),
  ];
  const within = options.within ?? ((command) => command);
  const [program = '', ...rest] = within(
    [process.execPath, ...(options.asIs ? [] : UNHURRIED), PROGRAM, ...args],
    folder,
  );
  const child = untilTestEnds(t, spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'] }));
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk;
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const ready = /^listening on (http:\/\/\S+)\n/m.exec(output)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${output}${log}`)));
  });
  return {
    url,
    pid: child.pid,
    folder,
    configDir,
    dataDir,
    output: () => output + log,
    ...callsTo(url),
    stop: () => ended(child, 'SIGTERM'),
    kill: async () => {
      await ended(child, 'SIGKILL');
    },
    remove,
  };
}

/** Resolves when all that the process wrote has been read: it may be gone before. */
async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }
  return child.exitCode;
}
