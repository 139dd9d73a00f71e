// `watch`: prints the companion's events, line by line, until Ctrl-C (130) or until the output is closed (0). When the
// companion ends, `watch` waits until it is back.

import { CompanionError } from '../protocol/errors.ts';
import { MISSED } from '../protocol/events.ts';
import { unwrap } from '../protocol/result.ts';
import { LineWriter, onReaderGone } from '../terminal/lineWriter.ts';
import type { CliEnvironment, ConnectEvents, EventConnection } from './cliEnvironment.ts';
import { eventText, type WatchedEvent } from './eventText.ts';
import { jsonText } from './jsonText.ts';
import { ofWallet } from './openedLink.ts';
import { showCommand, type Where } from './shownCommand.ts';

const EXIT_OK = 0;
const EXIT_CANCELLED = 130;
const RETRY_MS = 1_000;

export interface WatchOptions {
  readonly json: boolean;
  /** Undefined: the default wallet. */
  readonly wallet?: string | undefined;
  readonly where: Where;
  readonly connect: ConnectEvents;
}

/** Rejects with the failure of the first connection; later connections are retried. */
export async function watch(options: WatchOptions, environment: CliEnvironment): Promise<number> {
  const watching = new Watching(options, environment);
  try {
    await watching.connect();
    return await watching.ended;
  } finally {
    watching.close();
  }
}

class Watching {
  readonly #options: WatchOptions;
  readonly #environment: CliEnvironment;
  readonly #lines: LineWriter;
  readonly #errors: LineWriter;
  readonly ended: Promise<number>;
  readonly #fail: (fault: unknown) => void;
  readonly #stops: (() => void)[];
  /** The last one. */
  #connection: EventConnection | undefined;
  #isConnected = false;
  #connecting = false;
  #isClosed = false;

  constructor(options: WatchOptions, environment: CliEnvironment) {
    this.#options = options;
    this.#environment = environment;
    const { stdout, stderr } = environment;
    this.#lines = new LineWriter(stdout, options.json ? () => jsonText(MISSED) : undefined);
    this.#errors = new LineWriter(stderr);
    let end: (code: number) => void = () => {};
    let fail: (fault: unknown) => void = () => {};
    this.ended = new Promise((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
    this.#fail = fail;
    this.#stops = [
      environment.onInterrupt(() => end(EXIT_CANCELLED)),
      environment.every(RETRY_MS, () => void this.#retry()),
      onReaderGone(stdout, () => end(EXIT_OK)),
    ];
  }

  async connect(): Promise<void> {
    this.#connecting = true;
    let isLost = false;
    try {
      const connection = await this.#options.connect(
        (event) => this.#show(event),
        () => {
          isLost = true;
          this.#lost();
        },
      );
      this.#connection = connection;
      if (this.#isClosed) connection.close();
      // A connection that is lost before its first use is retried like any other.
      this.#isConnected = !isLost;
      await this.#printState(connection);
    } finally {
      this.#connecting = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    this.#connection?.close();
  }

  #show(event: WatchedEvent): void {
    if (this.#options.json) {
      this.#lines.write(jsonText(event));
      return;
    }
    const text = eventText(event, showCommand(this.#options.where));
    if (text !== undefined)
      this.#lines.write(
        `${this.#environment
          .now()
          .toISOString()
          .replace(/\.\d+Z$/, 'Z')}  ${text}\n`,
      );
  }

  #lost(): void {
    if (this.#isClosed || !this.#isConnected) return;
    this.#isConnected = false;
    this.#print('The companion is gone; waiting for it to come back.');
  }

  async #retry(): Promise<void> {
    if (this.#isClosed || this.#connecting || this.#isConnected) return;
    try {
      await this.connect();
    } catch (error) {
      if (!(error instanceof CompanionError)) this.#fail(error);
    }
  }

  /** Prints the current state, for a user who returns to the terminal. */
  async #printState(connection: EventConnection): Promise<void> {
    if (this.#options.json) return;
    const link = ofWallet(connection.link, this.#options.wallet);
    const context = { requestId: this.#environment.requestId() };
    try {
      const { exists, unlocked } = unwrap(await link.dispatch('wallet.status', {}, context));
      const { last_scan_height: height } = unwrap(await link.dispatch('sync.status', {}, context));
      const state = unlocked ? 'the wallet is open' : exists ? 'the wallet is locked' : 'there is no wallet';
      this.#print(`Watching: ${state}, scanned up to height ${height}. Ctrl-C ends it.`);
    } catch {
      // The connection itself reports when the companion is gone again.
    }
  }

  #print(text: string): void {
    if (!this.#options.json) this.#errors.write(`${text}\n`);
  }
}
