// What is interrupted: the operations of the product that write.

import fs from 'node:fs';
import path from 'node:path';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import { TRANSPARENT_ADDRESS } from '@wallet-companion/pczt/test/spendingStories';
import { CompanionError } from '../../../src/protocol/errors.ts';
import type { Output } from '../../../src/protocol/operations.ts';
import { failure, ok } from '../../../src/protocol/result.ts';
import { tidyDirectories } from '../../../src/storage/files/directories.ts';
import {
  directoriesIn,
  type MadeUpCompanion,
  type Outside,
  startMadeUpCompanion,
} from './madeUpCompanion.ts';
import { PAYMENT_SCENARIOS } from './paymentScenarios.ts';
import {
  BIRTHDAY,
  call,
  configure,
  mine,
  NEW_PASSWORD,
  oneByOne,
  PASSWORD,
  reorganise,
  type Scenario,
  scanned,
  unlock,
} from './scenario.ts';

const OTHER_PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

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

const sync = {
  ...call('sync.run', { password: PASSWORD }),
  promised: async (companion: MadeUpCompanion, { end_height }: Output<'sync.run'>) =>
    ((await companion.get('balance.get')).as_of_height ?? 0) >= end_height,
};

/** The phrase is the wallet: everything else can be scanned again. */
const hasPhrase = async (companion: MadeUpCompanion, phrase: string, password: string): Promise<boolean> =>
  (await companion.get('wallet.backup', { password })).mnemonic === phrase;

async function invoice(folder: string, outside: Outside): Promise<void> {
  const companion = await startMadeUpCompanion(folder, outside);
  await unlock(companion);
  await companion.get('invoices.create', { amount_zatoshi: 1, reference: 'the first' });
  await companion.stop();
}
const hasInvoice = async (companion: MadeUpCompanion): Promise<boolean> =>
  (await companion.get('invoices.list')).invoices.some(({ reference }) => reference === 'the first');
const newInvoice = {
  ...call('invoices.create', { amount_zatoshi: 2, reference: 'the last' }),
  promised: async (companion: MadeUpCompanion, { invoice_id, address }: Output<'invoices.create'>) =>
    (await companion.get('invoices.get', { invoice_id })).address === address,
  before: unlock,
  leaves: /^data\/invoices\.db$/,
};
const compact = call('lwd.sync_compact');

const changePassword = {
  operation: 'wallet.change_password',
  before: unlock,
  run: (companion: MadeUpCompanion) =>
    companion.call('wallet.change_password', { password: PASSWORD, new_password: NEW_PASSWORD }),
  promised: async (_: MadeUpCompanion, __: unknown, password: string) => password === NEW_PASSWORD,
  already: ['WRONG_PASSWORD'],
} as const;

/** What was forgotten stays forgotten: else a note that was wrong would be back. */
const forgotten = {
  before: unlock,
  promised: async (companion: MadeUpCompanion, { last_scan_height }: Output<'wallet.rescan'>) =>
    ((await companion.get('balance.get')).as_of_height ?? 0) <= last_scan_height,
};

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  create: {
    ...call('wallet.create', { password: PASSWORD, birthday_height: BIRTHDAY }),
    prepare: oneByOne((folder, outside) => {
      configure(folder);
      return mine(20)(folder, outside);
    }),
    promised: (companion, { mnemonic }: Output<'wallet.create'>, password) =>
      hasPhrase(companion, mnemonic, password),
    already: ['WALLET_EXISTS'],
    makesWallet: true,
  },
  'create in a new data directory': {
    ...call('wallet.create', { password: PASSWORD, birthday_height: BIRTHDAY }),
    prepare: oneByOne((folder, outside) => {
      configure(folder);
      fs.rmdirSync(directoriesIn(folder).dataDir);
      return mine(20)(folder, outside);
    }),
    promised: (companion, { mnemonic }: Output<'wallet.create'>, password) =>
      hasPhrase(companion, mnemonic, password),
    already: ['WALLET_EXISTS'],
    makesWallet: true,
  },
  'restore beside the note store of an earlier wallet': {
    ...call('wallet.restore', { mnemonic: OTHER_PHRASE, password: PASSWORD, birthday_height: BIRTHDAY + 3 }),
    prepare: oneByOne(scanned, (folder) => fs.rmSync(path.join(directoriesIn(folder).dataDir, 'wallet.dat'))),
    promised: (companion, _, password) => hasPhrase(companion, OTHER_PHRASE, password),
    already: ['WALLET_EXISTS'],
    leaves: /^data\/ledger-retired-\d+\.db$/,
    makesWallet: true,
  },
  'change of password': { ...changePassword, prepare: scanned },
  'change of password beside invoices': {
    ...changePassword,
    prepare: oneByOne(scanned, invoice),
    keeps: hasInvoice,
    leaves: /^data\/invoices\.db$/,
  },
  'removal of the wallet': {
    ...call('wallet.remove', { password: PASSWORD, without_backup: true }),
    prepare: scanned,
    before: unlock,
    already: ['NO_WALLET'],
    // A kill between its two names leaves both.
    leaves: /^data\/wallet\.dat\.removed(?:-2)?$/,
    removesWallet: true,
  },
  'sync with commits': { ...sync, prepare: oneByOne(scanned, mine(150)) },
  'sync with commits in an open session': {
    ...sync,
    prepare: oneByOne(scanned, mine(150)),
    before: unlock,
  },
  'rewind by a reorganisation': { ...sync, prepare: oneByOne(scanned, reorganise), before: unlock },
  'first compact sync': { ...compact, prepare: scanned, leaves: /^data\/compact-regtest\.db$/ },
  'compact sync after a reorganisation': {
    ...compact,
    prepare: oneByOne(scanned, compactStored, reorganise),
    leaves: /^data\/compact-regtest\.db$/,
  },
  rescan: { ...call('wallet.rescan'), ...forgotten, prepare: scanned },
  'rescan from a height': { ...call('wallet.rescan', { from_height: 20 }), ...forgotten, prepare: scanned },
  'a new account': {
    ...call('accounts.create', { password: PASSWORD, birthday_height: 10 }),
    prepare: scanned,
    before: unlock,
    promised: async (companion, { account }: Output<'accounts.create'>) =>
      (await companion.get('accounts.list')).accounts.some((one) => one.account === account),
  },
  ...PAYMENT_SCENARIOS,
  'a new address': {
    ...call('address.next'),
    prepare: scanned,
    before: unlock,
    // Nobody else is given it.
    promised: async (companion, { diversifier_index: given }: Output<'address.next'>) =>
      (await companion.get('address.next')).diversifier_index !== given,
  },
  'the first invoice': { ...newInvoice, prepare: scanned },
  'another invoice': { ...newInvoice, prepare: oneByOne(scanned, invoice), keeps: hasInvoice },
  'a label': {
    operation: 'labels.set',
    prepare: scanned,
    before: unlock,
    run: async (companion) => {
      const { diversifier_index } = await companion.get('address.get');
      return companion.call('labels.set', { diversifier_index, label: 'rent' });
    },
    promised: async (companion) =>
      (await companion.get('labels.list')).labels.some(({ label }) => label === 'rent'),
  },
  'a contact': {
    ...call('contacts.set', { name: 'Ann', address: TRANSPARENT_ADDRESS }),
    prepare: scanned,
    before: unlock,
    promised: async (companion) =>
      (await companion.get('contacts.list')).contacts.some(({ name }) => name === 'Ann'),
  },
  'unlock after an edit to a lower height': {
    ...call('wallet.unlock', { password: PASSWORD }),
    prepare: oneByOne(scanned, edit(20)),
  },
  'change of a setting': {
    ...call('config.theme', { theme: 'dark' }),
    prepare: scanned,
    promised: async (companion) => (await companion.get('config.get')).theme === 'dark',
  },
  'start and end': {
    operation: 'wallet.unlock',
    prepare: scanned,
    run: async ({ folder }, outside) => {
      try {
        const directories = directoriesIn(folder);
        const lock = await acquireDirectoryLock(directories.dataDir);
        if (lock.state === 'held') throw new CompanionError('BUSY', 'Nobody else is here.');
        try {
          const second = await acquireDirectoryLock(directories.dataDir);
          if (second.state !== 'held') throw new CompanionError('BUSY', 'Two have the lock.');
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
