// The messages between the main thread and a worker thread outside the mailboxes: start, wiring and the end.

import type { MessagePort } from 'node:worker_threads';
import type { KdfParameters } from '@wallet-companion/disk/sealing';
import type { Config } from '../actors/wallet/ports/storage.ts';
import type { Carried, WrongTries } from '../actors/wallet/ports/walletEnvironment.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import type { EventWithoutTexts } from '../protocol/eventTexts.ts';
import type { PcztRole } from '../protocol/pcztPrograms.ts';
import type { Result } from '../protocol/result.ts';
import type { CarriedConfig } from '../storage/config/configFile.ts';
import type { ScanKernel } from './scanKernel.ts';

/** The part of an edited config.json that the main thread needs. */
export type Reloaded = Pick<
  Config,
  'allowed_origins' | 'anonymous_access' | 'log_level' | 'on_event' | PcztRole
>;

/** What the main thread itself changes there. */
export type ReloadChanges = Partial<Pick<Config, 'allowed_origins' | 'block_source'>>;

/** Passed from a wallet thread to its successor. */
export interface CarriedState {
  readonly actor: Carried;
  readonly config: CarriedConfig;
}

export interface WalletThreadData {
  /** Absent in the default wallet's thread, which writes what all wallets share. */
  readonly other?: OtherWallet;
  readonly configDir: string;
  /** The folder of this wallet's files. */
  readonly dataDir: string;
  /** The values of `serve` flags; never written to config.json. */
  readonly overrides: Partial<Config>;
  /** As the main thread read it: a later edit counts from the next start on. */
  readonly config?: CarriedConfig;
  readonly version: string;
  readonly scanThreads: number;
  /** The process ends with its answer: new blocks are not followed. */
  readonly oneCommand: boolean;
  readonly logLevel: string;
  readonly front: MessagePort;
  /** Undefined while the chain thread is lost; its successor brings a new port. */
  readonly chain: MessagePort | undefined;
  /** Nobody needed the chain thread yet: it starts when this thread wants it. */
  readonly isChainAsleep: boolean;
  /** Chosen by an earlier wallet thread: compiling and testing it takes part of a second. */
  readonly kernel: ScanKernel | undefined;
  readonly carried: CarriedState | undefined;
  /** Tries made with earlier threads, also where the last of them was lost and could pass nothing on. */
  readonly wrongTries: readonly WrongTries[] | undefined;
  /** Absent outside tests: the full cost. */
  readonly kdf?: KdfParameters;
}

/** What else a thread of another wallet than the default one starts with. */
export interface OtherWallet {
  readonly name: string;
  /** The companion's configuration, as the default wallet's thread sent it last. */
  readonly common: CarriedConfig;
}

export interface ChainThreadData {
  readonly logLevel: string;
  readonly front: MessagePort;
}

/** For the thread that owns the shared scan workers. */
export interface ScanHubData {
  readonly threads: number;
  readonly kernel: ScanKernel;
}

export type ToScanHub =
  | { readonly kind: 'wallet'; readonly port: MessagePort }
  /** End as soon as no wallet uses it any more. */
  | { readonly kind: 'end' };

/** From a wallet thread to the hub, among tasks: the hub must forget its keys. */
export const LEAVE = 'leave';

export type ToWalletThread =
  | { readonly kind: 'chain'; readonly port: MessagePort }
  /** The chain thread is needed: start it, and send it the settings. */
  | { readonly kind: 'wake_chain' }
  | { readonly kind: 'stop' }
  /** The shared settings have changed; for the threads of the other wallets. */
  | { readonly kind: 'common'; readonly common: CarriedConfig; readonly level: string }
  /** A port to the shared scan workers, or none any more. */
  | { readonly kind: 'scan_hub'; readonly port: MessagePort | undefined }
  /** The thread may derive a password's key now. */
  | { readonly kind: 'derive' }
  /** What the prover or signer wrote. */
  | { readonly kind: 'program_done'; readonly id: number; readonly result: Result<Uint8Array> }
  /** The user edited config.json; or this is to be written there first. */
  | { readonly kind: 'reload'; readonly changes: ReloadChanges | undefined }
  /** Every call is answered, and no more will come unless the thread is kept. */
  | { readonly kind: 'retire' };
export type ToChainThread =
  | { readonly kind: 'wallet'; readonly port: MessagePort; readonly isDefault: boolean }
  | { readonly kind: 'log_level'; readonly level: string };
export type FromChainThread = { readonly kind: 'event'; readonly event: CompanionEvent };
export type FromWalletThread =
  | ({ readonly kind: 'event' } & EventWithoutTexts)
  | { readonly kind: 'kernel'; readonly kernel: ScanKernel }
  /** Sent at each change, before the response to the try. */
  | { readonly kind: 'tries'; readonly wrongTries: readonly WrongTries[] }
  /** The shared settings, at start and after a change. */
  | { readonly kind: 'common'; readonly common: CarriedConfig }
  /** Chosen by the first use in another wallet; the default wallet's thread keeps it. */
  | { readonly kind: 'block_source'; readonly source: Config['block_source'] }
  /** The thread wants to derive a password's key, or has done it. */
  | { readonly kind: 'derivation'; readonly step: 'wanted' | 'done' }
  /** Proofs or signatures are requested, and no longer needed. */
  | {
      readonly kind: 'run_program';
      readonly role: PcztRole;
      readonly id: number;
      readonly pczt: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: 'give_up_program'; readonly id: number }
  /** Whether a scan pool is open. */
  | { readonly kind: 'pool'; readonly isOpen: boolean }
  /** A question for the chain thread, which is asleep. */
  | { readonly kind: 'chain_wanted' }
  /** The chain thread knows the configuration. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'reloaded'; readonly result: Result<Reloaded> }
  /** The thread held secrets that no session needs any more: only its end clears them. */
  | { readonly kind: 'spent' }
  | { readonly kind: 'retired'; readonly carried: CarriedState }
  /** The answer to `retire` of a thread that is in use again. */
  | { readonly kind: 'kept' };
