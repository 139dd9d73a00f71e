// Looking into PCZTs through the actor: with a wallet, without one, with one that is locked meanwhile; and what is refused
// repeats nothing of what was given.
import { setImmediate as turn } from 'node:timers/promises';
import { base64 } from '@scure/base';
import { encodePczt } from '@wallet-companion/pczt/pczt';
import { cases, flipped, stage, stageBytes, withField } from '@wallet-companion/pczt/test/pcztVectors';
import test, { type ExecutionContext } from 'ava';
import { ERRORS } from '../../../../src/protocol/errors.ts';
import type { Output } from '../../../../src/protocol/operations.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

/** The spender of the published payments, and whom it pays: account 1 of the same phrase. */
const PHRASE = `${'abandon '.repeat(23)}art`;
const textOf = (name: string, which = 'ready'): string => base64.encode(stageBytes(name, which));
const IRONWOOD = 'v6-ironwood-ironwood';

const setUp = async (t: ExecutionContext): Promise<WalletHarness> => {
  const wallet = await startWallet(t, {
    config: { network: 'regtest', activation_heights: { nu6_3: 20, nu7: 200 } },
  });
  t.teardown(() => wallet.stop());
  return wallet;
};
const restored = async (t: ExecutionContext): Promise<WalletHarness> => {
  const wallet = await setUp(t);
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  return wallet;
};
const rolesOf = ({ outputs }: Output<'pczt.inspect'>) =>
  outputs
    .filter(({ role }) => role !== 'padding')
    .map(({ role, pool, amount_zatoshi: amount, ours, account }) => [role, pool, amount, ours, account]);

test('an open wallet knows its notes’ addresses and its change, and whom it does not know', async (t) => {
  const wallet = await restored(t);
  for (const { name, fee, txid } of cases) {
    const seen = await wallet.call('pczt.inspect', { pczt: textOf(name) });
    t.true(seen.compared_with_wallet, name);
    t.is(seen.fee_zatoshi, fee);
    t.is(seen.txid, Buffer.from(txid, 'hex').reverse().toString('hex'));
    for (const { role, ours, account, note } of seen.spends) {
      t.deepEqual([ours, account], role === 'spend' ? [true, 0] : [ours, account], name);
      t.is(note, 'unknown');
    }
    for (const [role, pool, , ours, account] of rolesOf(seen)) {
      if (role === 'change') t.deepEqual([ours, account], [true, 0], name);
      else t.deepEqual([ours, account], [pool === 'transparent' ? null : false, null], name);
    }
    t.deepEqual(seen.warnings, [], name);
  }
});

test('without an open wallet nothing is marked as ours, and the rest is shown', async (t) => {
  const wallet = await setUp(t);
  const before = await wallet.call('pczt.inspect', { pczt: textOf(IRONWOOD) });
  t.false(before.compared_with_wallet);
  t.is(before.as_of_height, null);
  t.deepEqual(rolesOf(before), [
    ['payment', 'ironwood', 75_000_000, null, null],
    ['change', 'ironwood', 24_990_000, null, null],
  ]);
  t.is(before.outputs.find(({ role }) => role === 'payment')!.memo!.text, 'Ironwood 🌳');
  t.true(before.spends.every(({ ours, note }) => ours === null && note === null));
  t.deepEqual(before.missing, [{ pool: 'ironwood', signatures: 2, proofs: true, binding_key: false }]);
  t.deepEqual(before.becomes_public.statements, ['the fee, 0.0001 ZEC']);

  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  await wallet.call('wallet.lock');
  t.deepEqual(await wallet.call('pczt.inspect', { pczt: textOf(IRONWOOD) }), before);
  // As every operation that takes a password which it does not need.
  const opened = await wallet.call('pczt.inspect', { pczt: textOf(IRONWOOD), password: PASSWORD });
  t.true(opened.compared_with_wallet);
  t.is(await wallet.failure('pczt.inspect', { pczt: textOf(IRONWOOD), password: 'wrong' }), 'WRONG_PASSWORD');
});

test('what is missing is listed pool by pool, until nothing is', async (t) => {
  const wallet = await setUp(t);
  const missing = async (name: string, which: string) =>
    (await wallet.call('pczt.inspect', { pczt: textOf(name, which) })).missing;
  t.deepEqual(await missing('v6-sapling-ironwood', 'ready'), [
    { pool: 'sapling', signatures: 1, proofs: true, binding_key: false },
    { pool: 'ironwood', signatures: 0, proofs: true, binding_key: false },
  ]);
  t.deepEqual(await missing(IRONWOOD, 'signed'), [
    { pool: 'ironwood', signatures: 0, proofs: true, binding_key: false },
  ]);
  t.deepEqual(await missing(IRONWOOD, 'proved'), [
    { pool: 'ironwood', signatures: 2, proofs: false, binding_key: false },
  ]);
  t.deepEqual(await missing(IRONWOOD, 'complete'), []);
  const wrong = flipped(stage(IRONWOOD, 'complete'), 'ironwood.actions.1.spend.spendAuthSig');
  const seen = await wallet.call('pczt.inspect', { pczt: base64.encode(encodePczt(wrong, 2)) });
  t.deepEqual(seen.missing, [{ pool: 'ironwood', signatures: 1, proofs: false, binding_key: false }]);
  t.deepEqual(
    seen.warnings.map(({ code, field }) => [code, field]),
    [['signature_invalid', 'ironwood.actions[1].spend']],
  );
});

test('a wallet that is locked meanwhile is not asked any more', async (t) => {
  const wallet = await restored(t);
  const answer = wallet.call('pczt.inspect', { pczt: textOf('v6-orchard-change-in-orchard') });
  await turn();
  await wallet.call('wallet.lock');
  const seen = await answer;
  // Its keys are wiped by then, and would say that nothing is ours.
  t.false(seen.compared_with_wallet);
  t.true(seen.spends.every(({ ours }) => ours === null));
});

test('others are answered between two of its steps, and only so many wait', async (t) => {
  const wallet = await setUp(t);
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns++) await turn();
  })();
  await wallet.call('pczt.inspect', { pczt: textOf(IRONWOOD) });
  isDone = true;
  await counting;
  // Four spends and outputs, several checks each.
  t.true(turns >= 8, `${turns}`);

  const garbage = base64.encode(stageBytes(IRONWOOD, 'ready').subarray(0, 300));
  const calls = Array.from({ length: 17 }, () => wallet.failure('pczt.inspect', { pczt: garbage }));
  const codes = await Promise.all(calls);
  t.deepEqual([codes.at(-1), new Set(codes.slice(0, -1))], ['BUSY', new Set(['INVALID_PCZT'])]);
  t.is(await wallet.failure('pczt.inspect', { pczt: garbage }), 'INVALID_PCZT');
});

test('what is refused is named by its field, and not repeated', async (t) => {
  const wallet = await setUp(t);
  const ready = stage(IRONWOOD, 'ready');
  const secret = 'a text that must not come back';
  const hostile = [
    base64.encode(stageBytes(IRONWOOD, 'ready').subarray(0, 1000)),
    base64.encode(Buffer.concat([stageBytes(IRONWOOD, 'ready'), Buffer.from(secret)])),
    base64.encode(Buffer.from(secret.padEnd(33))),
    base64.encode(encodePczt(ready, 2).map((byte, i) => (i === 4 ? 3 : byte))),
    textOf(IRONWOOD).slice(0, -1),
    `${textOf(IRONWOOD).slice(0, -4)}!===`,
    'A'.repeat(64_004),
    ' ',
    base64.encode(
      encodePczt(
        withField(
          ready,
          'transparent.outputs',
          Array.from({ length: 2 }, () => ({
            value: 2_000_000_000_000_000n,
            scriptPubkey: new Uint8Array(1),
            redeemScript: undefined,
            bip32Derivation: new Map(),
            userAddress: secret,
            proprietary: new Map([[secret, new Uint8Array(1)]]),
          })),
        ),
        2,
      ),
    ),
  ];
  for (const [i, pczt] of hostile.entries()) {
    const result = await wallet.link.dispatch('pczt.inspect', { pczt }, { requestId: 'test' });
    if (result.ok) return t.fail(`${i} was not refused`);
    t.is(result.error.code, 'INVALID_PCZT', `${i}`);
    t.is(ERRORS[result.error.code].status, 400);
    t.deepEqual(
      result.error.errors?.map(({ path }) => path),
      ['pczt'],
    );
    const output = JSON.stringify(result.error);
    t.false(output.includes(secret) || (pczt.length > 20 && output.includes(pczt.slice(0, 20))), output);
    t.true(output.length < 400, output);
  }
  t.deepEqual(wallet.faults, []);
});
