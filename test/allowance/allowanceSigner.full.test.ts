// What an allowance signer signs, what waits, and what it refuses.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodePczt } from '@wallet-companion/pczt/pczt';
import { buildShielding, outputsAt, shield } from '@wallet-companion/pczt/test/shieldingStories';
import { saplingAddress } from '@wallet-companion/pczt/test/spendingAccount';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test, { type ExecutionContext } from 'ava';
import type { SignerAnswer } from '../../src/allowance/allowanceSigner.ts';
import type { JournalPayment } from '../../src/allowance/journal.ts';
import { DAY_MS, type Policy } from '../../src/allowance/policy.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import {
  createSigner,
  makePayment,
  POLICY,
  SettableClocks,
  startSigner,
  storeIn,
  ZEC,
} from '../helpers/allowanceBed.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

async function start(t: ExecutionContext, policy: Partial<Policy> = {}) {
  const folder = temporaryFolder(t);
  await createSigner(folder, { ...POLICY, ...policy });
  const clocks = new SettableClocks();
  return { folder, clocks, again: () => startSigner(folder, clocks), ...(await startSigner(folder, clocks)) };
}

const kindOf = (answer: SignerAnswer): string =>
  answer.kind === 'waits' ? answer.for.kind : answer.kind === 'refused' ? answer.why : answer.kind;

test('a payment within the policy is signed, and counts once however often it is asked for', async (t) => {
  const { signer, journal, again } = await start(t);
  const { bytes } = makePayment();
  const answer = await signer.answer(bytes);
  t.true(answer.kind === 'signed' && answer.signatures.length > 0);
  t.is((await signer.answer(bytes)).kind, 'signed');
  t.is((await (await again()).signer.answer(bytes)).kind, 'signed');
  t.deepEqual(journal.spent(journal.state.at), { day: ZEC / 2 + 10_000, month: ZEC / 2 + 10_000 });
});

test('what the policy refuses is not signed', async (t) => {
  const { signer, journal } = await start(t);
  const crossing = { to: saplingAddress(), options: { consents: ['crossing_pools'] } } as const;
  t.regex(kindOf(await signer.answer(makePayment({ zatoshi: ZEC }).bytes)), /one payment may take 1 ZEC/);
  t.regex(kindOf(await signer.answer(makePayment(crossing).bytes)), /from one pool to another/);
  t.regex(kindOf(await signer.answer(new Uint8Array(9))), /./);
  t.is(journal.state.refusals.length, 3);
  const other = await start(t, { accounts: [1] });
  t.regex(kindOf(await other.signer.answer(makePayment().bytes)), /not the account's/);
});

test('24 hours later there is allowance again, and not where only the clock was moved', async (t) => {
  const { signer, clocks, again } = await start(t, { day_zatoshi: ZEC });
  const pays = async (one = signer): Promise<boolean> =>
    (await one.answer(makePayment({ zatoshi: 0.9 * ZEC }).bytes)).kind === 'signed';
  t.true(await pays());
  t.false(await pays());
  clocks.wall += 2 * DAY_MS;
  t.false(await pays());
  clocks.wall -= 9 * DAY_MS;
  t.false(await pays());
  t.false(await pays((await again()).signer));
  clocks.wall += 7 * DAY_MS;
  clocks.pass(DAY_MS);
  t.true(await pays());
});

test('what is signed after the machine slept is no older after a start', async (t) => {
  const { signer, clocks, again } = await start(t, { day_zatoshi: ZEC });
  const pays = async (one: typeof signer): Promise<boolean> =>
    (await one.answer(makePayment({ zatoshi: 0.9 * ZEC }).bytes)).kind === 'signed';
  clocks.sleep(2 * DAY_MS);
  t.true(await pays(signer));
  const restarted = (await again()).signer;
  t.false(await pays(restarted));
  clocks.pass(DAY_MS);
  t.true(await pays(restarted));
});

test('above a limit it waits for its delay, also across a start, and can be cancelled meanwhile', async (t) => {
  const { signer, clocks, again } = await start(t, { delay: { above_zatoshi: 0, seconds: 600 } });
  const [first, second] = [makePayment(), makePayment()];
  t.is(kindOf(await signer.answer(first.bytes)), 'delay');
  const waits = await signer.answer(second.bytes);
  t.deepEqual(waits, { kind: 'waits', for: { kind: 'delay', until: clocks.wall + 600_000 } });
  clocks.pass(599_000);
  t.is(kindOf(await (await again()).signer.answer(first.bytes)), 'delay');
  clocks.pass(1000);
  const started = await again();
  const { txid } = started.journal.state.payments[1]!;
  await started.signer.cancel(txid);
  t.is((await started.signer.answer(first.bytes)).kind, 'signed');
  t.is(kindOf(await started.signer.answer(second.bytes)), 'it was cancelled at the signer');
  await t.throwsAsync(started.signer.cancel(txid), { message: /No payment with this txid/ });
});

test('where the policy wants a yes, a person is asked once, and its delay is kept besides', async (t) => {
  const { signer, clocks, unconfirmed } = await start(t, {
    confirm: { above_zatoshi: ZEC / 4 },
    delay: { above_zatoshi: 0, seconds: 60 },
  });
  const { bytes } = makePayment();
  for (let i = 0; i < 2; i++) t.is(kindOf(await signer.answer(bytes)), 'confirmation');
  t.is(unconfirmed.length, 1);
  await signer.confirm(unconfirmed[0]!.txid);
  t.is(kindOf(await signer.answer(bytes)), 'delay');
  clocks.pass(60_000);
  t.is((await signer.answer(bytes)).kind, 'signed');
});

test('no more than 32 payments wait', async (t) => {
  const { signer, journal } = await start(t, { confirm: { above_zatoshi: 0 } });
  await signer.answer(makePayment().bytes);
  const [waiting] = journal.state.payments;
  for (let i = 1; i < 32; i++)
    await journal.put({ ...waiting!, txid: String(i).padStart(64, '0') }, journal.state.at);
  t.regex(kindOf(await signer.answer(makePayment().bytes)), /32 payments wait/);
});

test('inputs with a higher stated value at the second request are refused', async (t) => {
  const { signer, journal } = await start(t, { pools: ['ironwood', 'transparent'], crossing: true });
  const { pczt } = buildShielding(shield(outputsAt([0, 90_000])), seededBytes(3));
  const bytes = encodePczt(pczt, 2);
  t.is((await signer.answer(bytes)).kind, 'signed');
  // The txid does not cover what they are worth (ZIP 244): it may have been seen with less.
  const [{ total, fee, ...record }] = journal.state.payments as [JournalPayment];
  await journal.put({ ...record, total: total - 1, fee: fee - 1 }, record.at);
  t.regex(kindOf(await signer.answer(bytes)), /another amount than when it was first seen/);
});

test('where nothing can be written nothing is signed, and the allowance is as it was', async (t) => {
  const { folder } = await start(t);
  const { signer, journal } = await startSigner(folder, new SettableClocks(), async () => {
    throw new CompanionError('STORAGE_FAILED', 'no room');
  });
  await t.throwsAsync(signer.answer(makePayment().bytes), { message: 'no room' });
  t.deepEqual(journal.spent(journal.state.at), { day: 0, month: 0 });
});

test('without its keys it answers nothing', async (t) => {
  const { signer } = await start(t);
  signer.close();
  t.not((await signer.answer(makePayment().bytes)).kind, 'signed');
});

for (const name of ['journal', 'policy'])
  test(`a ${name} that was put back from a copy, changed or removed is noticed at the next start`, async (t) => {
    const { folder, signer, again } = await start(t);
    const file = path.join(folder, `${name}.sealed`);
    const older = readFileSync(file);
    await signer.answer(makePayment().bytes);
    const store = storeIn(folder);
    store.read();
    await store.storePolicy(POLICY);
    const newest = readFileSync(file);
    await t.notThrowsAsync(again);
    for (const bytes of [older, newest.map((byte, i) => (i === 40 ? byte ^ 1 : byte)), Buffer.alloc(0)]) {
      writeFileSync(file, bytes);
      await t.throwsAsync(again, { code: 'WALLET_CORRUPT' });
    }
    // Each is sealed for its own name.
    writeFileSync(file, readFileSync(path.join(folder, 'counter.sealed')));
    await t.throwsAsync(again, { code: 'WALLET_CORRUPT' });
    writeFileSync(file, newest);
    await t.notThrowsAsync(again);
  });
