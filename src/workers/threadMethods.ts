// What the companion's threads offer each other: a table for each direction of a channel, and the data that a thread starts with.

import type { MessagePort } from 'node:worker_threads';
import type { KdfParameters } from '@wallet-companion/disk/sealing';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import type { Carried, WrongTries } from '../actors/wallet/ports/walletEnvironment.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import type { EventWithoutTexts } from '../protocol/eventTexts.ts';
import type { PcztRole } from '../protocol/pcztPrograms.ts';
import type { CarriedConfig } from '../storage/config/configFile.ts';
import type { Channel } from './channel.ts';
import type { ScanKernel } from './scanKernel.ts';
import type { ScanAnswer, WalletTask } from './scanTask.ts';

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
}

/** For the thread that owns the shared scan workers. */
export interface ScanHubData {
  readonly threads: number;
  readonly kernel: ScanKernel;
}

/** What the main thread may ask of the thread with the shared scan workers. */
export interface ScanHubMethods {
  readonly events: {
    connectWallet(port: MessagePort): void;
    /** End as soon as no wallet uses it any more. */
    end(): void;
  };
}

/** What a wallet thread may ask of it. */
export interface ScanWorkMethods {
  readonly calls: {
    run(task: WalletTask): Promise<ScanAnswer>;
    /** Forgets the wallet's keys. */
    leave(): Promise<void>;
  };
}

/** What the main thread may ask of a wallet's thread. */
export interface WalletMethods {
  readonly calls: {
    /** An operation. */
    dispatch(message: object): Promise<unknown>;
    /** The user edited config.json; or this is to be written there first. */
    reload(changes: ReloadChanges | undefined): Promise<Reloaded>;
    /** Every call is answered, and no more will come unless the thread is in use again: then the answer is undefined. */
    retire(): CarriedState | undefined;
    stop(): Promise<void>;
  };
  readonly events: {
    connectChain(port: MessagePort): void;
    /** The chain thread is needed: start it, and send it the settings. */
    wakeChain(): void;
    /** The shared settings have changed; for the threads of the other wallets. */
    commonChanged(changed: { readonly common: CarriedConfig; readonly level: string }): void;
    /** A port to the shared scan workers, or none any more. */
    connectScanHub(port: MessagePort | undefined): void;
  };
}

/** What a wallet's thread may ask of the main thread. */
export interface MainMethods {
  readonly calls: {
    /** Answered when the thread may derive a password's key. */
    derivationTurn(): Promise<void>;
    /** The answer is what the prover or signer wrote. */
    runProgram(request: ProgramRequest): Promise<Uint8Array>;
  };
  readonly events: {
    happened(event: EventWithoutTexts): void;
    kernelChosen(kernel: ScanKernel): void;
    /** Sent at each change, before the response to the try. */
    triesChanged(wrongTries: readonly WrongTries[]): void;
    /** The shared settings, at start and after a change. */
    commonChanged(common: CarriedConfig): void;
    /** Chosen by the first use in another wallet; the default wallet's thread keeps it. */
    sourceChosen(source: Config['block_source']): void;
    derivationDone(): void;
    /** Undefined: all that run for the thread. */
    giveUpProgram(id: number | undefined): void;
    /** Whether a scan pool is open. */
    poolChanged(isOpen: boolean): void;
    /** There is a question for the chain thread, which is asleep. */
    wakeChain(): void;
    /** The chain thread knows the configuration. */
    ready(): void;
    /** The thread held secrets that no session needs any more: only its end clears them. */
    spent(): void;
  };
}

/** The main thread as a wallet's thread calls it. */
export type MainChannel = Pick<Channel<MainMethods>, 'call' | 'emit'>;

export interface ProgramRequest {
  readonly role: PcztRole;
  readonly id: number;
  readonly pczt: Uint8Array<ArrayBuffer>;
}

/** What the main thread may ask of the chain thread. */
export interface ChainThreadMethods {
  readonly calls: { dispatch(message: object): Promise<unknown> };
  readonly events: {
    connectWallet(wallet: { readonly port: MessagePort; readonly isDefault: boolean }): void;
    logLevelChanged(level: string): void;
  };
}

/** What the chain thread may ask of the main thread. */
export interface ChainEvents {
  readonly events: { happened(event: CompanionEvent): void };
}
