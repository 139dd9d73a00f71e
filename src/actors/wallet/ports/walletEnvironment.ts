// What the wallet actor takes from outside, injected so that tests own time, randomness and files.

import type { ErrorRecord } from '../../../protocol/errors.ts';
import type { CompanionEvent } from '../../../protocol/events.ts';
import type { ChainService } from '../../chain/ports/types.ts';
import type { Prover } from './prover.ts';
import type { ScanPool } from './scanPool.ts';
import type { ConfigFile, NoteDatabases, WalletFile } from './storage.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms`; returns the way to cancel. */
  after(ms: number, callback: () => void): () => void;
}

/** How often a wrong password was tried since the last right one. */
export interface WrongTries {
  readonly count: number;
  readonly lastAt: number;
}

/** What `sync.status` tells of the scans before. */
export interface LastScan {
  readonly chainTip: number | null;
  readonly finishedAt: number | null;
  /** When a block above all others was scanned. */
  readonly newBlockAt: number | null;
  readonly failure: { readonly error: ErrorRecord; readonly at: number } | null;
}

/** A browser extension that asks to be let in, or was refused. Times in ms since 1970. */
export interface PairingRequest {
  readonly origin: string;
  readonly name: string | null;
  readonly code: string;
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly isRefused: boolean;
}

/** What an actor knows without a session that the next one must know too. Plain data, nothing of it secret. */
export interface Carried {
  readonly wrongTries: WrongTries;
  /** Unknown where the one before was lost. */
  readonly lastScan?: LastScan;
  readonly pairings?: readonly PairingRequest[];
}

export interface WalletEnvironment {
  /** From the actor in whose place this one comes. */
  readonly carried?: Carried | undefined;
  readonly walletFile: WalletFile;
  readonly configFile: ConfigFile;
  readonly noteDatabases: NoteDatabases;
  readonly chain: ChainService;
  /** A pool lives while a session is open: its threads hold viewing keys. */
  readonly openPool: () => ScanPool;
  readonly prover: Prover;
  readonly clock: Clock;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly emit: (event: CompanionEvent) => void;
  /** Logs a fault by name; never given anything secret. */
  readonly logFault: (where: string, fault: unknown) => void;
  readonly version: string;
  readonly dataDir: string;
  readonly configDir: string;
  /** The process ends with the answer: nothing is followed, whatever is set. */
  readonly oneCommand?: boolean;
}
