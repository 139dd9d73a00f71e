// Payments whose notes a reorganisation takes away, or a newer payment: what they reserve, what is said of them, and that no
// note is ever one of two open payments.

import { oneIn } from '@wallet-companion/base/test/atLength';
import type { MinedBlock } from '@wallet-companion/devnet/chain';
import test, { type ExecutionContext } from 'ava';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import {
  base64Of,
  type PaymentStory,
  pcztIn,
  SOURCES,
  type StoryOptions,
  startPaymentStory,
} from '../../../helpers/paymentStoryBed.ts';

const ZEC = 100_000_000;
const EMPTY = { takesSent: false } as const;

/** How far a payment came before its note was lost. */
const STAGES = {
  prepared: async () => undefined,
  signed: async (bed: PaymentStory, id: string) => {
    await bed.combine(id, bed.signed(pcztIn(await bed.signerView(id))));
  },
  proved: async (bed: PaymentStory, id: string) => {
    await bed.complete(id);
  },
  sent: async (bed: PaymentStory, id: string) => {
    await bed.complete(id);
    await bed.broadcast(id);
  },
  'in a mempool': async (bed: PaymentStory, id: string) => {
    await bed.complete(id);
    await bed.broadcast(id);
    await bed.look();
  },
  mined: async (bed: PaymentStory, id: string) => {
    await bed.complete(id);
    await bed.broadcast(id);
    await bed.mine();
  },
} as const;

/** The block with the wallet's first note, and how many blocks go with it. */
function noteBlock({ devnet }: PaymentStory): { readonly block: MinedBlock; readonly depth: number } {
  const block = devnet.blocks.at(NOTE_HEIGHT)!;
  return { block, depth: devnet.tip.height - NOTE_HEIGHT + 1 };
}

/** The bed mines traffic, then the first note. */
const NOTE_HEIGHT = 2;

const empties = (count: number) => Array.from({ length: count }, () => EMPTY);

/** What the payments say they keep, what the balance says, and that no note is in two open payments. */
async function reservedEverywhere(bed: PaymentStory): Promise<number> {
  const { payments } = await bed.wallet.call('payments.list', { open: true });
  const notes = payments.flatMap((one) => one.notes.map(({ txid, output_index: i }) => `${txid}:${i}`));
  if (new Set(notes).size !== notes.length) throw new Error('a note is in two open payments');
  const sum = payments.reduce((all, one) => all + one.reserved_zatoshi, 0);
  const balance = await bed.reserved();
  if (sum !== balance) throw new Error(`payments reserve ${sum}, the balance says ${balance}`);
  return balance;
}

const start = async (t: ExecutionContext, options: StoryOptions = {}) => {
  const bed = await startPaymentStory(t, options);
  const { block } = noteBlock(bed);
  t.is(block.transactions.length, 2, 'coinbase and the payment to the wallet');
  return bed;
};

for (const [stage, reach] of Object.entries(STAGES))
  test(`a payment that is ${stage} loses its note with the block that had it`, async (t) => {
    const bed = await start(t);
    const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
    await reach(bed, id);
    bed.reported();
    const { depth } = noteBlock(bed);
    bed.devnet.reorganise(depth, empties(depth + 1));
    await bed.sync();
    t.like(await bed.get(id), { status: 'lost_note', reserved_zatoshi: 0, expires_at: null });
    t.is(await reservedEverywhere(bed), 0);
    t.is(await bed.total(), 0);
    // The branch is left first, then the other one is read.
    t.deepEqual(bed.reported(), stage === 'mined' ? ['sent', 'lost_note'] : ['lost_note']);
    for (const call of ['payments.broadcast', 'payments.prove'] as const) {
      const refused = await t.throwsAsync<CompanionError>(bed.wallet.call(call, { payment_id: id }), {
        instanceOf: CompanionError,
      });
      t.is(refused?.code, 'PAYMENT_STATE');
      t.regex(refused!.message, /a note of it is not on the chain any more.*Prepare another one/s);
    }
    t.is(await bed.wallet.failure('payments.pczt', { payment_id: id }), 'PAYMENT_STATE');
  });

for (const source of SOURCES)
  test(`${source}: one of two notes is lost, and the other one is free for another payment`, async (t) => {
    const bed = await start(t, {
      source,
      notes: [
        ['ironwood', ZEC],
        ['ironwood', ZEC],
      ],
    });
    const { payment_id: id } = await bed.prepare({ zatoshi: 160_000_000 });
    await bed.complete(id);
    await bed.broadcast(id);
    t.is(await reservedEverywhere(bed), 2 * ZEC);
    const { depth } = noteBlock(bed);
    const second = bed.devnet.blocks.at(NOTE_HEIGHT + 1)!.transactions.slice(1);
    bed.devnet.reorganise(depth, [{ transactions: second }, ...empties(depth + 12)]);
    await bed.sync();
    t.like(await bed.get(id), { status: 'lost_note', reserved_zatoshi: 0 });
    t.is(await reservedEverywhere(bed), 0);
    const newer = await bed.prepare({ zatoshi: 60_000_000 });
    t.is(await reservedEverywhere(bed), ZEC);
    await bed.complete(newer.payment_id);
    await bed.broadcast(newer.payment_id);
    await bed.mine();
    t.is((await bed.get(newer.payment_id)).status, 'mined');
    t.is((await bed.get(id)).status, 'conflicted');
  });

test('a Sapling note that comes back at another position has another nullifier: it is free', async (t) => {
  const bed = await start(t, { notes: [['sapling', ZEC]] });
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000, privacy: ['crossing_pools'] });
  await bed.complete(id);
  const { block, depth } = noteBlock(bed);
  const [, payment] = block.transactions;
  bed.devnet.reorganise(depth, [
    { transactions: [bed.devnet.traffic({ sapling: 2 }), payment!] },
    ...empties(depth + 12),
  ]);
  await bed.sync();
  t.is(await bed.total(), ZEC);
  t.like(await bed.get(id), { status: 'lost_note', reserved_zatoshi: 0 });
  t.is(await reservedEverywhere(bed), 0);
  const newer = await bed.prepare({ zatoshi: 60_000_000, privacy: ['crossing_pools'] });
  await bed.complete(newer.payment_id);
  await bed.broadcast(newer.payment_id);
  await bed.mine();
  t.is((await bed.get(newer.payment_id)).status, 'mined');
});

test('a note that comes back where it was in the tree: the payment goes on, and the node takes it', async (t) => {
  const bed = await start(t);
  const { payment_id: id, fee_zatoshi: fee } = await bed.prepare({ zatoshi: 60_000_000 });
  await bed.complete(id);
  const { block, depth } = noteBlock(bed);
  const [, payment] = block.transactions;
  bed.reported();
  bed.devnet.reorganise(depth, [EMPTY, { transactions: [payment!] }, ...empties(depth)]);
  await bed.sync();
  t.like(await bed.get(id), { status: 'complete', reserved_zatoshi: ZEC });
  t.is(await reservedEverywhere(bed), ZEC);
  t.deepEqual(bed.reported(), []);
  await bed.broadcast(id);
  await bed.mine();
  t.is((await bed.get(id)).status, 'mined');
  t.is(await bed.total(), ZEC - 60_000_000 - fee);
});

test('a lost note that comes back later opens the payment again, unless a newer one has taken of it', async (t) => {
  const bed = await start(t, {
    notes: [
      ['ironwood', ZEC],
      ['ironwood', ZEC],
    ],
  });
  const { payment_id: id } = await bed.prepare({ zatoshi: 160_000_000 });
  await bed.complete(id);
  const first = bed.devnet.blocks.at(NOTE_HEIGHT)!.transactions.slice(1);
  const second = bed.devnet.blocks.at(NOTE_HEIGHT + 1)!.transactions.slice(1);
  const { depth } = noteBlock(bed);
  // Without the second note alone the first stays where it is in the tree.
  bed.devnet.reorganise(depth, [{ transactions: first }, ...empties(depth + 12)]);
  await bed.sync();
  t.is((await bed.get(id)).status, 'lost_note');
  bed.devnet.mine({ transactions: second });
  await bed.sync();
  // Above its anchor: it is proved for another one.
  t.is((await bed.get(id)).status, 'prepared');
  t.is(await reservedEverywhere(bed), 2 * ZEC);
  bed.devnet.reorganise(1, empties(2));
  await bed.sync();
  t.is((await bed.get(id)).status, 'lost_note');
  const { payment_id: newer } = await bed.prepare({ zatoshi: 60_000_000 });
  bed.devnet.mine({ transactions: second });
  await bed.sync();
  t.is((await bed.get(id)).status, 'lost_note');
  t.is((await bed.get(newer)).status, 'prepared');
  t.is(await reservedEverywhere(bed), ZEC);
});

test('a lost payment can be discarded before it was sent, and not after', async (t) => {
  for (const isSent of [false, true]) {
    const bed = await start(t);
    const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
    if (isSent) await STAGES.sent(bed, id);
    const { depth } = noteBlock(bed);
    bed.devnet.reorganise(depth, empties(depth + 1));
    await bed.sync();
    if (isSent) {
      const refused = await t.throwsAsync<CompanionError>(
        bed.wallet.call('payments.discard', { payment_id: id }),
        { instanceOf: CompanionError },
      );
      t.is(refused?.code, 'PAYMENT_STATE');
      t.regex(refused!.message, /not on the chain any more/);
    } else {
      const discarded = await bed.wallet.call('payments.discard', { payment_id: id });
      t.is(discarded.status, 'discarded');
    }
  }
});

for (const from_height of oneIn(2, [undefined, NOTE_HEIGHT, NOTE_HEIGHT + 3]))
  test(`a rescan from ${from_height ?? 'the birthday'} calls no payment lost, in whatever order ranges are read`, async (t) => {
    const bed = await start(t);
    const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
    await bed.complete(id);
    bed.reported();
    await bed.wallet.call('wallet.rescan', from_height === undefined ? {} : { from_height });
    const steps = [
      { start_height: NOTE_HEIGHT + 2, end_height: NOTE_HEIGHT + 20 },
      { start_height: 1, end_height: NOTE_HEIGHT - 1 },
      { end_height: NOTE_HEIGHT + 20 },
    ];
    for (const step of steps) {
      t.is((await bed.get(id)).status, 'complete');
      await reservedEverywhere(bed);
      await bed.wallet.call('sync.run', step);
    }
    t.like(await bed.get(id), { status: 'complete', reserved_zatoshi: ZEC });
    t.is(await reservedEverywhere(bed), ZEC);
    t.deepEqual(bed.reported(), []);
  });

test('an expired payment whose note a newer one has stays expired while blocks are read again', async (t) => {
  const bed = await start(t);
  const { payment_id: older, expiry_height: expiry } = await bed.prepare({ zatoshi: 60_000_000 });
  await bed.complete(older);
  await bed.broadcast(older);
  while (bed.devnet.tip.height < expiry) bed.devnet.mine(EMPTY);
  await bed.sync();
  t.is((await bed.get(older)).status, 'expired');
  bed.clock.advance(-1_000_000);
  const { payment_id: newer } = await bed.prepare({ zatoshi: 70_000_000 });
  bed.reported();
  t.is(await reservedEverywhere(bed), ZEC);
  for (const from_height of [expiry - 1, 2]) {
    await bed.wallet.call('wallet.rescan', { from_height });
    t.is((await bed.get(older)).status, 'expired');
    t.is((await bed.get(newer)).status, 'prepared');
    await reservedEverywhere(bed);
    const refused = await bed.wallet.failure('payments.combine', {
      payment_id: older,
      pczt: base64Of(pcztIn(await bed.wallet.call('payments.pczt', { payment_id: older, reader: 'anyone' }))),
    });
    t.is(refused, 'PAYMENT_STATE');
    await bed.sync();
    t.is(await reservedEverywhere(bed), ZEC);
  }
  t.deepEqual(bed.reported(), []);
  await bed.wallet.call('payments.discard', { payment_id: newer });
  await bed.wallet.call('wallet.rescan', { from_height: expiry - 1 });
  t.is((await bed.get(older)).status, 'expired', 'it was over, whatever became of the newer one');
});
