// A shop pays all day from one wallet while blocks come. In the end every note is spent once, by a payment of its own, or is there; and the
// same keys that read the chain anew find the same.

import { runs } from '@wallet-companion/base/test/atLength';
import { decodePczt, encodePczt } from '@wallet-companion/pczt/pczt';
import { withFillerProofs } from '@wallet-companion/pczt/test/completion';
import { createOwnProver } from '@wallet-companion/prover';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import type { Output } from '../../../../src/protocol/operations.ts';
import { noProver } from '../../../helpers/noPrograms.ts';
import { startPaymentStory } from '../../../helpers/paymentStoryBed.ts';
import { PASSWORD, seededRandom } from '../../../helpers/walletHarness.ts';

const ZEC = 100_000_000;
const PAYMENTS = runs(10, 30, 'WALLET_COMPANION_PAYMENTS_IN_A_ROW');
/** The others have fillings in the place of proofs. */
const PROVED = Math.ceil(PAYMENTS / 50);

type Note = Output<'notes.list'>['notes'][number];

test('payments in a row from one wallet, while blocks come, leave every note right', async (t) => {
  const own = createOwnProver({ threads: 2 });
  t.teardown(() => own.close());
  const randomBytes = seededBytes(77);
  let made = 0;
  let proved = 0;
  const bed = await startPaymentStory(t, {
    notes: Array.from({ length: 4 }, () => ['ironwood', 5 * ZEC] as const),
    prover: {
      ...noProver,
      prove: async (bytes, signal) => {
        if (made++ % Math.ceil(PAYMENTS / PROVED) !== 0)
          return encodePczt(withFillerProofs(decodePczt(bytes).pczt, randomBytes), 2);
        const answer = await own.prove(bytes, { signal });
        await own.verify(answer);
        proved += 1;
        return answer;
      },
    },
  });
  const random = seededRandom(t.title);
  const below = (end: number): number => Buffer.from(random(4)).readUInt32LE() % end;
  const before = await bed.total();
  const payments = new Map<string, number>();
  for (let i = 0; i < PAYMENTS; i++) {
    while ((await bed.call('balance.get')).payments_at_once === 0) await bed.mine();
    const zatoshi = 10_000 + below(500_000);
    const {
      status,
      txid,
      fee_zatoshi: fee,
    } = await bed.call('payments.pay', {
      idempotency_key: `order-${i}`,
      address: bed.other,
      zatoshi,
      password: PASSWORD,
      source: bed.source,
    });
    if (status !== 'sent') t.fail(`payment ${i} is ${status}`);
    payments.set(txid, zatoshi + fee);
    if (below(3) === 0) await bed.mine();
  }
  await bed.mine(3);
  t.is(payments.size, PAYMENTS);
  t.is(proved, PROVED);
  const paid = [...payments.values()].reduce((sum, value) => sum + value, 0);
  t.is(await bed.total(), before - paid);
  t.is(bed.devnet.mempool.size, 0);
  t.is(await bed.reserved(), 0);

  const allNotes = async (): Promise<Note[]> => {
    const notes: Note[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Output<'notes.list'> = await bed.call('notes.list', {
        limit: 500,
        ...(cursor && { cursor }),
      });
      notes.push(...page.notes);
      cursor = page.next_cursor;
    }
    return notes;
  };
  const notes = await allNotes();
  const value = (some: readonly Note[]) => some.reduce((sum, { value_zatoshi: each }) => sum + each, 0);
  const taken = new Map<string, number>();
  const add = (txid: string, zatoshi: number) => taken.set(txid, (taken.get(txid) ?? 0) + zatoshi);
  for (const { txid, spent, value_zatoshi: each } of notes) {
    add(txid, -each);
    if (spent !== null) add(spent.txid, each);
  }
  t.is(value(notes.filter(({ spent }) => spent === null)), before - paid);
  // What a payment spends, less its change, is what it paid with its fee.
  const wrong = [...payments].filter(([txid, amount]) => taken.get(txid) !== amount);
  t.deepEqual(wrong, []);
  t.true(notes.every(({ spent }) => spent === null || payments.has(spent.txid)));

  await bed.call('wallet.rescan');
  while (!(await bed.sync()).caught_up);
  const byPlace = (some: readonly Note[]) =>
    some
      .map(({ txid, output_index: index, pool, value_zatoshi, spent }) =>
        JSON.stringify([txid, pool, index, value_zatoshi, spent]),
      )
      .sort();
  t.deepEqual(byPlace(await allNotes()), byPlace(notes));
});
