// Companions on one phrase, each with a source of its own; what they say of the wallet is compared.
import type { ExecutionContext } from 'ava';
import type { Output } from '../../../src/protocol/operations.ts';
import type { Service } from '../../helpers/service.ts';
import { ok, openCompanion, PASSWORD } from '../../real/payingCompanion.ts';
import { IRONWOOD_HEIGHT } from '../../real/zebrad.ts';
import { knownKeys, type ServedChain } from './serverChain.ts';

export interface Wallet {
  readonly name: string;
  readonly service: Service;
  readonly source: 'node' | 'compact';
}

async function openWallet(
  t: ExecutionContext,
  { node, nu7 }: ServedChain,
  name: string,
  compactUrl: string,
): Promise<Wallet> {
  const isNode = name === 'node';
  const config = {
    network: 'regtest',
    node_url: node.url,
    compact_server_url: compactUrl,
    // Memos from the same server as the blocks.
    ...(isNode ? {} : { node_url: 'http://127.0.0.1:1' }),
    activation_heights: { nu6_3: IRONWOOD_HEIGHT, nu7: nu7 ?? null },
  };
  const service = await openCompanion(t, config, knownKeys().mnemonic, { asIs: true });
  ok(t, await service.post('/api/accounts', { password: PASSWORD }));
  return { name, service, source: isNode ? 'node' : 'compact' };
}

/** The node's own JSON-RPC first, then a wallet for each server. */
export async function openWallets(t: ExecutionContext, chain: ServedChain): Promise<readonly Wallet[]> {
  const wallets = [await openWallet(t, chain, 'node', chain.node.compactUrl)];
  for (const { name, url } of chain.servers) wallets.push(await openWallet(t, chain, name, url));
  return wallets;
}

export const sync = ({ service, source }: Wallet, more: object = {}) =>
  service.post<Output<'sync.run'>>('/api/sync', { source, ...more });

/** All that a person sees of the chain, in one order. */
export async function seenBy(t: ExecutionContext, { service }: Wallet): Promise<object> {
  const { notes } = ok(t, await service.get<Output<'notes.list'>>('/api/notes?limit=1000'));
  const { as_of_height, complete, pools, total_zatoshi } = ok(
    t,
    await service.get<Output<'balance.get'>>('/api/balance'),
  );
  const { transactions } = ok(
    t,
    await service.get<Output<'transactions.list'>>('/api/transactions?limit=1000'),
  );
  // What a payment reserves is each wallet's own.
  const onChain = notes.map((note) => ({ ...note, reserved_by: null }));
  const byPlace = onChain.sort((a, b) => a.pool.localeCompare(b.pool) || a.position - b.position);
  return { as_of_height, complete, pools, total_zatoshi, notes: byPlace, transactions };
}

/** Each has scanned to the node's tip and says what the first one says. */
export async function allAgree(
  t: ExecutionContext,
  chain: ServedChain,
  wallets: readonly Wallet[],
  what: string,
): Promise<void> {
  await chain.caughtUp();
  const tip = await chain.behind.tip();
  for (const wallet of wallets)
    t.like(ok(t, await sync(wallet)), { chain_tip: tip, caught_up: true }, `${what}, ${wallet.name}`);
  const [first, ...others] = wallets;
  const expected = await seenBy(t, first!);
  for (const other of others) t.deepEqual(await seenBy(t, other), expected, `${what}, ${other.name}`);
  const { total_zatoshi } = expected as { total_zatoshi: number };
  t.log(`${what}, block ${tip}: ${wallets.map(({ name }) => name).join(', ')} show ${total_zatoshi} zat`);
}
