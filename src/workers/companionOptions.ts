// The options with which a companion is started.

import type { After } from '@wallet-companion/base/async';
import type { KdfParameters } from '@wallet-companion/disk/sealing';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import type { Handlers } from '../protocol/operations.ts';
import type { PriceFeed } from '../protocol/prices.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import type { OpenedConfigFile } from '../storage/config/configFile.ts';
import type { PcztRunners } from './pcztPrograms.ts';
import type { Log } from './threadLog.ts';
import type { PutOff } from './threadWatch.ts';

export interface CompanionOptions {
  readonly configDir: string;
  readonly dataDir: string;
  readonly overrides: Partial<Config>;
  /** As it was read at the start, `overrides` included; if absent, it is read from `configDir`. */
  readonly config?: OpenedConfigFile;
  readonly version: string;
  readonly scanThreads: number;
  /** The process ends with its answer: new blocks are not followed, whatever config.json contains. */
  readonly oneCommand?: boolean;
  /** How many wallets besides the default one can be in use at a time. */
  readonly mostOpen?: number;
  readonly log: Log;
  /** By wallet: opens it again when its thread was lost while it was open. */
  readonly passwords?: ReadonlyMap<string, StartPassword>;
  /** Other operations of the main thread; absent if there are none. */
  readonly service?: Omit<Handlers<'service'>, 'wallets.list' | 'wallets.rename'>;
  /**
   * Called when a wallet has another name, or was removed (undefined); the call for it is answered after that. Never
   * rejects.
   */
  readonly walletMoved?: (wallet: string, to: string | undefined) => Promise<void>;
  /** Make proofs and signatures for wallets; absent where nobody does. */
  readonly programs?: PcztRunners;
  /** Prices of ZEC in money; absent where nobody has any. */
  readonly prices?: PriceFeed;
  /** Delays the restart of a lost thread; default: with the system's timer. */
  readonly after?: PutOff;
  /** Measures how long new calls wait while a wallet thread is replaced; default: the system's timer. */
  readonly patience?: After;
  /** For new key slots, in tests: no composition of the program may name it, so that neither a setting nor a flag weakens a password. */
  readonly kdf?: KdfParameters;
}
