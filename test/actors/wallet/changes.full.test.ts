// Books kept from `GET /api/changes` on a real chain: a shop that dies at any moment and begins again from what it had
// saved, while the companion restarts, the chain moves and people rescan.

import fs from 'node:fs';
import path from 'node:path';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys } from '@wallet-companion/zcash/keys';
import { MAIN } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../../src/protocol/operations.ts';
import { companionWorld, onMain } from '../../helpers/companionWorld.ts';
import { PASSWORD, type WalletHarness } from '../../helpers/walletHarness.ts';

const FIRST = 3_500_000;
type Change = Output<'changes.list'>['changes'][number];

const setUp = (t: ExecutionContext, config: object = {}) => companionWorld(t, { ...onMain(FIRST), config });

const all = async (wallet: WalletHarness, since?: string) =>
  wallet.call('changes.list', { ...(since !== undefined && { since }), limit: 1000 });
const reported = (changes: readonly Change[]) =>
  changes.map(({ kind, value_zatoshi }) => `${kind} ${value_zatoshi}`);

test('a payment comes with memo, address, label and block hash; it is confirmed and taken back once', async (t) => {
  const { devnet, wallet, address, pay } = await setUp(t, { min_confirmations: 3 });
  await wallet.call('labels.set', {
    diversifier_index: (await wallet.call('address.get')).diversifier_index,
    label: 'till',
  });
  devnet.mineEmpty(2);
  pay(1_000n, 'order 1');
  await wallet.call('sync.run');
  const first = await all(wallet);
  const hash = devnet.tip.hash;
  t.is(first.changes.length, 1);
  t.like(first.changes[0], {
    sequence: 1,
    kind: 'received',
    reverses: null,
    value_zatoshi: 1_000,
    height: devnet.tip.height,
    address,
    label: 'till',
    memo: { text: 'order 1' },
    spent_by: null,
  });
  t.is(first.changes[0]!.block_hash, Buffer.from(hash).reverse().toString('hex'));
  t.deepEqual(await all(wallet, first.next_cursor), {
    changes: [],
    next_cursor: first.next_cursor,
    has_more: false,
    earlier_dropped: false,
  });
  devnet.mineEmpty(1);
  await wallet.call('sync.run');
  t.deepEqual(reported((await all(wallet, first.next_cursor)).changes), []);
  devnet.mineEmpty(1);
  await wallet.call('sync.run');
  const second = await all(wallet, first.next_cursor);
  t.deepEqual(reported(second.changes), ['confirmed 1000']);
  devnet.reorganise(4);
  devnet.mineEmpty(1);
  await wallet.call('sync.run');
  const third = await all(wallet, second.next_cursor);
  t.like(third.changes, [{ kind: 'unreceived', reverses: 1, sequence: 3, memo: null }]);
  t.is(third.changes.length, 1);
});

test('a new listener gets what comes, and nothing of before', async (t) => {
  const { wallet, pay } = await setUp(t);
  const start = await all(wallet, 'now');
  t.deepEqual(start, {
    changes: [],
    next_cursor: start.next_cursor,
    has_more: false,
    earlier_dropped: false,
  });
  pay(1n);
  await wallet.call('sync.run');
  const now = await all(wallet, 'now');
  t.deepEqual(now.changes, []);
  t.is(now.next_cursor, (await all(wallet)).next_cursor);
  pay(2n);
  await wallet.call('sync.run');
  t.deepEqual(reported((await all(wallet, now.next_cursor)).changes), ['received 2', 'confirmed 2']);
  t.is((await all(wallet, start.next_cursor)).changes.length, 4);
});

test('a rescan reports nothing again, whether it forgets all of it or some', async (t) => {
  const { devnet, wallet, pay, restart } = await setUp(t);
  for (let i = 0; i < 6; i++) pay(100n + BigInt(i), `order ${i}`);
  devnet.mineEmpty(3);
  await wallet.call('sync.run');
  const { next_cursor: since, changes } = await all(wallet);
  t.is(changes.length, 12);
  let now = wallet;
  for (const input of [{}, { from_height: FIRST + 4 }, {}]) {
    await now.call('wallet.rescan', input);
    t.deepEqual((await all(now, since)).changes, []);
    now = await restart();
    t.deepEqual((await all(now, since)).changes, []);
    await now.call('sync.run', { end_height: FIRST + 4 });
    await now.call('sync.run', { source: 'compact' });
    await now.call('sync.run');
    t.deepEqual((await all(now, since)).changes, [], JSON.stringify(input));
  }
  // Another chain was scanned after everything was forgotten.
  await now.call('wallet.rescan');
  devnet.reorganise(8);
  await now.call('sync.run');
  const after = await all(now, since);
  t.true(after.changes.every(({ kind }) => kind === 'unreceived'));
  t.is(after.changes.length, 5);
});

test('a cursor that is garbage, of another wallet, or of a store that is gone is known for what it is', async (t) => {
  const { wallet, pay, folder, restart } = await setUp(t);
  pay(7n);
  await wallet.call('sync.run');
  const { next_cursor: since } = await all(wallet);
  const bytes = Buffer.from(since, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const bad = Buffer.from(bytes);
    bad[at]! ^= 1;
    t.is(await wallet.failure('changes.list', { since: bad.toString('base64url') }), 'INVALID_REQUEST');
  }
  for (const garbage of ['x', since.slice(1), `${since}A`, `${since}==`, '\0', 'null'])
    t.is(await wallet.failure('changes.list', { since: garbage }), 'INVALID_REQUEST', garbage);
  await wallet.call('wallet.lock');
  t.is(await wallet.failure('changes.list', { since: 'x' }), 'INVALID_REQUEST');
  t.is(await wallet.failure('changes.list', { since }), 'WALLET_LOCKED');
  t.is(await wallet.failure('labels.list'), 'WALLET_LOCKED');
  await wallet.stop();
  for (const name of fs.readdirSync(folder))
    if (name.startsWith('ledger.db')) fs.rmSync(path.join(folder, name));
  const again = await restart();
  t.is(await again.failure('changes.list', { since }), 'CURSOR_UNKNOWN');
  await again.call('sync.run');
  t.is(await again.failure('changes.list', { since }), 'CURSOR_UNKNOWN');
  t.deepEqual(reported((await all(again)).changes), ['received 7', 'confirmed 7']);
});

test('a shop that dies at any moment counts every payment once, whatever the chain and the companion do', async (t) => {
  const { devnet, wallet, pay, restart } = await setUp(t, { min_confirmations: 2 });
  let now = wallet;
  let random = 7;
  const next = (below: number): number => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((random / 2_147_483_648) * below);
  };
  let saved: { cursor: string | undefined; notes: ReadonlyMap<string, number> } = {
    cursor: undefined,
    notes: new Map(),
  };
  let deaths = 0;
  const poll = async () => {
    for (let more = true; more; ) {
      const since = saved.cursor === undefined ? {} : { since: saved.cursor };
      const page = await now.call('changes.list', { ...since, limit: 1 + next(4) });
      const notes = new Map(saved.notes);
      for (const { kind, txid, output_index, value_zatoshi } of page.changes) {
        const key = `${txid}:${output_index}`;
        if (kind === 'received') t.false(notes.has(key), 'counted twice');
        else t.true(notes.has(key), `${kind} of nothing`);
        if (kind === 'received') notes.set(key, value_zatoshi);
        if (kind === 'unreceived') notes.delete(key);
      }
      if (next(3) === 0) {
        deaths++;
        return;
      }
      saved = { cursor: page.next_cursor, notes };
      more = page.has_more;
    }
  };
  for (let depth = 1; depth <= 12; depth++) {
    for (let i = 0; i <= depth; i++)
      if (next(2) === 0) pay(BigInt(1_000 * depth + i));
      else devnet.mineEmpty(1);
    await now.call('sync.run', { source: next(2) === 0 ? 'node' : 'compact' });
    await poll();
    devnet.reorganise(Math.min(depth, devnet.tip.height - FIRST), undefined);
    devnet.mineEmpty(1);
    if (next(3) === 0) now = await restart();
    await now.call('sync.run');
    await poll();
    if (next(4) === 0) await now.call('wallet.rescan', next(2) === 0 ? {} : { from_height: FIRST + depth });
    await poll();
  }
  await now.call('sync.run');
  while (
    await now
      .call('changes.list', saved.cursor === undefined ? {} : { since: saved.cursor })
      .then(({ changes }) => changes.length > 0)
  )
    await poll();
  t.true(deaths > 10, `${deaths} deaths`);
  const { notes } = await now.call('notes.list', { limit: 1000 });
  t.deepEqual(
    new Map([...saved.notes].sort()),
    new Map(
      notes.map((note): [string, number] => [`${note.txid}:${note.output_index}`, note.value_zatoshi]).sort(),
    ),
  );
});

test('transactions show what was received, what we paid as fee, and the block', async (t) => {
  const { devnet, wallet, pay } = await setUp(t);
  await wallet.call('labels.set', {
    diversifier_index: (await wallet.call('address.get')).diversifier_index,
    label: 'till',
  });
  pay(5_000_000n, 'order 9');
  const { viewing_key } = await wallet.call('wallet.viewing_key', { password: PASSWORD });
  const account = devnet.account(viewing_key);
  const keys = deriveViewingKeys(new Uint8Array(64).fill(5), MAIN, 0);
  const payments = [
    { address: firstAddress(keys, MAIN, 0n).unifiedAddress, pool: 'ironwood', zatoshi: 1_000_000n },
  ] as const;
  devnet.mine({ transactions: [devnet.spend(account, { from: 'ironwood', payments })] });
  for (const source of ['node', 'compact'] as const) {
    await wallet.call('wallet.rescan');
    await wallet.call('sync.run', { source });
    const { transactions } = await wallet.call('transactions.list');
    const [spending, receiving] = transactions;
    t.is(receiving?.fee_zatoshi, null, 'somebody else paid it');
    t.like(receiving?.received_outputs[0], {
      value_zatoshi: 5_000_000,
      memo: { text: 'order 9' },
      label: 'till',
    });
    const change = spending!.received_zatoshi;
    t.is(spending?.fee_zatoshi, 5_000_000 - 1_000_000 - change);
    t.true((spending?.fee_zatoshi ?? 0) > 0);
    t.is(spending?.block_hash, Buffer.from(devnet.tip.hash).reverse().toString('hex'));
  }
});

test('labels survive a rescan, a new password, a lost note store and a restart, and are gone when removed', async (t) => {
  const { wallet, pay, restart, folder, address } = await setUp(t);
  const { diversifier_index } = await wallet.call('address.get');
  pay(3n);
  await wallet.call('labels.set', { diversifier_index, label: 'old' });
  await wallet.call('labels.set', { diversifier_index, label: 'Café "till" 😀' });
  const label = { account: 0, diversifier_index, address, label: 'Café "till" 😀' };
  const isShown = async (now: WalletHarness) => {
    t.deepEqual(await now.call('labels.list'), { labels: [label] });
    await now.call('sync.run');
    t.is((await now.call('notes.list')).notes[0]?.label, label.label);
  };
  await isShown(wallet);
  await wallet.call('wallet.rescan');
  await isShown(wallet);
  await wallet.call('wallet.change_password', { password: PASSWORD, new_password: 'another one' });
  await wallet.call('wallet.change_password', { password: 'another one', new_password: PASSWORD });
  await isShown(wallet);
  await wallet.call('accounts.create', { password: PASSWORD });
  await wallet.stop();
  for (const name of fs.readdirSync(folder))
    if (name.startsWith('ledger.db')) fs.rmSync(path.join(folder, name));
  const again = await restart();
  await isShown(again);
  t.deepEqual(await again.call('labels.list', { account: 1 }), { labels: [] });
  t.is(await again.failure('labels.list', { account: 2 }), 'NOT_FOUND');
  for (const bad of ['', '  ', 'a\nb', 'x'.repeat(257), '\ud800'])
    t.is(await again.failure('labels.set', { diversifier_index, label: bad }), 'INVALID_REQUEST', bad);
  t.deepEqual(await again.call('labels.remove', { diversifier_index }), { removed: true });
  t.deepEqual(await again.call('labels.remove', { diversifier_index }), { removed: false });
  t.deepEqual(await again.call('labels.list'), { labels: [] });
  t.is((await again.call('notes.list')).notes[0]?.label, null);
});

test('a lock while addresses are derived is reported, and no address of wiped keys is', async (t) => {
  const { devnet, wallet } = await setUp(t);
  for (let i = 0; i < 4; i++) {
    const { unified_address: address } = await wallet.call('address.next');
    devnet.payTo(address, { pool: 'ironwood', zatoshi: BigInt(1 + i) });
  }
  await wallet.call('sync.run');
  await wallet.call('wallet.lock');
  // Addresses are known no more.
  await wallet.call('wallet.unlock', { password: PASSWORD });
  const asked = wallet.failure('changes.list');
  await wallet.call('wallet.lock');
  t.is(await asked, 'WALLET_LOCKED');
});

test('events carry the address and the memo', async (t) => {
  const { wallet, pay, address } = await setUp(t);
  pay(3n, 'hello');
  pay(4n);
  await wallet.call('sync.run');
  const reported = wallet.events.filter((candidate) => candidate.event === 'note.received');
  t.like(reported[0]?.data, { value_zatoshi: 3, address, memo: { text: 'hello' } });
  t.like(reported[1]?.data, { value_zatoshi: 4, memo: null });
});
