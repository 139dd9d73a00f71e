// Payments prepared by a whole wallet on a chain that it scanned: what comes of each story, what is reserved, and what is
// refused with which words.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { orchardAddress, PHRASE, saplingAddress } from '@wallet-companion/pczt/test/spendingAccount';
import { TRANSPARENT_ADDRESS } from '@wallet-companion/pczt/test/spendingStories';
import { mnemonicToSeed, seedFingerprint } from '@wallet-companion/zcash/keys';
import test from 'ava';
import { companionWorld, ORCHARD_FIRST, pcztIn, signaturesFor } from '../../../helpers/companionWorld.ts';

const ZEC = 100_000_000;
/** Of another account of the same phrase. */
const RECIPIENT = orchardAddress();
const crossing = { privacy: ['crossing_pools'] };

for (const source of ['node', 'compact'] as const) {
  test(`${source}: Ironwood to Ironwood with a memo`, async (t) => {
    const bed = await companionWorld(t, ORCHARD_FIRST);
    await bed.fund({ pool: 'ironwood', zatoshi: 2 * ZEC });
    const tip = bed.devnet.tip.height;
    const prepared = await bed.prepare({ address: RECIPIENT, amount: '1.5', memo: 'rent', source });
    t.like(prepared, {
      account: 0,
      status: 'prepared',
      payments: [
        {
          pool: 'ironwood',
          address: RECIPIENT,
          contact: null,
          amount_zatoshi: 1.5 * ZEC,
          memo: { text: 'rent' },
        },
      ],
      change: { pool: 'ironwood', amount_zatoshi: 0.5 * ZEC - 25_000, notes: 4 },
      fee_zatoshi: 25_000,
      becomes_public: [],
      reserved_zatoshi: 2 * ZEC,
      anchor_height: tip - 2,
      expiry_height: tip + 121,
      missing: [{ pool: 'ironwood', signatures: 1, proofs: true, signer_keys: false }],
      mined_height: null,
      confirmations: 0,
      last_sent: null,
      encoding: 2,
      left: null,
    });
    t.is(signaturesFor(prepared), 1);
    const inspected = await bed.wallet.call('pczt.inspect', { pczt: prepared.pczt });
    t.is(inspected.txid, prepared.txid);
    t.deepEqual(inspected.warnings, []);
    t.like(
      inspected.outputs.find(({ role }) => role === 'payment'),
      { amount_zatoshi: 1.5 * ZEC, typed_address: RECIPIENT, memo: { text: 'rent' }, verified: true },
    );
    const { pczt: _, encoding: __, left: ___, warnings, ...view } = prepared;
    t.deepEqual(warnings, []);
    t.deepEqual(await bed.payment(prepared.payment_id), view);
    t.deepEqual(bed.wallet.faults, []);
  });

  test(`${source}: Orchard to Ironwood, the change kept and moved`, async (t) => {
    const bed = await companionWorld(t, ORCHARD_FIRST);
    await bed.fund({ pool: 'orchard', zatoshi: ZEC }, { pool: 'orchard', zatoshi: ZEC });
    const wanted = { address: RECIPIENT, zatoshi: 20_000_000, source, ...crossing };
    const kept = await bed.prepare(wanted);
    t.like(kept, {
      fee_zatoshi: 20_000,
      change: { pool: 'orchard', amount_zatoshi: ZEC - 20_020_000 },
      becomes_public: [
        { consent: 'crossing_pools', pool: 'orchard', address: null, amount_zatoshi: 20_020_000 },
        { consent: 'crossing_pools', pool: 'ironwood', address: null, amount_zatoshi: -20_000_000 },
      ],
    });
    // Its own spend, and the one of nothing beside the change.
    t.is(signaturesFor(kept), 2);
    const moved = await bed.prepare({ ...wanted, change: 'moved' });
    t.like(moved, { fee_zatoshi: 35_000, change: { pool: 'ironwood', amount_zatoshi: ZEC - 20_035_000 } });
    t.is(signaturesFor(moved), 1);
    t.not(kept.notes[0]!.txid, moved.notes[0]!.txid);
  });

  test(`${source}: Sapling to Ironwood`, async (t) => {
    const bed = await companionWorld(t, ORCHARD_FIRST);
    await bed.fund({ pool: 'sapling', zatoshi: ZEC });
    const wanted = { address: RECIPIENT, zatoshi: 10_000_000, source, ...crossing };
    const prepared = await bed.prepare(wanted);
    t.like(prepared, {
      fee_zatoshi: 35_000,
      // Some signers cannot spend Sapling's change.
      change: { pool: 'ironwood', amount_zatoshi: ZEC - 10_035_000 },
      becomes_public: [
        { consent: 'crossing_pools', pool: 'sapling', amount_zatoshi: ZEC },
        { consent: 'crossing_pools', pool: 'ironwood', amount_zatoshi: 35_000 - ZEC },
      ],
      missing: [
        { pool: 'sapling', signatures: 1, proofs: true, signer_keys: true },
        { pool: 'ironwood', signatures: 0, proofs: true, signer_keys: false },
      ],
    });
    t.is(signaturesFor(prepared), 1);
    await bed.wallet.call('payments.discard', { payment_id: prepared.payment_id });
    const kept = await bed.prepare({ ...wanted, change: 'kept' });
    t.deepEqual(kept.change, { pool: 'sapling', amount_zatoshi: ZEC - 10_030_000, notes: 4 });
  });
}

test('a transparent recipient takes consent by name, and then gets paid', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC });
  const wanted = { address: TRANSPARENT_ADDRESS, amount: '0.3' };
  t.deepEqual(await bed.refusal(wanted), {
    code: 'CONSENT_NEEDED',
    detail: `Everybody could read that ${TRANSPARENT_ADDRESS} is paid 0.3 ZEC. If that may be, name it in privacy: transparent_recipients.`,
    errors: [
      {
        path: 'privacy',
        message: `needs transparent_recipients: ${TRANSPARENT_ADDRESS} is paid 0.3 ZEC`,
        code: 'transparent_recipients',
      },
    ],
    consents: ['transparent_recipients'],
  });
  const prepared = await bed.prepare({ ...wanted, privacy: ['transparent_recipients'] });
  t.like(prepared, {
    fee_zatoshi: 25_000,
    payments: [{ pool: 'transparent', address: TRANSPARENT_ADDRESS, amount_zatoshi: 30_000_000, memo: null }],
    becomes_public: [
      {
        consent: 'transparent_recipients',
        pool: null,
        address: TRANSPARENT_ADDRESS,
        amount_zatoshi: 30_000_000,
      },
    ],
  });
  t.is(pcztIn(prepared).transparent.outputs[0]!.value, 30_000_000n);
  t.deepEqual(await bed.refusal({ ...wanted, memo: 'rent', privacy: ['transparent_recipients'] }), {
    code: 'INVALID_REQUEST',
    detail: 'memo cannot be sent to a transparent address.',
    errors: [{ path: 'memo', message: 'cannot be sent to a transparent address' }],
  });
});

test('crossing pools is reported with its amounts', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'orchard', zatoshi: ZEC });
  const { code, detail, errors, consents } = await bed.refusal({ address: RECIPIENT, amount: '0.2' });
  t.is(code, 'CONSENT_NEEDED');
  t.is(
    detail,
    'Everybody could read that 0.2002 ZEC leave Orchard; that 0.2 ZEC enter Ironwood. If that may be, name it in privacy: crossing_pools.',
  );
  t.deepEqual(errors, [
    { path: 'privacy', message: 'needs crossing_pools: 0.2002 ZEC leave Orchard', code: 'crossing_pools' },
    { path: 'privacy', message: 'needs crossing_pools: 0.2 ZEC enter Ironwood', code: 'crossing_pools' },
  ]);
  t.deepEqual(consents, ['crossing_pools']);
  t.deepEqual((await bed.wallet.call('payments.list')).payments, []);
});

test('everything goes, from all pools, and nothing is left', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund(
    { pool: 'orchard', zatoshi: 2_000_000 },
    { pool: 'sapling', zatoshi: 3_000_000 },
    { pool: 'ironwood', zatoshi: 1_000_000 },
  );
  const prepared = await bed.prepare({ address: RECIPIENT, everything: true, memo: 'all', ...crossing });
  t.is(prepared.change, null);
  t.is(prepared.payments[0]!.amount_zatoshi + prepared.fee_zatoshi, 6_000_000);
  t.is(prepared.reserved_zatoshi, 6_000_000);
  t.deepEqual(prepared.notes.map(({ pool }) => pool).sort(), ['ironwood', 'orchard', 'sapling']);
  t.is((await bed.wallet.call('balance.get')).reserved_zatoshi, 6_000_000);
});

test('a payment request is paid as it stands, whatever it says besides', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC });
  const uri = `zcash:?address=${RECIPIENT}&amount=0.1&memo=cmVudA&label=Landlord&address.1=${saplingAddress()}&amount.1=0.2`;
  const prepared = await bed.prepare({ uri, ...crossing });
  t.like(prepared.payments, [
    { address: RECIPIENT, amount_zatoshi: 10_000_000, memo: { text: 'rent' } },
    { pool: 'sapling', address: saplingAddress(), amount_zatoshi: 20_000_000, memo: null },
  ]);
  // The payer says the amount where the request leaves it open.
  const open = await bed.refusal({ uri: `zcash:${RECIPIENT}`, amount: '5' });
  t.is(open.code, 'INSUFFICIENT_FUNDS');
  t.deepEqual((await bed.refusal({ uri: `zcash:${RECIPIENT}` })).errors, [
    { path: 'uri', message: 'is refused: the amount of its payment 1 is missing' },
  ]);
  t.deepEqual((await bed.refusal({ uri: `zcash:${RECIPIENT}?amount=0.1`, zatoshi: 5 })).errors, [
    { path: 'zatoshi', message: 'cannot be given: the uri says the amount' },
  ]);
});

test('an error of a request is reported at its field, before anything of the wallet', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  const cases: readonly [object, string][] = [
    [{}, 'recipients'],
    [{ uri: 'zcash:x', address: RECIPIENT }, 'uri'],
    [{ recipients: [{ address: RECIPIENT, zatoshi: 1 }], address: RECIPIENT }, 'address'],
    [{ recipients: [{ address: RECIPIENT, zatoshi: 1 }], memo: 'x' }, 'memo'],
    [{ recipients: [{ address: RECIPIENT, zatoshi: 1, amount: '1' }] }, 'recipients.0.amount'],
    [{ address: RECIPIENT, zatoshi: 1, amount: '1' }, 'amount'],
    [{ uri: 'bitcoin:abc' }, 'uri'],
    [{ uri: `zcash:${RECIPIENT}?amount=1`, memo: 'x' }, 'memo'],
  ];
  await bed.wallet.call('wallet.lock');
  for (const [input, path] of cases) {
    const { code, errors } = await bed.refusal(input);
    t.is(code, 'INVALID_REQUEST', JSON.stringify(input));
    t.is((errors[0] as { path: string }).path, path);
  }
  t.is((await bed.refusal({ address: RECIPIENT, zatoshi: 1 })).code, 'WALLET_LOCKED');
});

test('an error of a recipient is reported at the recipient', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC });
  const second = (recipient: object) => ({ recipients: [{ address: RECIPIENT, zatoshi: 1 }, recipient] });
  const cases: readonly [object, string][] = [
    [second({ address: 'u1nonsense', zatoshi: 1 }), 'recipients.1.address'],
    [second({ address: RECIPIENT }), 'recipients.1.amount'],
    [second({ address: TRANSPARENT_ADDRESS, zatoshi: 1000, memo: 'x' }), 'recipients.1.memo'],
    [second({ address: TRANSPARENT_ADDRESS, zatoshi: 1 }), 'recipients.1.amount'],
    [{ address: RECIPIENT, zatoshi: 1, everything: true }, 'recipients'],
    [{ address: RECIPIENT, zatoshi: 1, expiry_height: 5 }, 'expiry_height'],
    [{ address: RECIPIENT, zatoshi: 1, seed_fingerprint: '00'.repeat(32) }, 'seed_fingerprint'],
  ];
  for (const [input, path] of cases) {
    const { code, errors } = await bed.refusal(input);
    t.is(code, 'INVALID_REQUEST', JSON.stringify(input));
    t.is((errors[0] as { path: string }).path, path);
  }
});

test('two at once never take the same note', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC }, { pool: 'ironwood', zatoshi: ZEC });
  const wanted = { address: RECIPIENT, amount: '0.4' };
  const [one, other, third] = await Promise.allSettled([
    bed.prepare(wanted),
    bed.prepare(wanted),
    bed.prepare(wanted),
  ]);
  if (one.status !== 'fulfilled' || other.status !== 'fulfilled') throw t.fail('both have a note');
  t.not(one.value.notes[0]!.txid, other.value.notes[0]!.txid);
  t.is(third.status, 'rejected');
  t.like((third as PromiseRejectedResult).reason, { code: 'INSUFFICIENT_FUNDS' });
  const balance = await bed.wallet.call('balance.get');
  t.is(balance.reserved_zatoshi, 2 * ZEC);
  t.is(balance.total_zatoshi, 2 * ZEC);
  const { notes } = await bed.wallet.call('notes.list');
  t.deepEqual(
    notes.map((note) => note.reserved_by).sort(),
    [one.value.payment_id, other.value.payment_id].sort(),
  );
});

test('not enough: what can be spent, what waits and how long, and what is reserved by whom', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC }, { pool: 'ironwood', zatoshi: 2 * ZEC });
  const { payment_id } = await bed.prepare({ address: RECIPIENT, amount: '1.5' });
  bed.devnet.payTo(bed.address, { pool: 'ironwood', zatoshi: 3n * BigInt(ZEC) });
  bed.devnet.payTo(bed.address, { pool: 'ironwood', zatoshi: BigInt(ZEC) });
  bed.devnet.payTo(bed.address, { pool: 'ironwood', zatoshi: 4_000n });
  bed.devnet.mineEmpty(9);
  bed.devnet.payTo(bed.address, { pool: 'ironwood', zatoshi: 50_000_000n });
  await bed.sync();
  const tip = bed.devnet.tip.height;
  const { code, detail } = await bed.refusal({ address: RECIPIENT, amount: '9', confirmations: 12 });
  t.is(code, 'INSUFFICIENT_FUNDS');
  t.is(
    detail,
    `The payment takes 9.00015 ZEC with its fee; 5 ZEC can be spent now. 0.50004 ZEC waits for confirmations, the first 0.00004 ZEC of it until block ${tip + 1} (about a minute), the last until block ${tip + 11} (about 5 minutes). 2 ZEC is reserved by the payment ${payment_id}, until it is mined, expires or is discarded.`,
  );
  // Given up, its notes are free.
  await bed.wallet.call('payments.discard', { payment_id });
  t.like(await bed.payment(payment_id), { status: 'discarded', reserved_zatoshi: 0, expires_at: null });
  t.is((await bed.wallet.call('balance.get')).reserved_zatoshi, 0);
  const again = await bed.prepare({ address: RECIPIENT, amount: '6.9' });
  t.is(again.notes.length, 4);
});

test('a note that an unmined transaction spends is not taken', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC });
  const { viewing_key } = await bed.wallet.call('wallet.viewing_key', {
    password: 'correct horse battery staple',
  });
  const account = bed.devnet.account(viewing_key);
  const spend = bed.devnet.spend(account, {
    from: 'ironwood',
    payments: [{ address: RECIPIENT, pool: 'ironwood', zatoshi: 5_000n }],
  });
  bed.devnet.mempool.put(spend);
  await bed.wallet.call('mempool.look', { source: 'node' });
  const { code, detail } = await bed.refusal({ address: RECIPIENT, amount: '0.5' });
  t.is(code, 'INSUFFICIENT_FUNDS');
  t.regex(detail, /1 ZEC is being spent by a transaction that is not mined yet\.$/);
});

test('a wallet that has not seen the last blocks is asked to sync', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  const wanted = { address: RECIPIENT, amount: '0.5' };
  t.like(await bed.refusal(wanted), {
    code: 'INVALID_RANGE',
    detail: 'Nothing has been scanned yet. Sync first, then try again.',
  });
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC });
  const tip = bed.devnet.tip.height;
  bed.devnet.mineEmpty(3);
  const near = await bed.prepare(wanted);
  t.is(near.anchor_height, tip);
  await bed.wallet.call('payments.discard', { payment_id: near.payment_id });
  bed.devnet.mineEmpty(1);
  t.like(await bed.refusal(wanted), { code: 'INVALID_RANGE' });
  await bed.sync();
  t.is((await bed.prepare(wanted)).anchor_height, tip + 2);
});

test('signers learn whose seed it is', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC });
  const prepared = await bed.prepare({ address: RECIPIENT, amount: '0.5' });
  const fingerprint = bytesToHex(seedFingerprint(mnemonicToSeed(PHRASE, '')));
  const derivations = pcztIn(prepared).ironwood.actions.flatMap(({ spend }) => spend.zip32Derivation ?? []);
  t.deepEqual(
    derivations.map((one) => bytesToHex(one.seedFingerprint)),
    [fingerprint],
  );
});

test('readers get no more than they need', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC });
  const prepared = await bed.prepare({ address: RECIPIENT, amount: '0.5' });
  const { payment_id } = prepared;
  const read = async (reader?: string) =>
    bed.wallet.call('payments.pczt', { payment_id, ...(reader === undefined ? {} : { reader }) });
  const whole = await read('anyone');
  t.is(whole.pczt, prepared.pczt);
  const spendOf = (answer: { readonly pczt: string }) =>
    pcztIn(answer).ironwood.actions.find(({ spend }) => spend.spendAuthSig === undefined)!.spend;
  const outputs = (answer: { readonly pczt: string }) =>
    pcztIn(answer).ironwood.actions.flatMap(({ output }) => output.userAddress ?? []);
  t.truthy(spendOf(whole).witness);
  const signer = await read();
  t.is(signer.reader, 'signer');
  t.is(spendOf(signer).witness, undefined);
  t.deepEqual(outputs(signer), [RECIPIENT]);
  const prover = await read('prover');
  t.truthy(spendOf(prover).witness);
  t.deepEqual(outputs(prover), []);
  t.true((await read('compact_signer')).pczt.length < signer.pczt.length);
  await bed.wallet.call('payments.discard', { payment_id });
  t.is(await bed.wallet.failure('payments.pczt', { payment_id }), 'PAYMENT_STATE');
  t.is((await read('anyone')).pczt, prepared.pczt);
});
