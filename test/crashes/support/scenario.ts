// An operation of the product that is interrupted, and the folders that it is tried on: there is something to lose in them.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ErrorCode } from '../../../src/protocol/errors.ts';
import type { OperationName } from '../../../src/protocol/operations.ts';
import type { Result } from '../../../src/protocol/result.ts';
import { createNoteDatabases } from '../../../src/storage/notes/noteDatabase.ts';
import { createWalletFile } from '../../../src/storage/wallet/walletFile.ts';
import { madeUpPayment } from '../../helpers/madeUpPayment.ts';
import type { Made } from '../../truth/support/world.ts';
import {
  directoriesIn,
  type MadeUpCompanion,
  type Outside,
  startMadeUpCompanion,
} from './madeUpCompanion.ts';
import { PHRASE } from './madeUpFunds.ts';

export const PASSWORD = 'correct horse battery staple';
export const NEW_PASSWORD = 'a new password';
export const BIRTHDAY = 4;
/** The chain does not come to its last block. */
export const PAYMENT = madeUpPayment(1, { lastHeight: 1_000 });

export interface Scenario {
  readonly operation: OperationName;
  /** What lies in the folder before; once, in a process that ends well. */
  readonly prepare: (folder: string, outside: Outside) => Promise<void>;
  /** In the process that is interrupted, before anything fails. */
  readonly before?: (companion: MadeUpCompanion) => Promise<unknown>;
  readonly run: (companion: MadeUpCompanion, outside: Outside) => Promise<Result<unknown>>;
  /** How a second try may be answered where the first one came to its end. */
  readonly already?: readonly ErrorCode[];
  /** Beside the files that every companion has. */
  readonly leaves?: RegExp;
  /** There was no wallet before: there may be none afterwards. */
  readonly makesWallet?: boolean;
  /** Where the disk goes on failing, one may stay that was said to have failed. */
  readonly preparesPayment?: boolean;
  /** There may be none afterwards; under its old name the file is the wallet again. */
  readonly removesWallet?: boolean;
  /** Whether a later process, whose session is open, still has what the answer said. Without it nothing has to last. */
  readonly promised?: (companion: MadeUpCompanion, answer: never, password: string) => Promise<boolean>;
  /** Whether it still knows of the transaction that has left. */
  readonly left?: (companion: MadeUpCompanion) => Promise<boolean>;
  /** Whether what was there before is there, however the operation ended. */
  readonly keeps?: (companion: MadeUpCompanion) => Promise<boolean>;
}

const paying = (from: number, count: number): Made[] =>
  Array.from({ length: count }, (_, i) => ({
    notes: i % 2 === 0 ? [{ account: i % 8 === 6 ? 1 : 0, value: from + i }] : [],
    spends: i % 5 === 4 ? [i] : [],
  }));

export const unlock = (companion: MadeUpCompanion): Promise<unknown> =>
  companion.get('wallet.unlock', { password: PASSWORD });

export function configure(folder: string): void {
  const { configDir, dataDir } = directoriesIn(folder);
  fs.mkdirSync(configDir, { recursive: true, mode: 0o700 });
  fs.mkdirSync(dataDir, { mode: 0o700 });
  fs.writeFileSync(path.join(configDir, 'config.json'), '{\n  "network": "regtest",\n  "mine": [1]\n}\n');
}

/** A payment of notes that nobody finds here: it can be given up, and nothing else. */
async function keepPayment(folder: string): Promise<void> {
  const files = { dataDir: directoriesIn(folder).dataDir, randomBytes };
  const opened = await createWalletFile(files).open(new TextEncoder().encode(PASSWORD));
  const store = createNoteDatabases(files).open(opened.masterKey);
  store.putPayment(PAYMENT, 1);
  store.close();
}

/** A wallet that has scanned a chain of 40 blocks, and has a payment. */
export async function scanned(folder: string, outside: Outside): Promise<void> {
  configure(folder);
  outside.world.mine(paying(1, 40));
  const companion = await startMadeUpCompanion(folder, outside);
  await companion.get('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: BIRTHDAY });
  await companion.get('sync.run', {});
  await companion.stop();
  await keepPayment(folder);
  const counting = await startMadeUpCompanion(folder, outside);
  await unlock(counting);
  await counting.stop();
}

export const oneByOne =
  (...steps: ((folder: string, outside: Outside) => unknown)[]): Scenario['prepare'] =>
  async (folder, outside) => {
    for (const step of steps) await step(folder, outside);
  };

export const mine =
  (count: number) =>
  (_: string, { world }: Outside) =>
    world.mine(paying(1_000, count));
export const reorganise = (_: string, { world }: Outside) => world.reorganise(10, paying(2_000, 14));

export const call = (name: OperationName, input: object = {}): Pick<Scenario, 'operation' | 'run'> => ({
  operation: name,
  run: (companion) => companion.call(name, input),
});
