import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { parseBlock, treeSizeFromState } from '@wallet-companion/zcash/blocks';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { MAIN, regtestParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import { Devnet } from '../../src/devnet/devnet.ts';
import type { NodeFault } from '../../src/devnet/nodeServer.ts';
import { rpcCall, rpcErrorCode, rpcResult } from '../helpers/rpc.ts';

async function startNode(t: ExecutionContext, options?: { cookieFile: string }) {
  const devnet = new Devnet({ params: regtestParameters({ nu6_3: 3, nu7: 4 }), seed: 'node' });
  devnet.mineEmpty(2);
  devnet.mine({ transactions: [devnet.traffic({ sapling: 3, ironwood: 4 })] });
  const url = await devnet.node.listen(options);
  t.teardown(() => devnet.close());
  return { devnet, url };
}

test('the chain is described like a zebrad does', async (t) => {
  const { devnet, url } = await startNode(t);
  const info = await rpcResult<Record<string, unknown>>(url, 'getblockchaininfo');
  t.like(info, {
    chain: 'test',
    blocks: 3,
    headers: 3,
    bestblockhash: toDisplayHex(devnet.tip.hash),
    consensus: { chaintip: '37a5165b', nextblock: '77190ad9' },
  });
  t.like(info['upgrades'], { '37a5165b': { name: 'NU6.3', activationheight: 3, status: 'active' } });
  t.is(await rpcResult(url, 'getblockcount'), 3);
  t.is(await rpcResult(url, 'getbestblockhash'), toDisplayHex(devnet.tip.hash));
  t.deepEqual(await rpcResult(url, 'getbestblockheightandhash'), {
    height: 3,
    hash: toDisplayHex(devnet.tip.hash),
  });
  t.deepEqual(await rpcResult(url, 'getrawmempool'), []);
});

test('blocks come raw, summarised and with their transactions', async (t) => {
  const { devnet, url } = await startNode(t);
  const hash = toDisplayHex(devnet.tip.hash);
  const raw = await rpcResult<string>(url, 'getblock', '3', 0);
  t.is(raw, bytesToHex(devnet.tip.bytes));
  t.is(await rpcResult(url, 'getblock', hash, 0), raw);
  const summary = await rpcResult<{ tx: string[] }>(url, 'getblock', '3', 1);
  t.like(summary, {
    hash,
    height: 3,
    confirmations: 1,
    nTx: 2,
    previousblockhash: toDisplayHex(devnet.blocks.at(2)!.hash),
    trees: { sapling: { size: 3 }, ironwood: { size: 4 } },
  });
  t.false('nextblockhash' in summary);
  t.deepEqual(
    summary.tx,
    devnet.tip.transactions.map(({ txid }) => toDisplayHex(txid)),
  );
  const full = await rpcResult<{ tx: { hex: string; txid: string }[] }>(url, 'getblock', '3', 2);
  t.deepEqual(
    full.tx.map(({ txid }) => txid),
    summary.tx,
  );
  t.is(await rpcResult(url, 'getrawtransaction', summary.tx[1], 0), full.tx[1]!.hex);
  t.like(await rpcResult(url, 'getrawtransaction', summary.tx[1], 1), { height: 3, blockhash: hash });
  const header = await rpcResult<string>(url, 'getblockheader', '3', false);
  t.true(raw.startsWith(header) && header.length === 2 * 177);
});

test('a header comes with its fields, by a height from the tip as well', async (t) => {
  const { devnet, url } = await startNode(t);
  const tip = { hash: toDisplayHex(devnet.tip.hash), height: 3, confirmations: 1 };
  const header = await rpcResult<object>(url, 'getblockheader', '-1');
  t.like(header, { ...tip, previousblockhash: toDisplayHex(devnet.blocks.at(2)!.hash) });
  t.false('nextblockhash' in header);
  t.like(await rpcResult(url, 'getblockheader', '-2'), {
    height: 2,
    confirmations: 2,
    nextblockhash: tip.hash,
  });
  t.like(await rpcResult(url, 'getinfo'), { build: 'devnet', blocks: 3, testnet: true });
  t.deepEqual(await rpcResult(url, 'getrawmempool', true), {});
  t.deepEqual(await rpcResult(url, 'z_getsubtreesbyindex', 'sapling', 0), {
    pool: 'sapling',
    start_index: 0,
    subtrees: [],
  });
});

test('genesis is the real one, and its hash identifies the network', async (t) => {
  const { devnet, url } = await startNode(t);
  t.is(await rpcResult(url, 'getblockhash', 0), devnet.params.genesisHash);
  const { header } = parseBlock(hexToBytes(await rpcResult<string>(url, 'getblock', '0', 0)));
  t.is(toDisplayHex(header.hash), devnet.params.genesisHash);
});

test('tree states name the pools that exist at the height', async (t) => {
  const { devnet, url } = await startNode(t);
  type State = Record<string, { commitments: { finalState: string } }>;
  const before = await rpcResult<State>(url, 'z_gettreestate', '2');
  t.is(before['sapling']!.commitments.finalState, '000000');
  t.false('ironwood' in before);
  const after = await rpcResult<State>(url, 'z_gettreestate', toDisplayHex(devnet.tip.hash));
  for (const pool of ['sapling', 'orchard', 'ironwood'] as const) {
    t.is(
      treeSizeFromState(hexToBytes(after[pool]!.commitments.finalState)),
      devnet.tip.treeSizes[pool],
      pool,
    );
  }
});

test('refusals carry the codes of a zebrad', async (t) => {
  const { url } = await startNode(t);
  t.is(await rpcErrorCode(url, 'getblock', '4', 0), -8);
  t.is(await rpcErrorCode(url, 'getblock', '00'.repeat(32), 0), -5);
  t.is(await rpcErrorCode(url, 'getblock', 3, 0), -1);
  t.is(await rpcErrorCode(url, 'getblock'), -1);
  t.is(await rpcErrorCode(url, 'getblockhash', 9), -8);
  for (const [method, ...params] of [
    ['getblockhash', '3'],
    ['getblock', 'three'],
    ['getblock', '3', 3],
    ['getrawtransaction', 'no txid'],
    ['sendrawtransaction', 3],
    ['z_getsubtreesbyindex', 'sprout', 0],
    ['z_getsubtreesbyindex', 'sapling', -1],
  ] as const)
    t.is(await rpcErrorCode(url, method, ...params), -1, method);
  t.is(await rpcErrorCode(url, 'z_gettreestate', '9'), -8);
  t.is(await rpcErrorCode(url, 'getrawtransaction', '00'.repeat(32)), -5);
  t.is(await rpcErrorCode(url, 'toString'), -32_601);
  const { status } = await rpcCall(url, 'getblock', ['4', 0]);
  t.is(status, 200);
  t.is((await fetch(url)).status, 405);
  t.is((await fetch(url, { method: 'POST', body: 'no json' })).status, 400);
});

test('an abandoned branch is forgotten', async (t) => {
  const { devnet, url } = await startNode(t);
  const lost = toDisplayHex(devnet.tip.hash);
  const txid = toDisplayHex(devnet.tip.transactions[1]!.txid);
  const { forkHeight, abandoned, mined } = devnet.reorganise(1);
  t.deepEqual([forkHeight, abandoned.length, mined.length], [2, 1, 2]);
  t.is(await rpcErrorCode(url, 'getblock', lost, 0), -5);
  t.is(await rpcErrorCode(url, 'getrawtransaction', txid), -5);
  t.not(await rpcResult(url, 'getblockhash', 3), lost);
});

test('with a cookie file only its credentials are let in', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'devnet-cookie-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const cookieFile = path.join(folder, '.cookie');
  const { url } = await startNode(t, { cookieFile });
  const cookie = readFileSync(cookieFile, 'utf8');
  t.true(cookie.startsWith('__cookie__:'));
  t.is(statSync(cookieFile).mode & 0o777, 0o600);
  t.is((await rpcCall(url, 'getblockcount')).status, 401);
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  t.is((await rpcCall(url, 'getblockcount', [], basic('__cookie__:wrong'))).status, 401);
  t.is((await rpcCall(url, 'getblockcount', [], basic(cookie))).status, 200);
});

for (const [kind, holds] of [
  ['garbage', ({ text }) => text.startsWith('<html>')],
  ['truncated', ({ text }) => text.startsWith('{') && !text.endsWith('}')],
  ['no-result', ({ text }) => text === '{"jsonrpc":"2.0","id":1}'],
  ['wrong-result', ({ text }) => text.includes('unexpected')],
  ['error', ({ text }) => text.includes('"code":-28')],
  ['http-500', ({ status }) => status === 500],
  ['unauthorized', ({ status }) => status === 401],
] as const satisfies [NodeFault['kind'], (answer: { status: number; text: string }) => boolean][]) {
  test(`misbehaves on request: ${kind}`, async (t) => {
    const { devnet, url } = await startNode(t);
    devnet.node.misbehave({ kind, method: 'getblockcount', times: 1 });
    t.is(await rpcResult(url, 'getbestblockhash'), toDisplayHex(devnet.tip.hash), 'other methods answer');
    t.true(holds(await rpcCall(url, 'getblockcount')));
    t.is(await rpcResult(url, 'getblockcount'), 3, 'once is once');
  });
}

test('misbehaves on request: another network', async (t) => {
  const { devnet, url } = await startNode(t);
  devnet.node.misbehave({ kind: 'other-network' });
  t.is(await rpcResult(url, 'getblockhash', 0), MAIN.genesisHash);
  devnet.node.behave();
  t.is(await rpcResult(url, 'getblockhash', 0), devnet.params.genesisHash);
});

test('misbehaves on request: hangs up, and stalls until it is closed', async (t) => {
  const { devnet, url } = await startNode(t);
  devnet.node.misbehave({ kind: 'hang-up', times: 1 });
  await t.throwsAsync(rpcCall(url, 'getblockcount'));
  devnet.node.misbehave({ kind: 'stall', after: 1 });
  t.is(await rpcResult(url, 'getblockcount'), 3);
  const stalled = t.throwsAsync(rpcCall(url, 'getblockcount'));
  while (devnet.node.callCount('getblockcount') < 3) await new Promise((resolve) => setImmediate(resolve));
  await devnet.close();
  await stalled;
});
