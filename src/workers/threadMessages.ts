// What the main thread and a worker thread tell each other outside the mailboxes: start, wiring and the end.

import type { MessagePort } from 'node:worker_threads';
import type { Config } from '../actors/wallet/ports/storage.ts';
import type { Carried, WrongTries } from '../actors/wallet/ports/walletEnvironment.ts';
import type { EventWithoutMemo } from '../protocol/eventMemo.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import type { Result } from '../protocol/result.ts';
import type { CarriedConfig } from '../storage/config/configFile.ts';
import type { ScanKernel } from './scanKernel.ts';

/** What the main thread needs of an edited config.json. */
export type Reloaded = Pick<Config, 'allowed_origins' | 'log_level' | 'on_event' | 'prover'>;

/** From a wallet thread to its successor. */
export interface CarriedState {
  readonly actor: Carried;
  readonly config: CarriedConfig;
}

export interface WalletThreadData {
  /** Left out by the default wallet's thread, which writes what all wallets share. */
  readonly other?: OtherWallet;
  readonly configDir: string;
  /** Where this wallet's files lie. */
  readonly dataDir: string;
  /** What `serve` flags override; never written to config.json. */
  readonly overrides: Partial<Config>;
  /** As the main thread read it: an edit from then on counts from the next start on. */
  readonly config?: CarriedConfig;
  readonly version: string;
  readonly scanThreads: number;
  /** The process ends with the answer: nothing is followed. */
  readonly oneCommand: boolean;
  readonly logLevel: string;
  readonly front: MessagePort;
  /** Undefined while the chain thread is lost; it brings a port of its own when it is back. */
  readonly chain: MessagePort | undefined;
  /** Chosen by an earlier wallet thread: compiling and testing it takes part of a second. */
  readonly kernel: ScanKernel | undefined;
  readonly carried: CarriedState | undefined;
  /** Made with threads before this one, also where the last of them was lost and could hand nothing over. */
  readonly wrongTries: WrongTries | undefined;
}

/** What a thread of another wallet than the default one starts with besides. */
export interface OtherWallet {
  readonly name: string;
  /** The companion's configuration, as the default wallet's thread told it last. */
  readonly common: CarriedConfig;
}

export interface ChainThreadData {
  readonly logLevel: string;
  readonly front: MessagePort;
  readonly wallet: MessagePort;
}

/** Of the thread that shared scan workers belong to. */
export interface ScanHubData {
  readonly threads: number;
  readonly kernel: ScanKernel;
}

export type ToScanHub =
  | { readonly kind: 'wallet'; readonly port: MessagePort }
  /** As soon as no wallet uses it any more. */
  | { readonly kind: 'end' };

/** From a wallet thread to the hub, among tasks: its keys are to be forgotten. */
export const LEAVE = 'leave';

export type ToWalletThread =
  | { readonly kind: 'chain'; readonly port: MessagePort }
  | { readonly kind: 'stop' }
  /** What all wallets share has changed; for the threads of the others. */
  | { readonly kind: 'common'; readonly common: CarriedConfig; readonly level: string }
  /** The way to the scan workers that several wallets share, or none any more. */
  | { readonly kind: 'scan_hub'; readonly port: MessagePort | undefined }
  /** A password's key may be derived now. */
  | { readonly kind: 'derive' }
  /** What became of a proof. */
  | { readonly kind: 'proved'; readonly id: number; readonly result: Result<Uint8Array> }
  /** The person's edit of config.json. */
  | { readonly kind: 'reload' }
  /** Every call is answered, and no more will come unless the thread is kept. */
  | { readonly kind: 'retire' };
export type ToChainThread =
  | { readonly kind: 'wallet'; readonly port: MessagePort; readonly isDefault: boolean }
  | { readonly kind: 'log_level'; readonly level: string };
export type FromChainThread = { readonly kind: 'event'; readonly event: CompanionEvent };
export type FromWalletThread =
  | ({ readonly kind: 'event' } & EventWithoutMemo)
  | { readonly kind: 'kernel'; readonly kernel: ScanKernel }
  /** Whenever they have changed, before the try is answered. */
  | { readonly kind: 'tries'; readonly wrongTries: WrongTries }
  /** What all wallets share, at start and when it has changed. */
  | { readonly kind: 'common'; readonly common: CarriedConfig }
  /** A password's key is to be derived, or has been. */
  | { readonly kind: 'derivation'; readonly step: 'wanted' | 'done' }
  /** Proofs are wanted, and are not any more. */
  | { readonly kind: 'prove'; readonly id: number; readonly pczt: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'give_up_proof'; readonly id: number }
  /** Whether a scan pool is open. */
  | { readonly kind: 'pool'; readonly isOpen: boolean }
  /** The chain thread knows the configuration. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'reloaded'; readonly result: Result<Reloaded> }
  /** Secrets were here, and no session needs them any more: only the end of the thread clears them. */
  | { readonly kind: 'spent' }
  | { readonly kind: 'retired'; readonly carried: CarriedState }
  /** The answer to `retire` of a thread that is in use again. */
  | { readonly kind: 'kept' };
