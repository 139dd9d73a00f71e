// The answer about a PCZT: notes that the wallet knows, memos in full, and what becomes public in words.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { type Inspection, inspectPczt } from '@wallet-companion/pczt/pczt';
import { stage, withField } from '@wallet-companion/pczt/test/pcztVectors';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test from 'ava';
import { type Comparison, inspectionView } from '../../../../src/actors/wallet/payments/inspectionView.ts';

const params = regtestParameters({ nu6_3: 20, nu7: 50 });
const seen = (name: string): Inspection => inspectPczt(stage(name, 'ready'), { params });
const NAME = 'v6-ironwood-ironwood';

test('a note that is known by its nullifier is ours, and marked as spent when it is', (t) => {
  const inspection = seen(NAME);
  const [first, second] = inspection.spends;
  const knowing = (isSpent: boolean): Comparison => ({
    asOfHeight: 100,
    contactAt: () => undefined,
    doubtAbout: () => undefined,
    noteOf: (pool, nullifier) =>
      pool === 'ironwood' && bytesToHex(nullifier) === bytesToHex(first!.nullifier!)
        ? { account: 7, isSpent }
        : undefined,
  });
  const view = inspectionView(2, inspection, knowing(false));
  t.like(view.spends[0], { ours: true, account: 7, note: 'unspent' });
  t.like(view.spends[1], { ours: second!.owner !== undefined, note: 'unknown' });
  t.is(view.as_of_height, 100);
  t.deepEqual(view.warnings, []);
  const spent = inspectionView(2, inspection, knowing(true));
  t.is(spent.spends[0]!.note, 'spent');
  t.deepEqual(
    spent.warnings.map(({ code, field }) => [code, field]),
    [['already_spent', 'ironwood.actions[0].spend']],
  );
});

test('memos that are no text come back whole', (t) => {
  const inspection = seen(NAME);
  const withMemo = (memo: Inspection['outputs'][number]['memo']) =>
    inspectionView(2, { ...inspection, outputs: [{ ...inspection.outputs[0]!, memo }] }, undefined)
      .outputs[0]!.memo;
  t.is(withMemo({ kind: 'binary', bytes: new Uint8Array(511).fill(5) })!.hex, `ff${'05'.repeat(511)}`);
  t.is(withMemo({ kind: 'unknown', bytes: new Uint8Array(512).fill(0xf7) })!.hex, 'f7'.repeat(512));
  t.deepEqual(withMemo({ kind: 'text', text: 'é' }), { text: 'é' });
  t.is(withMemo({ kind: 'none' }), null);
  t.is(withMemo(undefined), null);
});

test('what becomes public is listed with amounts, and nothing where nothing does', (t) => {
  const statements = (inspection: Inspection) =>
    inspectionView(2, inspection, undefined).becomes_public.statements;
  t.deepEqual(statements(seen(NAME)), ['the fee, 0.0001 ZEC']);
  t.deepEqual(statements(seen('v6-orchard-ironwood')), [
    'the fee, 0.0002 ZEC',
    '1 ZEC leave Orchard',
    '0.9998 ZEC go into Ironwood',
  ]);
  const transparent = seen('v6-nu7-ironwood-transparent');
  const [output] = transparent.outputs;
  t.deepEqual(statements(transparent), [
    'the fee, 0.00015 ZEC',
    '0.10015 ZEC leave Ironwood',
    `the recipient ${output!.address}, 0.1 ZEC`,
  ]);
  const paysTooMuch = inspectPczt(
    withField(stage('v6-nu7-ironwood-transparent', 'ready'), 'transparent.outputs.0.value', 60_000_000n),
    { params },
  );
  const view = inspectionView(2, paysTooMuch, undefined);
  t.is(view.fee_zatoshi, 10_015_000 - 60_000_000);
  t.is(view.becomes_public.statements[0], 'the fee, -0.49985 ZEC');
  t.true(view.warnings.some(({ code }) => code === 'fee_negative'));
});

test('what a PCZT does not contain is null, and a script stands where no address is', (t) => {
  const inspection = seen('v6-nu7-ironwood-transparent');
  const spend = { ...inspection.spends[0]!, amount: undefined, address: undefined };
  const output = inspection.outputs.find(({ place }) => place === 'transparent')!;
  const view = inspectionView(
    2,
    {
      ...inspection,
      txid: undefined,
      lastHeight: undefined,
      lockTime: undefined,
      spends: [
        spend,
        { ...spend, place: 'transparent' },
        { ...spend, place: 'transparent', address: 't1x', amount: 5n },
      ],
      outputs: [{ ...output, amount: undefined, address: undefined }],
    },
    { asOfHeight: undefined, contactAt: () => 'Ada', doubtAbout: () => undefined, noteOf: () => undefined },
  );
  t.like(view, { txid: null, last_height: null, lock_time: null, as_of_height: null });
  t.like(view.spends[0], { amount_zatoshi: null, address: null, note: 'unknown' });
  t.like(view.spends[1], { pool: 'transparent', ours: null });
  t.like(view.outputs[0], { amount_zatoshi: null, address: null, contact: null, ours: null });
  t.deepEqual(view.becomes_public.statements.slice(-3), [
    'the sender (a script), 0 ZEC',
    'the sender t1x, 0.00000005 ZEC',
    'the recipient (a script), 0 ZEC',
  ]);
});
