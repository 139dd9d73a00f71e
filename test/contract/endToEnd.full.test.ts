// The same comparison on the real thing: wallet and chain threads over an embedded chain, every surface before one
// companion, which must all tell the same at each stage of a wallet's life.

import { Devnet } from '@wallet-companion/devnet';
import test, { type ExecutionContext } from 'ava';
import type { Link } from '../../src/protocol/link.ts';
import type { OperationName, Output } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { Companion } from '../../src/workers/companion.ts';
import { createLog } from '../../src/workers/threadLog.ts';
import { CHEAP_KDF } from '../helpers/cheapKdf.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { type Outcome, type Surface, surfaces } from './surfaces.ts';

const PASSWORD = 'correct horse battery staple';
const BLOCKS = 30;

interface Opened {
  readonly name: string;
  readonly surface: Surface;
}

async function openAll(t: ExecutionContext, link: Link): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (const kind of surfaces) {
    if (kind.missing === undefined) opened.push({ name: kind.name, surface: await kind.open(t, link) });
    else t.log(`without ${kind.name}: ${kind.missing}`);
  }
  return opened;
}

/** Asks every surface; all outcomes must be the first one's, which is returned. */
async function agreed(
  t: ExecutionContext,
  all: readonly Opened[],
  name: OperationName,
  input: object = {},
): Promise<Outcome> {
  const [first, ...others] = all;
  if (first === undefined) throw new Error('no surface');
  const expected = await first.surface.call(name, input);
  for (const other of others) {
    t.deepEqual(await other.surface.call(name, input), expected, `${name} through ${other.name}`);
  }
  return expected;
}

async function agreedCode(
  t: ExecutionContext,
  all: readonly Opened[],
  name: OperationName,
  input: object = {},
): Promise<string> {
  const outcome = await agreed(t, all, name, input);
  return outcome.ok ? 'OK' : outcome.problem.code;
}

const SESSION_OPERATIONS = [
  'balance.get',
  'notes.list',
  'transactions.list',
  'accounts.list',
  'address.get',
] as const satisfies readonly OperationName[];

test('every surface answers the same for one companion, from no wallet to a scanned one', async (t) => {
  const devnet = new Devnet({ seed: 'contract' });
  t.teardown(() => devnet.close());
  const companion = Companion.start({
    configDir: temporaryFolder(t),
    dataDir: temporaryFolder(t),
    kdf: CHEAP_KDF,
    overrides: {
      network: 'regtest',
      node_url: await devnet.node.listen(),
      compact_server_url: await devnet.compact.listen(),
    },
    version: '0.0.0',
    scanThreads: 1,
    log: createLog('main'),
  });
  t.teardown(() => companion.stop());
  const all = await openAll(t, companion);
  const call = async <N extends OperationName>(name: N, input: object = {}): Promise<Output<N>> =>
    unwrap(await companion.dispatch(name, input, { requestId: 'test' }));

  t.deepEqual(await agreed(t, all, 'wallet.exists'), { ok: true, value: { exists: false } });
  for (const name of SESSION_OPERATIONS) t.is(await agreedCode(t, all, name), 'NO_WALLET', name);
  t.is(await agreedCode(t, all, 'sync.run'), 'NO_WALLET');

  const { unified_address: address } = await call('wallet.create', {
    password: PASSWORD,
    birthday_height: 1,
  });
  t.is(await agreedCode(t, all, 'wallet.create', { password: PASSWORD }), 'WALLET_EXISTS');
  t.like(await agreed(t, all, 'balance.get'), {
    ok: true,
    value: { as_of_height: null, as_of_hash: null, complete: false, missing_ranges: [] },
  });
  devnet.payTo(address, { pool: 'orchard', zatoshi: 1_000_000n, memo: 'orchard \u{1f916} memo' });
  devnet.payTo(address, { pool: 'sapling', zatoshi: 250_000n });
  devnet.mineEmpty(BLOCKS - devnet.tip.height);

  t.deepEqual(await agreed(t, all, 'wallet.lock'), { ok: true, value: { unlocked: false } });
  for (const name of SESSION_OPERATIONS) t.is(await agreedCode(t, all, name), 'WALLET_LOCKED', name);

  await call('wallet.unlock', { password: PASSWORD });
  const synced = await call('sync.run');
  t.true(synced.caught_up);
  for (const name of [...SESSION_OPERATIONS, 'config.get', 'wallet.exists', 'system.version'] as const) {
    t.is(await agreedCode(t, all, name), 'OK', name);
  }
  const balance = await agreed(t, all, 'balance.get', { account: 0 });
  t.like(balance, { ok: true, value: { total_zatoshi: 1_250_000, complete: true, as_of_height: BLOCKS } });
  t.is(await agreedCode(t, all, 'balance.get', { account: 7 }), 'NOT_FOUND');
  t.is(await agreedCode(t, all, 'notes.list', { pool: 'orchard', unspent: true, limit: 1 }), 'OK');

  const { notes } = await call('notes.list');
  const { txid, pool, output_index } = notes[0]!;
  const witness = await agreed(t, all, 'notes.witness', { txid, pool, output_index });
  t.like(witness, { ok: true, value: { txid, pool, anchor_height: BLOCKS - 2 } });
  const early = { txid, pool, output_index, anchor_height: 0 };
  t.is(await agreedCode(t, all, 'notes.witness', early), 'INVALID_RANGE');

  // The compact server, before there is a store and after.
  t.like(await agreed(t, all, 'lwd.info'), { ok: true, value: { block_height: BLOCKS, store: null } });
  t.like(await agreed(t, all, 'lwd.chain_tip'), { ok: true, value: { height: BLOCKS, stored_height: null } });
  // The chain thread fetches, but a password is the wallet thread's to judge.
  const fetching = (password: unknown) =>
    companion.dispatch('lwd.sync_compact', { password }, { requestId: 'test' });
  await call('wallet.lock');
  t.like(await fetching(5), { ok: false, error: { code: 'INVALID_REQUEST' } });
  t.like(await fetching('wrong'), { ok: false, error: { code: 'WRONG_PASSWORD' } });
  t.like(await agreed(t, all, 'lwd.chain_tip'), { ok: true, value: { stored_height: null } });
  t.like(await fetching(PASSWORD), { ok: true, value: { blocks_stored: BLOCKS } });
  t.true((await call('wallet.status')).unlocked);
  for (const { surface } of all) {
    await call('wallet.lock');
    t.true((await surface.call('sync.cancel', { password: PASSWORD })).ok);
    t.true((await call('wallet.status')).unlocked);
  }
  t.like(await agreed(t, all, 'lwd.chain_tip'), { ok: true, value: { stored_height: BLOCKS } });
  t.is(await agreedCode(t, all, 'lwd.chain_tip', { db_path: '../elsewhere.db' }), 'INVALID_DB_PATH');

  // Each surface in turn changes something that the others then see.
  for (const [place, { surface }] of all.entries()) {
    const theme = place % 2 === 0 ? 'dark' : 'light';
    t.true((await surface.call('config.theme', { theme })).ok);
    t.like(await agreed(t, all, 'config.get'), { ok: true, value: { theme } });
  }
  await devnet.compact.close();
  t.is(await agreedCode(t, all, 'lwd.info'), 'COMPACT_SERVER_UNREACHABLE');
});
