// What is interrupted: an operation of the product, on folders in which there is something to lose.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import { CompanionError, type ErrorCode } from '../../../src/protocol/errors.ts';
import type { OperationName } from '../../../src/protocol/operations.ts';
import { failure, ok, type Result } from '../../../src/protocol/result.ts';
import { tidyDirectories } from '../../../src/storage/files/directories.ts';
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

export const PASSWORD = 'correct horse battery staple';
export const NEW_PASSWORD = 'a new password';
const PHRASE =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const OTHER_PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const BIRTHDAY = 4;
/** The chain does not come to its last block. */
const PAYMENT = madeUpPayment(1, { lastHeight: 1_000 });

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
}

const paying = (from: number, count: number): Made[] =>
  Array.from({ length: count }, (_, i) => ({
    notes: i % 2 === 0 ? [{ account: i % 8 === 6 ? 1 : 0, value: from + i }] : [],
    spends: i % 5 === 4 ? [i] : [],
  }));

const unlock = (companion: MadeUpCompanion): Promise<unknown> =>
  companion.get('wallet.unlock', { password: PASSWORD });

function configure(folder: string): void {
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
async function scanned(folder: string, outside: Outside): Promise<void> {
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

const then =
  (...steps: ((folder: string, outside: Outside) => unknown)[]): Scenario['prepare'] =>
  async (folder, outside) => {
    for (const step of steps) await step(folder, outside);
  };

const mine =
  (count: number) =>
  (_: string, { world }: Outside) =>
    world.mine(paying(1_000, count));
const reorganise = (_: string, { world }: Outside) => world.reorganise(10, paying(2_000, 14));

async function compactStored(folder: string, outside: Outside): Promise<void> {
  const companion = await startMadeUpCompanion(folder, outside);
  await companion.get('lwd.sync_compact', {});
  await companion.stop();
}

const edit = (height: number) => (folder: string) => {
  const file = path.join(directoriesIn(folder).configDir, 'config.json');
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, text.replace(/("last_scan_height": )\d+/, `$1${height}`));
};

const call = (name: OperationName, input: object = {}): Pick<Scenario, 'operation' | 'run'> => ({
  operation: name,
  run: (companion) => companion.call(name, input),
});
const sync = call('sync.run', { password: PASSWORD });
const compact = call('lwd.sync_compact');

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  create: {
    ...call('wallet.create', { password: PASSWORD, birthday_height: BIRTHDAY }),
    prepare: then((folder, outside) => {
      configure(folder);
      return mine(20)(folder, outside);
    }),
    already: ['WALLET_EXISTS'],
    makesWallet: true,
  },
  'restore beside the note store of an earlier wallet': {
    ...call('wallet.restore', { mnemonic: OTHER_PHRASE, password: PASSWORD, birthday_height: BIRTHDAY + 3 }),
    prepare: then(scanned, (folder) => fs.rmSync(path.join(directoriesIn(folder).dataDir, 'wallet.dat'))),
    already: ['WALLET_EXISTS'],
    leaves: /^data\/ledger-retired-\d+\.db$/,
    makesWallet: true,
  },
  'change of password': {
    operation: 'wallet.change_password',
    prepare: scanned,
    before: unlock,
    run: (companion) =>
      companion.call('wallet.change_password', { password: PASSWORD, new_password: NEW_PASSWORD }),
    already: ['WRONG_PASSWORD'],
  },
  'sync with commits': { ...sync, prepare: then(scanned, mine(150)) },
  'sync with commits in an open session': {
    ...sync,
    prepare: then(scanned, mine(150)),
    before: unlock,
  },
  'rewind by a reorganisation': { ...sync, prepare: then(scanned, reorganise), before: unlock },
  'first compact sync': { ...compact, prepare: scanned, leaves: /^data\/compact-regtest\.db$/ },
  'compact sync after a reorganisation': {
    ...compact,
    prepare: then(scanned, compactStored, reorganise),
    leaves: /^data\/compact-regtest\.db$/,
  },
  rescan: { ...call('wallet.rescan'), prepare: scanned, before: unlock },
  'rescan from a height': {
    ...call('wallet.rescan', { from_height: 20 }),
    prepare: scanned,
    before: unlock,
  },
  'a new account': {
    ...call('accounts.create', { password: PASSWORD, birthday_height: 10 }),
    prepare: scanned,
    before: unlock,
  },
  'a payment given up': {
    ...call('payments.discard', { payment_id: PAYMENT.id }),
    prepare: scanned,
    before: unlock,
    // One that was never in use: nothing that comes after writes, and the next write takes it.
    leaves: /^data\/ledger\.db-journal$/,
  },
  'a new address': { ...call('address.next'), prepare: scanned, before: unlock },
  'unlock after an edit to a lower height': {
    ...call('wallet.unlock', { password: PASSWORD }),
    prepare: then(scanned, edit(20)),
  },
  'change of a setting': { ...call('config.theme', { theme: 'dark' }), prepare: scanned },
  'start and end': {
    operation: 'wallet.unlock',
    prepare: scanned,
    run: async ({ folder }, outside) => {
      try {
        const directories = directoriesIn(folder);
        const lock = await acquireDirectoryLock(directories.dataDir);
        if (lock.state === 'held') throw new CompanionError('BUSY', 'Nobody else is here.');
        try {
          tidyDirectories(directories);
          const companion = await startMadeUpCompanion(folder, outside);
          await lock.announce('http://127.0.0.1:1');
          const answer = await companion.call('wallet.unlock', { password: PASSWORD });
          await companion.stop();
          return answer.ok ? ok(answer.value) : answer;
        } finally {
          lock.release();
        }
      } catch (error) {
        return failure(error);
      }
    },
  },
};
