// Everything the command line takes from its process, so that tests can be the process.

import type { Readable, Writable } from 'node:stream';
import type { Link } from '../protocol/link.ts';
import type { Network } from '../protocol/network.ts';
import type { LocalSettings } from './localSettings.ts';

export interface TerminalInput extends Readable {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
}

export interface TerminalOutput extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Where an operation that is not sent elsewhere finds its files. Left out: the usual places and config.json. */
export interface LocalOptions {
  readonly configDir?: string;
  readonly dataDir?: string;
  readonly network?: Network;
  readonly nodeCookieFile?: string;
}

export interface ServeOptions extends LocalOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** A loopback address; both when left out. */
  readonly host?: string;
  readonly nodeUrl?: string;
  readonly compactServerUrl?: string;
  /** Scan new blocks as they come while the wallet is unlocked. */
  readonly follow: boolean;
  /** Do not lock after idling. */
  readonly keepOpen?: true;
}

export interface OpenedLink {
  readonly link: Pick<Link, 'dispatch'>;
  close(): Promise<void>;
}

export interface CliEnvironment {
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly version: string;
  /** Runs the companion until it ends, unlocked when a password is given; resolves with the exit code. */
  serve(options: ServeOptions, password?: string): Promise<number>;
  /** Shows the desktop window until it is closed; resolves with the exit code. Throws `CompanionError`. */
  desktop(options: LocalOptions, password?: string): Promise<number>;
  /** The actors in this process, or the companion that already holds the data directory. Throws `CompanionError`. */
  openLocal(options: LocalOptions): Promise<OpenedLink>;
  /** Writes what `change` makes of config.json's settings. Throws `BUSY` while a companion holds the data directory. */
  changeSettings(
    options: LocalOptions,
    change: (now: LocalSettings) => Partial<LocalSettings>,
  ): Promise<LocalSettings>;
  readonly requestId: () => string;
  /** Calls back on Ctrl-C until the returned function is called. */
  onInterrupt(callback: () => void): () => void;
  /** Calls back again and again until the returned function is called. */
  every(intervalMs: number, callback: () => void): () => void;
}
