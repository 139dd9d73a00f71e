// What a companion is started with.

import type { Prover } from '../actors/wallet/ports/prover.ts';
import type { Config } from '../actors/wallet/ports/storage.ts';
import type { After } from '../async/after.ts';
import type { Handlers } from '../protocol/operations.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import type { CarriedConfig } from '../storage/config/configFile.ts';
import type { Log } from './threadLog.ts';
import type { PutOff } from './threadWatch.ts';

export interface CompanionOptions {
  readonly configDir: string;
  readonly dataDir: string;
  readonly overrides: Partial<Config>;
  /** As it was read at the start, `overrides` included; left out, the wallet thread reads the file. */
  readonly config?: CarriedConfig;
  readonly version: string;
  readonly scanThreads: number;
  /** The process ends with the answer: new blocks are not followed, whatever config.json says. */
  readonly oneCommand?: boolean;
  /** Wallets besides the default one that can be in use at a time. */
  readonly mostOpen?: number;
  readonly log: Log;
  /** Opens the wallet again when its thread was lost while it was open. */
  readonly password?: StartPassword;
  /** The same for wallets beside the default one, by name. */
  readonly otherPasswords?: ReadonlyMap<string, StartPassword>;
  /** What the main thread does besides; left out where that is nothing. */
  readonly service?: Omit<Handlers<'service'>, 'wallets.list'>;
  /** Makes proofs for wallets that ask; left out where nobody does. */
  readonly prover?: Prover;
  /** Puts off the restart of a lost thread; default: for that long. */
  readonly after?: PutOff;
  /** Measures how long new calls wait for a wallet thread that gives way; default: the system's timer. */
  readonly patience?: After;
}
