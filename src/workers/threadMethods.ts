// What the companion's threads offer each other: a table for each direction of a channel, and the data that a thread starts with.

import type { MessagePort } from 'node:worker_threads';
import type { ProxySetting } from '@wallet-companion/base/proxy';
import type { Source } from '@wallet-companion/chain/ports';
import type { KdfParameters } from '@wallet-companion/disk/sealing';
import type { KernelModule } from '@wallet-companion/kernel/kernel';
import type { Config, ConfigSnapshot } from '../actors/wallet/ports/configFile.ts';
import type { OwnSignatures } from '../actors/wallet/ports/signing.ts';
import type { Carried } from '../actors/wallet/ports/walletEnvironment.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import type { EventWithoutTexts } from '../protocol/eventTexts.ts';
import type { WrongTries } from '../protocol/passwordGuard.ts';
import type { PcztRole } from '../protocol/pcztPrograms.ts';
import type { DayRatesState, PriceState } from '../protocol/prices.ts';
import type { Channel } from './channel.ts';
import type { KeyRequest, SignRequest } from './paymentSigner.ts';
import type { ScanAnswer, WalletTask } from './scanTask.ts';

export interface WalletThreadData {
  /** For the log. */
  readonly thread: string;
  readonly config: ConfigSnapshot;
  readonly configDir: string;
  /** The folder of this wallet's files. */
  readonly dataDir: string;
  readonly version: string;
  readonly scanThreads: number;
  /** The process ends with its answer: new blocks are not followed. */
  readonly oneCommand: boolean;
  readonly logLevel: string;
  /** Undefined while the chain thread is lost; its successor brings a new port. */
  readonly chain: MessagePort | undefined;
  /** Nobody needed the chain thread yet: it starts when this thread wants it. */
  readonly isChainAsleep: boolean;
  /** From the thread that this one replaces. */
  readonly carried: Carried | undefined;
  /** Tries made with earlier threads, also where the last of them was lost and could pass nothing on. */
  readonly wrongTries: readonly WrongTries[] | undefined;
  /** Absent outside tests: the full cost. */
  readonly kdf?: KdfParameters;
}

export interface ChainThreadData {
  readonly logLevel: string;
  /** Of the default wallet's config.json at the start of the companion: for all wallets. */
  readonly proxy: ProxySetting | null;
}

/** For the thread that owns the shared scan workers. */
export interface ScanHubData {
  readonly threads: number;
}

/** What the main thread may ask of the thread with the scan workers. */
export interface ScanHubMethods {
  readonly events: {
    connectWallet(port: MessagePort): void;
    /** Undefined: the workers use the reference. */
    kernelChosen(module: KernelModule | undefined): void;
    /** End as soon as no wallet uses it any more. */
    end(): void;
  };
}

/** A wallet thread's port to it. */
export interface ScanConnection {
  readonly id: number;
  readonly port: MessagePort;
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
    /** Every call is answered, and no more will come unless the thread is in use again: then the answer is undefined. */
    retire(): Carried | undefined;
    stop(): Promise<void>;
  };
  readonly events: {
    connectChain(port: MessagePort): void;
    /** The chain thread is needed: start it, and send it the settings. */
    wakeChain(): void;
    /** `byThisWallet`: its own call changed it, and reports that. */
    configChanged(changed: { readonly config: ConfigSnapshot; readonly byThisWallet: boolean }): void;
    logLevelChanged(level: string): void;
  };
}

/** What a wallet's thread may ask of the main thread. */
export interface MainMethods {
  readonly calls: {
    /** Answered when the thread may derive a password's key. */
    derivationTurn(): Promise<void>;
    /** The answer is what the prover or signer wrote. */
    runProgram(request: ProgramRequest): Promise<Uint8Array>;
    provesSapling(): Promise<boolean>;
    prices(): Promise<PriceState>;
    dayRates(): Promise<DayRatesState>;
    /** Answered when it is written, and this thread and the others it concerns have been sent it. */
    updateConfig(change: {
      readonly changes: Partial<Config>;
      readonly byOwner: boolean | undefined;
    }): Promise<void>;
    chooseSource(source: Source): Promise<Source>;
    /** Starts their thread where it does not run. `lost`: an earlier connection, with a thread that has ended. */
    connectScanWorkers(lost: number | undefined): Promise<ScanConnection>;
    /** Answered, where no other wallet uses their thread, when that has ended. */
    leaveScanWorkers(id: number): Promise<void>;
  };
  readonly events: {
    happened(event: EventWithoutTexts): void;
    /** Sent at each change, before the response to the try. */
    triesChanged(wrongTries: readonly WrongTries[]): void;
    derivationDone(): void;
    /** Undefined: all that run for the thread. */
    giveUpProgram(id: number | undefined): void;
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

/** What a wallet's thread may ask of the thread that signs one payment. */
export interface SigningMethods {
  readonly calls: {
    /** Opens the account's spending keys. */
    open(request: KeyRequest): Promise<void>;
    sign(request: SignRequest): OwnSignatures;
  };
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
