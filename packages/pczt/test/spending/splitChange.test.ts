// Into how many notes change is split, what that costs, and where it is not.

import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { splitChange } from '../../src/pczt/change.ts';
import type { ProposalOptions } from '../../src/spending/proposal.ts';
import { madeUpNotes, orchardAddress, payTo, saplingAddress } from '../helpers/spendingAccount.ts';

const ZEC = 100_000_000;
const PAID = 1_000_000;
type Given = Parameters<typeof madeUpNotes>[0][number];

/** A payment of 0.01 ZEC from a note that leaves so much for fee and change, beside others that are too small or taken for it. */
const change = (left: number, others: readonly Given[] = [], options: ProposalOptions = {}) => {
  const own = madeUpNotes([{ pool: 'ironwood', zatoshi: PAID + left }, ...others], seededBytes(1));
  const proposal = payTo(orchardAddress(), PAID, own, { changeNotes: 4, sources: ['ironwood'], ...options });
  return { fee: proposal.fee, ...proposal.change };
};
const tenth = (given: Partial<Given> = {}): Given => ({ pool: 'ironwood', zatoshi: ZEC / 10, ...given });
const waiting = tenth({ height: 39_999, isChange: true });

test('the figures of the reference: four notes of at least 0.1 ZEC, as far as the change reaches', (t) => {
  t.deepEqual(change(ZEC), { fee: 25_000, pool: 'ironwood', zatoshi: ZEC - 25_000, notes: 4 });
  t.deepEqual(change(0.3 * ZEC + 20_000), { fee: 20_000, pool: 'ironwood', zatoshi: 0.3 * ZEC, notes: 3 });
  t.is(change(0.3 * ZEC + 19_999).notes, 2);
  t.deepEqual(change(0.05 * ZEC), { fee: 10_000, pool: 'ironwood', zatoshi: 0.05 * ZEC - 10_000, notes: 1 });
  t.is(change(ZEC, [waiting, waiting, waiting]).notes, 1);
  t.is(change(ZEC, [waiting]).notes, 3);
  t.is(change(ZEC, [], { changeNotes: 1 }).notes, 1);
});

test('notes that another payment has reserved, and smaller ones, are not counted; those of other pools are', (t) => {
  t.is(change(ZEC, [tenth({ isReserved: true }), tenth({ zatoshi: ZEC / 10 - 1, height: 39_999 })]).notes, 4);
  t.is(change(ZEC, [tenth({ pool: 'sapling' }), tenth({ pool: 'orchard' })]).notes, 2);
});

test('the actions of the pool are not exceeded, and Orchard is not split', (t) => {
  t.is(change(ZEC, [], { maxActions: 3 }).notes, 2);
  const from = (pool: 'orchard' | 'sapling', address: string) =>
    payTo(address, PAID, madeUpNotes([{ pool, zatoshi: ZEC }], seededBytes(2)), {
      changeNotes: 4,
      consents: ['crossing_pools'],
    });
  t.like(from('orchard', orchardAddress()), { fee: 20_000, change: { pool: 'orchard', notes: 1 } });
  t.like(from('sapling', saplingAddress()), { fee: 25_000, change: { pool: 'sapling', notes: 4 } });
  t.like(from('sapling', orchardAddress()), { change: { pool: 'ironwood', notes: 4 } });
});

test('the notes are equal, with the remainder on the first', (t) => {
  t.deepEqual(splitChange({ zatoshi: 14, notes: 4 }), [5, 3, 3, 3]);
  t.deepEqual(splitChange({ zatoshi: 0, notes: 1 }), [0]);
});
