// The command line without a process: streams in memory, a fake link, Ctrl-C and timers at the push of a button.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { textOf } from '@wallet-companion/client/contract';
import { examples } from '../../scripts/generate/examples.ts';
import type { CliEnvironment, LocalOptions, ServeOptions } from '../../src/cli/cliEnvironment.ts';
import type { LocalSettings } from '../../src/cli/localSettings.ts';
import { runCli } from '../../src/cli/runCli.ts';
import { readGivenSecret } from '../../src/cli/secrets.ts';
import { phraseProblem } from '../../src/composition/phraseCheck.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import type { Link } from '../../src/protocol/link.ts';
import { type OperationName, operations } from '../../src/protocol/operations.ts';
import { SECRET_FIELDS } from '../../src/protocol/secretFields.ts';
import { inputFields } from '../../src/protocol/textInput.ts';
import { FakeLink } from './fakeLink.ts';
import { TerminalEmulator, withoutControls } from './terminalEmulator.ts';

class Screen extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly #emulator: TerminalEmulator;
  readonly #saw: (text: string) => void;

  /** The emulator is that of both streams, as in a terminal. */
  constructor(isTTY: boolean, lines: number, emulator: TerminalEmulator, saw: (text: string) => void) {
    super();
    this.rows = lines;
    this.#saw = saw;
    this.isTTY = isTTY;
    this.columns = emulator.columns;
    this.#emulator = emulator;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const text = chunk.toString('utf8');
    this.text += text;
    this.#emulator.write(text);
    done();
    this.#saw(text);
  }
}

class Keyboard extends PassThrough {
  readonly isTTY: boolean;
  readonly rawModes: boolean[] = [];

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  setRawMode(on: boolean): void {
    this.rawModes.push(on);
  }
}

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliProcessOptions {
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly lines?: number;
  /** Opens a companion in place of the link. */
  readonly open?: CliEnvironment['openLocal'];
  /** Another link than the fake one. */
  readonly behind?: Pick<Link, 'dispatch'>;
}

export class CliProcess {
  readonly link = new FakeLink();
  readonly keyboard: Keyboard;
  readonly opened: LocalOptions[] = [];
  readonly served: ServeOptions[] = [];
  /** Of `serve` and `desktop`. */
  readonly passwords: (string | undefined)[] = [];
  readonly windows: LocalOptions[] = [];
  readonly windowWallets: (string | undefined)[] = [];
  /** What a terminal shows of both streams. */
  readonly screen: TerminalEmulator;
  /** The calls of `demo`, `devnet`, `scan-worker` and `bridge`. */
  readonly shows: object[] = [];
  logFiles: readonly string[] = [];
  /** Why no companion can start. */
  startFailure: CompanionError | undefined;
  configWarnings: readonly string[] = [];
  /** Whether there is a companion to watch. */
  isRunning = true;
  /** Ends the connection of `watch`. */
  loseConnection: () => void = () => {};
  /** What the environment names. */
  wallet: string | undefined;
  grantFile: string | undefined;
  /** Whether commands run in a process of their own. */
  endsHere = false;
  readonly services: unknown[] = [];
  closed = 0;
  settings: LocalSettings = {
    allowed_origins: [],
    anonymous_access: 'full',
    min_confirmations: 1,
    auto_lock_seconds: 900,
    node_cookie_file: null,
  };
  hasSystemd = true;
  /** Taken one after the other, then 0. */
  readonly randoms: number[] = [];
  /** Where commands without a URL find their companion. */
  readonly #open: CliEnvironment['openLocal'] | undefined;
  /** What was written and not yet waited for, without colours and the like. */
  #unseen = '';
  #seen: () => void = () => {};
  readonly #interrupts = new Set<() => void>();
  readonly #timers = new Set<() => void>();
  readonly #terminal: boolean;
  readonly #lines: number;

  readonly #behind: Pick<Link, 'dispatch'>;

  constructor({ terminal = false, columns = 80, lines = 50, behind, open }: CliProcessOptions = {}) {
    this.#open = open;
    this.#behind = behind ?? this.link;
    this.screen = new TerminalEmulator(columns);
    this.#lines = lines;
    this.#terminal = terminal;
    this.keyboard = new Keyboard(terminal);
  }

  /** What the person types, all at once. */
  type(keys: string): void {
    this.keyboard.write(keys);
  }

  /** Resolves when the terminal has shown the text, after all that was waited for before. A long path breaks lines anywhere. */
  async whenShown(text: string): Promise<void> {
    const words = text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+');
    for (;;) {
      const found = new RegExp(words).exec(this.#unseen);
      if (found !== null) {
        this.#unseen = this.#unseen.slice(found.index + found[0].length);
        return;
      }
      await new Promise<void>((resolve) => {
        this.#seen = resolve;
      });
    }
  }

  /** Types an answer to each question when it is shown. */
  async talk(answers: readonly (readonly [question: string, keys: string])[]): Promise<void> {
    for (const [question, keys] of answers) {
      await this.whenShown(question);
      this.type(keys);
    }
  }

  interrupt(): void {
    for (const callback of this.#interrupts) callback();
  }

  /** Lets every timer fire once. */
  tick(): void {
    for (const callback of this.#timers) callback();
  }

  get listeners(): number {
    return this.#interrupts.size + this.#timers.size;
  }

  async run(...argv: string[]): Promise<CliRun> {
    const saw = (text: string): void => {
      this.#unseen += withoutControls(text);
      this.#seen();
    };
    const stdout = new Screen(this.#terminal, this.#lines, this.screen, saw);
    const stderr = new Screen(this.#terminal, this.#lines, this.screen, saw);
    const until = (set: Set<() => void>, callback: () => void): (() => void) => {
      set.add(callback);
      return () => set.delete(callback);
    };
    const environment: CliEnvironment = {
      stdin: this.keyboard,
      stdout,
      stderr,
      version: '1.2.3',
      wallet: this.wallet,
      serve: async (options, password, others = new Map()) => {
        this.served.push(options);
        for (const each of [password, ...others.values()]) {
          const given = await each?.read();
          this.passwords.push(given && new TextDecoder().decode(given));
        }
        return 0;
      },
      grantToken: () => readGivenSecret('grant token', { file: this.grantFile }),
      desktop: async (options, password, wallet) => {
        this.windows.push(options);
        this.windowWallets.push(wallet);
        this.passwords.push(password);
        return 0;
      },
      installService: async (options, more, passwordFile) => {
        this.services.push({ options, more, passwordFile });
        return 0;
      },
      manageService: async (action) => {
        this.services.push(action);
        return 0;
      },
      openLocal: async (options) => {
        this.opened.push(options);
        if (this.startFailure !== undefined) throw this.startFailure;
        if (this.#open !== undefined) return this.#open(options);
        return {
          link: this.#behind,
          ...(this.endsHere ? { endsHere: true } : {}),
          close: async () => {
            this.closed += 1;
          },
        };
      },
      connectEvents: async (options, wallet) => async (listener, onLost) => {
        if (!this.isRunning) throw new CompanionError('COMPANION_UNREACHABLE', 'No companion answers.');
        this.opened.push(options);
        this.loseConnection = onLost;
        const stop = this.link.subscribe(listener, wallet);
        return { link: this.#behind, close: stop };
      },
      logFiles: () => this.logFiles,
      signer: async (call) => {
        this.shows.push({ signer: call });
        return 0;
      },
      scanWorker: async (options) => {
        this.shows.push({ scanWorker: options });
        return 0;
      },
      bridge: async (options) => {
        this.shows.push({ bridge: options });
        return 0;
      },
      backupOf: (options, password) => {
        this.shows.push({ backup: options, password: new TextDecoder().decode(password) });
        return (async function* () {
          yield new TextEncoder().encode('sealed');
        })();
      },
      markBackup: async (options) => void this.shows.push({ markBackup: options }),
      restoreBackup: async (options, file, password) => {
        this.shows.push({ restore: options, file, password: new TextDecoder().decode(password) });
        return { wallets: ['default', 'savings'], made_at: '2026-01-02T03:04:05.678Z' };
      },
      demo: async (once) => {
        this.shows.push({ demo: { once } });
        return 0;
      },
      devnet: async (options) => {
        this.shows.push({ devnet: options });
        return 0;
      },
      changeSettings: async (_options, change) => {
        this.settings = { ...this.settings, ...change(this.settings) };
        return this.settings;
      },
      diagnose: async (_options, { code, detail }) => ({
        worst: 'fail',
        checks: [{ check: 'companion', state: 'fail', what: `${detail} (${code})`, do: 'Try it.' }],
      }),
      configWarnings: async () => this.configWarnings,
      requestId: () => 'cli-request',
      hasSystemd: this.hasSystemd,
      phraseCheck: async () => phraseProblem,
      random: () => this.randoms.shift() ?? 0,
      now: () => new Date('2026-01-02T03:04:05.678Z'),
      onInterrupt: (callback) => until(this.#interrupts, callback),
      every: (_intervalMs, callback) => until(this.#timers, callback),
    };
    const code = await runCli(argv, environment);
    return { code, stdout: stdout.text, stderr: stderr.text };
  }
}

/** The words and flags for an operation's example input. */
export const sampleCommandLine = (name: OperationName, folder: string): string[] =>
  commandLine(name, examples[name].input, folder);

/** The words and flags for an input, its secrets in files in `folder`. */
export function commandLine(name: OperationName, given: object, folder: string): string[] {
  const { words, positional = [], files = [], flags: named = {}, takesWallets } = operations[name].cli;
  const input = given as Readonly<Record<string, unknown>>;
  const argumentsGiven = positional.map((field) =>
    files.includes(field) ? secretFile(folder, field, String(input[field])) : String(input[field]),
  );
  const flags = inputFields(name).flatMap((field) => {
    const value = input[field.name];
    const flag =
      takesWallets === true && field.name === 'wallets'
        ? '--wallet'
        : `--${(named[field.name] ?? field.name).replaceAll('_', '-')}`;
    if (positional.includes(field.name) || value === undefined) return [];
    if (SECRET_FIELDS.includes(field.name))
      return [`${flag}-file`, secretFile(folder, field.name, String(value))];
    return field.type === 'boolean' ? [flag] : [flag, textOf(value)];
  });
  return [...words, ...argumentsGiven, ...flags];
}

export function secretFile(folder: string, name: string, secret: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return file;
}

export function temporaryFolder(t: { teardown(fn: () => void): void }): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-cli-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
