// An older copy of what is kept of payments is put back: the payments that it does not know may be with somebody who sends
// them, so their notes are not given to others before no block can have them.
import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import test, { type ExecutionContext } from 'ava';
import { startPaymentStory } from '../../../helpers/paymentStoryBed.ts';

const ZEC = 100_000_000;
const AMOUNT = 60_000_000;
const WARNING = /payments are missing/i;

type Bed = Awaited<ReturnType<typeof startTwice>>;

/** One payment, a copy of the files beside, and another payment; nobody has the files open. */
async function startTwice(t: ExecutionContext) {
  const bed = await startPaymentStory(t, {
    notes: [
      ['ironwood', ZEC],
      ['ironwood', ZEC],
    ],
  });
  const file = (name: string) => path.join(bed.wallet.folder, name);
  const close = () => bed.wallet.call('wallet.lock');
  const copy = (from: string, to: string) => fs.copyFileSync(file(from), file(to));
  const known = await bed.prepare({ zatoshi: AMOUNT });
  await close();
  copy('ledger.db', 'older');
  copy('config.json', 'older.json');
  await bed.killed();
  const lost = await bed.prepare({ zatoshi: AMOUNT });
  await close();
  copy('ledger.db', 'newest');
  return {
    ...bed,
    bed,
    file,
    close,
    copy,
    known,
    lost,
    refusal: () => bed.wallet.failure('payments.prepare', { address: bed.other, zatoshi: AMOUNT }),
    warning: async () => (await bed.wallet.call('balance.get')).warning ?? '',
    scanTo: async (height: number) => {
      bed.devnet.mineEmpty(height - bed.devnet.tip.height);
      await bed.sync();
    },
  };
}

const putBack: Readonly<Record<string, (bed: Bed) => unknown>> = {
  'the rows together': ({ file }) => {
    const database = openDatabase(file('ledger.db'));
    database.exec(`ATTACH '${file('older')}' AS older`);
    for (const table of ['payments', 'payments_head']) {
      database.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM older.${table}`);
    }
    database.close();
  },
  'the whole file': ({ copy }) => copy('older', 'ledger.db'),
  'no file': ({ file }) => fs.rmSync(file('ledger.db')),
  'no rows': ({ file }) => {
    const database = openDatabase(file('ledger.db'));
    database.exec('DELETE FROM payments; DELETE FROM payments_head');
    database.close();
  },
};

for (const [what, change] of Object.entries(putBack)) {
  test(`put back: ${what}`, async (t) => {
    const twice = await startTwice(t);
    const { bed, known, lost } = twice;
    change(twice);
    await bed.killed();
    await bed.sync();
    t.is(await twice.refusal(), 'WALLET_CORRUPT');
    t.regex(await twice.warning(), WARNING);
    t.is(await bed.total(), 2 * ZEC);
    if (what === 'the rows together' || what === 'the whole file') {
      // As it is kept, it may have been sent since.
      const discard = { payment_id: known.payment_id };
      t.is(await bed.wallet.failure('payments.discard', discard), 'WALLET_CORRUPT');
    }
    await twice.scanTo(lost.last_height - 1);
    t.is(await twice.refusal(), 'WALLET_CORRUPT');
    await twice.scanTo(lost.last_height);
    t.is(await twice.warning(), '');
    await bed.prepare({ zatoshi: AMOUNT });
    await twice.close();
    // What was the newest before is an older one now.
    twice.copy('newest', 'ledger.db');
    await bed.killed();
    await bed.sync();
    t.regex(await twice.warning(), WARNING);
  });
}

test('the newest one, put back in time, is all there is', async (t) => {
  const twice = await startTwice(t);
  twice.copy('older', 'ledger.db');
  await twice.bed.killed();
  await twice.close();
  twice.copy('newest', 'ledger.db');
  await twice.bed.killed();
  t.is(await twice.warning(), '');
  t.is(await twice.bed.reserved(), 2 * ZEC);
});

for (const [what, change] of [
  ['is older', ({ copy }: Bed) => copy('older.json', 'config.json')],
  ['says nothing of payments', ({ file }: Bed) => fs.rmSync(file('config.json'))],
] as const) {
  test(`a config.json that ${what} is no alarm, and counts from then on`, async (t) => {
    const twice = await startTwice(t);
    const { bed } = twice;
    change(twice);
    await bed.killed();
    t.is(await twice.warning(), '');
    await bed.wallet.call('payments.discard', { payment_id: twice.known.payment_id });
    await twice.close();
    change(twice);
    await bed.killed();
    await twice.close();
    twice.copy('older', 'ledger.db');
    await bed.killed();
    t.regex(await twice.warning(), WARNING);
  });
}

test('a rescan and another password are no alarm', async (t) => {
  const { bed, warning, close } = await startTwice(t);
  await bed.killed();
  await bed.wallet.call('wallet.rescan', {});
  await bed.sync();
  const passwords = { password: 'correct horse battery staple', new_password: 'another one' };
  await bed.wallet.call('wallet.change_password', passwords);
  await close();
  await bed.wallet.call('wallet.unlock', { password: passwords.new_password });
  t.is(await warning(), '');
  t.is(await bed.reserved(), 2 * ZEC);
});
