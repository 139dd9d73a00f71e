// One chain of a real node behind each compact server there is: the same blocks, trees and transactions, the same notes and
// balances, whatever happens to the server meanwhile.

import { hexToBytes } from '@wallet-companion/base/bytes';
import { asTxId } from '@wallet-companion/zcash/identifiers';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { untilTrue } from '../helpers/foreignProgram.ts';
import {
  broadcast,
  NOBODY,
  ok,
  type Payment,
  prepare,
  signAndProve,
  untilInMempool,
} from '../real/payingCompanion.ts';
import { openPcztTool, type PcztTool } from '../real/pcztTool.ts';
import { IRONWOOD_HEIGHT, NU7_AFTER_RECORDED, regsend } from '../real/zebrad.ts';
import { KINDS } from './support/compactServers.ts';
import { answersOf } from './support/probe.ts';
import { knownKeys, type ServedChain, serveChain } from './support/serverChain.ts';
import { allAgree, openWallets, sync, type Wallet } from './support/wallets.ts';

const UNLIKE_ZEBRAD = [
  'info',
  'blocks from 0',
  'blocks past the tip',
  'a block above the tip',
  'tree state above the tip',
  'tree state 0',
  'an unknown transaction',
];
/** What servers answer differently from zebrad's own (docs/block-sources.md); everything else is the same to the byte. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  lightwalletd: UNLIKE_ZEBRAD,
  zainod: [...UNLIKE_ZEBRAD, 'sending what is mined', 'sending nonsense'],
};

const CHAINS = [
  { what: 'across NU7', nu7: NU7_AFTER_RECORDED + 2 },
  { what: 'without NU7', nu7: undefined },
] as const;

for (const { what, nu7 } of CHAINS) {
  test.serial(`servers answer the same for a chain ${what}`, async (t) => {
    const chain = await serveChain(t, { nu7, recorded: true });
    await chain.mine(5);
    await chain.caughtUp();
    const tip = await chain.behind.tip();
    const { tx } = await chain.node.rpc<{ tx: string[] }>('getblock', '127', 1);
    const mined = tx.at(-1) ?? '';
    const asked = {
      tip,
      heights: [0, 1, IRONWOOD_HEIGHT - 1, IRONWOOD_HEIGHT, 60, tip],
      mined: asTxId(hexToBytes(mined).reverse()),
      minedBytes: hexToBytes(await chain.node.rpc<string>('getrawtransaction', mined, 0)),
      address: NOBODY,
    };
    const [own, ...others] = chain.servers;
    const expected = await answersOf(own!.connection, asked);
    for (const { name, connection } of others) {
      const reported = await answersOf(connection, asked);
      const different = Object.keys(expected).filter((call) => {
        if (JSON.stringify(reported[call]) === JSON.stringify(expected[call])) return false;
        t.log(`${call}: ${brief(expected[call])} from zebrad, ${brief(reported[call])} from ${name}`);
        return true;
      });
      t.deepEqual(different.sort(), [...DIFFERENT[name]!].sort(), name);
    }
  });

  test.serial(`wallets see the same by each server, ${what}`, async (t) => {
    const chain = await serveChain(t, { nu7, recorded: true });
    const wallets = await openWallets(t, chain);
    await allAgree(t, chain, wallets, 'the recorded chain');

    await paidFromOutside(t, chain, wallets);
    await chain.mine(1);
    await allAgree(t, chain, wallets, 'the payment is mined');
    await chain.mine(3);
    await chain.mine(1, knownKeys().accounts[0]!.defaultAddress);
    await allAgree(t, chain, wallets, what);

    const tool = openPcztTool(knownKeys().mnemonic);
    if (tool === undefined)
      t.log('the reference tool is not installed: nothing was sent through the servers');
    else {
      t.teardown(() => tool.remove());
      for (const wallet of wallets) await paysThrough(t, chain, wallet, wallets, tool);
    }
    await reorganised(t, chain, wallets);
  });

  test.serial(`a chain with empty pools, ${what}`, async (t) => {
    const early = nu7 === undefined ? undefined : IRONWOOD_HEIGHT + 3;
    const chain = await serveChain(t, { nu7: early, recorded: false });
    const wallets = await openWallets(t, chain);
    await allAgree(t, chain, wallets, 'one block');
    await chain.mine(IRONWOOD_HEIGHT - 2);
    await allAgree(t, chain, wallets, 'before Ironwood');
    await chain.mine(2);
    await allAgree(t, chain, wallets, 'Ironwood without a note');
    await chain.mine(4);
    await allAgree(t, chain, wallets, what);
  });
}

const brief = (answer: unknown): string => {
  const text = JSON.stringify(answer);
  return text.length <= 200 ? text : `${text.slice(0, 80)} … ${text.slice(-110)}`;
};

/** A payment that is not the companions': in the mempool of each server. */
async function paidFromOutside(
  t: ExecutionContext,
  { node }: ServedChain,
  wallets: readonly Wallet[],
): Promise<void> {
  const { mnemonic, accounts } = knownKeys();
  const recipient = accounts[1]!.defaultAddress;
  const account = '0';
  await regsend([
    node.hostPort,
    String(IRONWOOD_HEIGHT),
    mnemonic,
    account,
    'ironwood',
    recipient,
    '50000',
    'before it is mined',
  ]);
  await untilInMempool({ node }, 1);
  const seen: unknown[] = [];
  for (const { name, service, source } of wallets) {
    // lightwalletd asks its node every two seconds.
    await untilTrue(`${name} shows the mempool`, async () => {
      const { transactions } = ok(t, await service.post<Output<'mempool.look'>>('/api/mempool', { source }));
      if (transactions.length === 0) return false;
      seen.push(transactions.map((one) => ({ ...one, first_seen_at: undefined })));
      return true;
    });
  }
  for (const [i, one] of seen.entries()) t.deepEqual(one, seen[0], wallets[i]!.name);
}

/** Prepared, proved and sent by one wallet through its server, seen by all. */
async function paysThrough(
  t: ExecutionContext,
  chain: ServedChain,
  wallet: Wallet,
  wallets: readonly Wallet[],
  tool: PcztTool,
): Promise<void> {
  const { name, service, source } = wallet;
  const prepared = await prepare(t, service, {
    source,
    address: knownKeys().accounts[1]!.defaultAddress,
    zatoshi: 12_345,
    memo: `through ${name}`,
  });
  await signAndProve(t, { tool }, service, prepared);
  t.like(ok(t, await broadcast(service, prepared, source)).last_sent, { source, outcome: 'accepted' }, name);
  await untilInMempool(chain, 1);
  const again = ok(t, await broadcast(service, prepared, source));
  t.like(again.last_sent, { source, outcome: 'accepted' }, `${name}, sent again`);
  await chain.mine(1);
  await allAgree(t, chain, wallets, `paid through ${name}`);
  const paid = ok(t, await service.get<Payment>(`/api/payments/${prepared.payment_id}`));
  t.is(paid.status, 'confirmed', name);
}

/** The last blocks are replaced. Nobody waits for the servers: what a wallet says meanwhile may be an error, and no mixture. */
async function reorganised(
  t: ExecutionContext,
  chain: ServedChain,
  wallets: readonly Wallet[],
): Promise<void> {
  const { node, behind } = chain;
  await untilTrue(
    'the mempool is empty',
    async () => (await node.rpc<string[]>('getrawmempool')).length === 0,
  );
  const tip = await behind.tip();
  await node.rpc('invalidateblock', await node.rpc('getblockhash', tip - 1));
  await chain.mine(4);
  for (const wallet of wallets) {
    const { status, body } = await sync(wallet);
    if (status === 200)
      t.log(`at once, ${wallet.name}: ${JSON.stringify({ reorg: body.reorg, chain_tip: body.chain_tip })}`);
    else t.log(`at once, ${wallet.name}: ${String((body as { code?: string }).code)}`);
  }
  await allAgree(t, chain, wallets, 'another branch');
}

if (KINDS.every(({ program }) => program === undefined))
  test.skip('no compact server but zebrad is installed here', () => undefined);
