// What the wallet actor needs from outside. It is injected so that tests control time, randomness and files.

import type { Timers } from '@wallet-companion/base/async';
import type { ChainService } from '@wallet-companion/chain/ports';
import type { ErrorRecord } from '../../../protocol/errors.ts';
import type { CompanionEvent } from '../../../protocol/events.ts';
import type { WrongTries } from '../../../protocol/passwordGuard.ts';
import type { PriceFeed } from '../../../protocol/prices.ts';
import type { ConfigFile } from './configFile.ts';
import type { InvoiceFiles } from './invoice.ts';
import type { NoteDatabases } from './noteDatabase.ts';
import type { ScanPool } from './scanPool.ts';
import type { OwnSigner, ProofVerifier, Prover, Signer } from './signing.ts';
import type { WalletFile } from './walletFile.ts';

/** What `sync.status` reports about earlier scans. */
export interface LastScan {
  readonly chainTip: number | null;
  readonly finishedAt: number | null;
  /** When a block above all earlier ones was scanned. */
  readonly newBlockAt: number | null;
  readonly failure: { readonly error: ErrorRecord; readonly at: number } | null;
}

/** What an actor knows without a session and its successor must know too. Plain data without secrets. */
export interface Carried {
  readonly wrongTries: readonly WrongTries[];
  /** Absent when the previous actor was lost. */
  readonly lastScan?: LastScan;
}

export interface WalletEnvironment {
  /** From the actor that this one replaces. */
  readonly carried?: Carried | undefined;
  readonly walletFile: WalletFile;
  readonly configFile: ConfigFile;
  readonly noteDatabases: NoteDatabases;
  readonly invoiceFiles: InvoiceFiles;
  readonly chain: ChainService;
  /** Opens a pool for as long as a session is open: its threads hold viewing keys. */
  readonly openPool: () => ScanPool;
  /** How many blocks are scanned at once, for estimates; default: one. */
  readonly scanThreads?: number;
  readonly prover: Prover;
  readonly proofVerifier: ProofVerifier;
  readonly signer: Signer;
  readonly ownSigner: OwnSigner;
  /** Prices of ZEC in money; absent where nobody has any. */
  readonly prices?: PriceFeed;
  readonly clock: Timers;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly emit: (event: CompanionEvent) => void;
  /** Logs a fault by name; never given anything secret. */
  readonly logFault: (where: string, fault: unknown) => void;
  readonly version: string;
  readonly dataDir: string;
  readonly configDir: string;
  /** The process ends with its answer: follow mode stays off, whatever is configured. */
  readonly oneCommand?: boolean;
}
