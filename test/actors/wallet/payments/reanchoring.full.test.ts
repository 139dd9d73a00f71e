// Payments whose anchor a reorganisation removes from the chain: they get another one and other proofs, and no signature is made
// a second time. The devnet accepts only anchors of its own chain.

import { isDeepStrictEqual } from 'node:util';
import { decodePczt, decodeSignBatch, encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { withFillerProofs } from '@wallet-companion/pczt/test/completion';
import type { Pool } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { failureOf } from '../../../helpers/failureOf.ts';
import { noProver } from '../../../helpers/noPrograms.ts';
import {
  base64Of,
  type PaymentSource,
  type PaymentStory,
  pcztIn,
  startPaymentStory,
} from '../../../helpers/paymentStoryBed.ts';

const ZEC = 100_000_000;
const EMPTY = { takesSent: false } as const;
/** The bed mines traffic, then the first note. */
const NOTE_HEIGHT = 2;
const CROSSING = { zatoshi: 60_000_000, privacy: ['crossing_pools'] } as const;

const empties = (count: number) => Array.from({ length: count }, () => EMPTY);
const traffic = ({ devnet }: PaymentStory) =>
  ({ ...EMPTY, transactions: [devnet.traffic({ sapling: 2, orchard: 2, ironwood: 2 })] }) as const;

/** Other blocks from above the notes on, with other trees. */
async function reorganise(bed: PaymentStory): Promise<void> {
  bed.devnet.reorganise(6, [traffic(bed), ...empties(7)]);
  await bed.sync();
}

const given = async (bed: PaymentStory, id: string, reader: 'anyone' | 'signer' | 'prover'): Promise<Pczt> =>
  pcztIn(await bed.wallet.call('payments.pczt', { payment_id: id, reader }));
const whole = (bed: PaymentStory, id: string): Promise<Pczt> => given(bed, id, 'anyone');
/** By another program than the wallet's. */
const provedElsewhere = async (bed: PaymentStory, id: string): Promise<Pczt> =>
  withFillerProofs(await given(bed, id, 'prover'), seededBytes(5));
const signatures = (pczt: Pczt): readonly (Uint8Array | undefined)[] => [
  ...pczt.sapling.spends.map(({ spendAuthSig }) => spendAuthSig),
  ...[...pczt.orchard.actions, ...pczt.ironwood.actions].map(({ spend }) => spend.spendAuthSig),
];
const prove = (bed: PaymentStory, id: string, more: object = {}) =>
  bed.wallet.call('payments.prove', { payment_id: id, source: bed.source, ...more });

async function minedAfter(bed: PaymentStory, id: string): Promise<string> {
  await bed.broadcast(id);
  await bed.mine();
  return (await bed.get(id)).status;
}

const CASES: readonly (readonly [PaymentSource, Pool])[] = [
  ['node', 'ironwood'],
  ['compact', 'sapling'],
];

for (const [source, pool] of CASES)
  test(`${source}, ${pool}: a signed payment keeps its signatures and its txid, and the node accepts it`, async (t) => {
    const bed = await startPaymentStory(t, { source, notes: [[pool, ZEC]] });
    const prepared = await bed.prepare(CROSSING);
    const { payment_id: id } = prepared;
    t.is((await bed.complete(id)).status, 'complete');
    const before = await whole(bed, id);
    await reorganise(bed);
    const lost = await bed.get(id);
    t.is(lost.status, 'prepared');
    t.true(lost.missing.every((part) => part.signatures === 0 && part.proofs));
    // The key that proves a Sapling spend went with its proof.
    const lacksKey = pool === 'sapling';
    t.is(
      lost.missing.some((part) => part.signer_keys),
      lacksKey,
    );
    if (lacksKey) await bed.combine(id, bed.signed(pcztIn(await bed.signerView(id))));
    const proved = await prove(bed, id);
    t.like(proved, { status: 'complete', anchored_again: !lacksKey, txid: prepared.txid, missing: [] });
    t.true(proved.anchor_height > prepared.anchor_height);
    const after = await whole(bed, id);
    t.deepEqual(signatures(after), signatures(before));
    t.notDeepEqual(after[pool].anchor, before[pool].anchor);
    t.like(await prove(bed, id), { proofs_added: 0, anchored_again: false });
    t.is(await minedAfter(bed, id), 'mined');
  });

test('a note that comes back at another place in the tree is spent with the signature that it has', async (t) => {
  const bed = await startPaymentStory(t);
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
  await bed.complete(id);
  const [, payment] = bed.devnet.blocks.at(NOTE_HEIGHT)!.transactions;
  const depth = bed.devnet.tip.height - NOTE_HEIGHT + 1;
  bed.devnet.reorganise(depth, [
    { ...EMPTY, transactions: [bed.devnet.traffic({ ironwood: 2 }), payment!] },
    ...empties(depth + 12),
  ]);
  await bed.sync();
  t.like(await bed.get(id), { status: 'prepared', reserved_zatoshi: ZEC });
  t.like(await prove(bed, id), { status: 'complete', anchored_again: true });
  t.is(await minedAfter(bed, id), 'mined');
});

test('a signature that comes for the earlier anchor counts, and its proofs do not', async (t) => {
  const bed = await startPaymentStory(t);
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
  const view = pcztIn(await bed.signerView(id));
  for (const _ of [1, 2]) {
    await reorganise(bed);
    t.like(await prove(bed, id), { status: 'prepared', anchored_again: true, proofs_added: 1 });
  }
  t.like(await bed.combine(id, bed.signed(view)), { status: 'complete', signatures_added: 1 });
  const stranger = bed.signed(view);
  const elsewhere = { ...stranger, ironwood: { ...stranger.ironwood, anchor: new Uint8Array(32).fill(7) } };
  const pczt = base64Of(elsewhere);
  t.is(await bed.wallet.failure('payments.combine', { payment_id: id, pczt }), 'PCZT_CHANGED');
  t.is(await minedAfter(bed, id), 'mined');
});

test('only the node can distinguish an anchor from another of the same size, and `replace` sets that one', async (t) => {
  const bed = await startPaymentStory(t);
  const { devnet } = bed;
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
  await bed.complete(id);
  const [, payment] = devnet.blocks.at(NOTE_HEIGHT)!.transactions;
  const depth = devnet.tip.height;
  devnet.reorganise(depth, [traffic(bed), { ...EMPTY, transactions: [payment!] }, ...empties(depth)]);
  await bed.sync();
  t.is((await bed.get(id)).status, 'complete');
  const refused = await failureOf(bed.broadcast(id));
  t.is(refused.code, 'TRANSACTION_REFUSED');
  t.regex(refused.message, /anchor.*prove it again with replace, which keeps the signatures\.$/s);
  t.like(await prove(bed, id), { proofs_added: 0, anchored_again: false });
  t.like(await prove(bed, id, { replace: true }), { status: 'complete', anchored_again: true });
  t.is(await minedAfter(bed, id), 'mined');
});

test('without a prover the payment gets its anchor all the same, and another prover can be given it', async (t) => {
  const bed = await startPaymentStory(t, { prover: noProver });
  const { payment_id: id, anchor_height: before } = await bed.prepare({ zatoshi: 60_000_000 });
  await reorganise(bed);
  t.is((await failureOf(prove(bed, id))).code, 'NO_PROVER');
  t.true((await bed.get(id)).anchor_height > before);
});

test('whichever way the payment leaves, it has an anchor that the chain has', async (t) => {
  let seen: Pczt | undefined;
  const bed = await startPaymentStory(t, {
    signer: {
      sign: async (bytes) => {
        seen = decodePczt(bytes.slice()).pczt;
        return encodePczt(bed.signed(seen), 2);
      },
    },
  });
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
  const ways: readonly (() => Promise<Pczt>)[] = [
    () => given(bed, id, 'anyone'),
    () => given(bed, id, 'signer'),
    () => given(bed, id, 'prover'),
    async () => {
      const { batch } = await bed.wallet.call('payments.batch', { payment_ids: [id] });
      return decodeSignBatch(Buffer.from(batch, 'base64'))[0]!;
    },
    async () => {
      await bed.wallet.call('payments.sign', { payment_id: id });
      return seen!;
    },
  ];
  let { anchor } = (await whole(bed, id)).ironwood;
  for (const way of ways) {
    await reorganise(bed);
    const left = (await way()).ironwood.anchor;
    t.notDeepEqual(left, anchor);
    anchor = left;
  }
  t.like(await bed.combine(id, await provedElsewhere(bed, id)), { status: 'complete', left_out: [] });
  t.is(await minedAfter(bed, id), 'mined');
});

test('a proof to an anchor that the chain lost is left out, and each answer says so', async (t) => {
  const bed = await startPaymentStory(t);
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
  const early = await provedElsewhere(bed, id);
  await reorganise(bed);
  for (const isAnchoredAgain of [false, false, true]) {
    if (isAnchoredAgain) await given(bed, id, 'prover');
    const { proofs_added, left_out } = await bed.combine(id, early);
    t.is(proofs_added, 0);
    t.regex(left_out.join('\n'), /^the proof of ironwood: a reorganisation removed its anchor; .+$/);
  }
});

for (const isSame of [true, false])
  test(`only a server knows: the ${isSame ? 'same tree keeps' : 'other tree of that size replaces'} the anchor`, async (t) => {
    const bed = await startPaymentStory(t);
    const { devnet } = bed;
    const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
    const before = await whole(bed, id);
    const [, payment] = devnet.blocks.at(NOTE_HEIGHT)!.transactions;
    const depth = isSame ? 6 : devnet.tip.height;
    const first = [traffic(bed), { ...EMPTY, transactions: [payment!] }];
    devnet.reorganise(depth, [...(isSame ? [] : first), ...empties(depth + 1)]);
    await bed.sync();
    const { anchor } = (await whole(bed, id)).ironwood;
    t.is(isDeepStrictEqual(anchor, before.ironwood.anchor), isSame);
    t.like(await prove(bed, id), { anchored_again: false, proofs_added: 1 });
    await bed.combine(id, bed.signed(await given(bed, id, 'signer')));
    t.is(await minedAfter(bed, id), 'mined');
  });
