// libcompanion as a test uses it: compiled once per test process with `cc`, called from a thread of its own by koffi,
// so that the test can answer as the companion meanwhile.

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { type OperationName, operations } from '../../src/protocol/operations.ts';
import { UNHURRIED } from './service.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export const SOURCES = path.resolve('src/ffi');
const C_FILES = ['companion.c', 'lwd.c', 'text.c', 'platform_posix.c', 'generated/companion_tables.c'].map(
  (file) => path.join(SOURCES, file),
);
const FLAGS = [
  '-std=c11',
  '-O1',
  '-g',
  '-Wall',
  '-Wextra',
  '-Wpedantic',
  '-Werror',
  '-pthread',
  `-I${SOURCES}`,
];
/** An integer that is left out. */
export const ABSENT = -(2n ** 63n);

const answers = (command: string, ...words: string[]): boolean =>
  spawnSync(command, words, { stdio: 'ignore' }).status === 0;

/** Why the C tests cannot run here; undefined when they can. */
export const missingCompiler: string | undefined =
  process.platform === 'win32' || !answers('cc', '--version')
    ? 'no C compiler (cc) on this machine'
    : undefined;
export const hasProgram = answers;

export const run = promisify(execFile);

/** For a companion that does start: no machine is that slow. */
export const START_PATIENCE_MS = 1_800_000;

let folder: string | undefined;

/** A folder for what is compiled, removed when the process ends. */
function buildFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(path.join(tmpdir(), 'libcompanion-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}

const programs = new Map<string, Promise<string>>();

/** Compiles a program with the library linked in, and resolves with its path. */
export function compileProgram(source: string): Promise<string> {
  const known = programs.get(source);
  if (known !== undefined) return known;
  const program = path.join(buildFolder(), path.basename(source, '.c'));
  const compiling = run('cc', [...FLAGS, '-o', program, source, ...C_FILES]).then(() => program);
  programs.set(source, compiling);
  return compiling;
}

/**
 * An executable that runs a script of ours. Another process writes it: a thread of this one that starts a program at
 * that moment would lend its child the descriptor, and a file that is open for writing cannot be run (ETXTBSY).
 */
export function companionProgram(t: ExecutionContext, script: string): string {
  const file = path.join(temporaryFolder(t), 'wallet-companion');
  execFileSync('sh', ['-c', 'cat > "$0" && chmod 755 "$0"', file], {
    input: `#!/bin/sh\nWALLET_COMPANION_LOG=silent exec '${process.execPath}' ${UNHURRIED.join(' ')} '${script}' "$@"\n`,
  });
  return file;
}

let compiled: Promise<string> | undefined;

export function compileLibrary(): Promise<string> {
  compiled ??= (async () => {
    const library = path.join(buildFolder(), 'libcompanion.so');
    await run('cc', [
      ...FLAGS,
      '-fPIC',
      '-shared',
      '-fvisibility=hidden',
      '-DCOMPANION_BUILD',
      '-o',
      library,
      ...C_FILES,
    ]);
    return library;
  })();
  return compiled;
}

export interface LibraryAnswer {
  readonly code: number;
  /** The JSON that the library gave. */
  readonly answer: unknown;
}

export interface OpenOptions {
  readonly dataDir: string;
  readonly configDir?: string;
  readonly program?: string;
  readonly startTimeoutMs?: number;
  readonly wallet?: string;
}

type Native = (...words: unknown[]) => Promise<number>;

/** A handle of the library: its functions as C callers have them. */
export interface LibraryHandle {
  call(name: OperationName, input: object): Promise<LibraryAnswer>;
  lwdInfo(url: string | null, dbPath: string | null): Promise<LibraryAnswer>;
  lwdChainTip(url: string | null, dbPath: string | null): Promise<LibraryAnswer>;
  lwdSyncCompact(
    url: string | null,
    dbPath: string | null,
    start: number | bigint,
    end: number | bigint,
  ): Promise<LibraryAnswer>;
  /** Makes the handle the grant's. */
  present(token: string): Promise<LibraryAnswer>;
  nextEvent(timeoutMs: number): Promise<LibraryAnswer>;
  close(): Promise<void>;
}

type Koffi = typeof import('koffi').default;

/** koffi has no build for some systems. */
export const koffi: Koffi | undefined = await import('koffi').then(
  (module) => module.default,
  () => undefined,
);

interface Library {
  declare(text: string): Native;
  readonly optionsSize: number;
}

let loaded: Promise<Library> | undefined;

function loadLibrary(): Promise<Library> {
  loaded ??= (async () => {
    if (koffi === undefined) throw new Error('koffi is not installed');
    const library = koffi.load(await compileLibrary());
    koffi.disposable('answer', 'str', library.func('void companion_free(void *text)'));
    const options = koffi.struct('companion_options', {
      size: 'size_t',
      data_dir: 'str',
      config_dir: 'str',
      program: 'str',
      serve_arguments: 'void *',
      start_timeout_ms: 'int32_t',
      wallet: 'str',
    });
    return {
      declare: (text) => promisify(library.func(text).async) as Native,
      optionsSize: koffi.sizeof(options),
    };
  })();
  return loaded;
}

/** Resolves with the handle, or with what companion_open answered. */
export async function openLibrary(options: OpenOptions): Promise<LibraryHandle | LibraryAnswer> {
  const { declare, optionsSize } = await loadLibrary();
  const open = declare(
    'int companion_open(companion_options *options, _Out_ void **handle, _Out_ answer *problem)',
  );
  const handle: unknown[] = [null];
  const problem: unknown[] = [null];
  const code = await open(
    {
      size: optionsSize,
      data_dir: options.dataDir,
      config_dir: options.configDir ?? null,
      program: options.program ?? null,
      serve_arguments: null,
      start_timeout_ms: options.startTimeoutMs ?? 0,
      wallet: options.wallet ?? null,
    },
    handle,
    problem,
  );
  if (code !== 0) return { code, answer: parsed(problem[0]) };
  const calling =
    (symbol: string, types: string) =>
    async (...words: unknown[]): Promise<LibraryAnswer> => {
      const answer: unknown[] = [null];
      const call = declare(`int ${symbol}(void *, ${types}, _Out_ answer *)`);
      return { code: await call(handle[0], ...words, answer), answer: parsed(answer[0]) };
    };
  const call = calling('companion_call', 'str, str');
  return {
    call: (name, input) => call(operations[name].ipc, JSON.stringify(input, null, 2)),
    lwdInfo: calling('companion_lwd_info', 'str, str'),
    lwdChainTip: calling('companion_lwd_chain_tip', 'str, str'),
    lwdSyncCompact: calling('companion_lwd_sync_compact', 'str, str, int64_t, int64_t'),
    present: (token) => call('grant_present', JSON.stringify({ token })),
    nextEvent: calling('companion_next_event', 'int32_t'),
    async close() {
      await declare('void companion_close(void *handle)')(handle[0]);
    },
  };
}

const parsed = (answer: unknown): unknown => (typeof answer === 'string' ? JSON.parse(answer) : null);
