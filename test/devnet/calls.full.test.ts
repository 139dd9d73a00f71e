// What can be done to a devnet over HTTP, and what cannot.
import { request } from 'node:http';
import { MAX_BLOCK_BYTES } from '@wallet-companion/devnet/calls';
import { rpcResult } from '@wallet-companion/devnet/test/rpc';
import { MOST_SHIELDED_ITEMS } from '@wallet-companion/zcash/blocks';
import test, { type ExecutionContext } from 'ava';
import { problemOf } from '../helpers/problems.ts';
import { type Called, callDevnet, type Mined } from './support/calls.ts';

interface Notes {
  readonly balance_zatoshi: Readonly<Record<string, number>>;
  readonly notes: readonly {
    readonly pool: string;
    readonly value_zatoshi: number;
    readonly txid: string;
    readonly output_index: number;
    readonly memo_hex: string;
    readonly height: number;
    readonly spent_height: number | null;
  }[];
}

interface Chain {
  readonly seed: string;
  readonly pools: readonly string[];
  readonly tip: { readonly height: number; readonly hash: string };
  readonly node_url: string;
  readonly activation_heights: Readonly<Record<string, number>>;
}

const POOLS = ['sapling', 'orchard', 'ironwood'];

const refused = async (t: ExecutionContext, called: Called, path: string, body: unknown): Promise<string> =>
  (await problemOf(t, await called.post(path, body), 'INVALID_REQUEST')).detail;

/** Everything once: payments, flaws, spends, rewards, traffic, a reorganisation, a failure. */
async function play({ ok, post }: Called): Promise<void> {
  for (const pool of POOLS) await ok('/pay', { pool, zatoshi: 1_000_000, memo: `to ${pool}` });
  await ok('/pay', { pool: 'orchard', zatoshi: 5, flaw: 'wrong-commitment' });
  const { blocks } = await ok('/send', { from: 'orchard', payments: [{ pool: 'sapling', zatoshi: 10 }] });
  await ok('/traffic', { outputs: { sapling: 3, ironwood: 2 }, blocks: 2 });
  await post('/send', { from: 'sapling', payments: [{ pool: 'sapling', zatoshi: 999_999_999 }] });
  await ok('/reorg', {
    depth: 3,
    blocks: [
      { coinbase: {} },
      { transactions: [{ kind: 'again', txid: blocks[0]?.transactions[1]?.txid }] },
      {},
      {},
    ],
  });
}

test('the same seed and calls make the same blocks, another seed does not', async (t) => {
  const hashes = async (seed: string) => {
    const called = await callDevnet(t, { seed });
    await play(called);
    const { blocks } = await called.seen<Mined>('/blocks');
    return blocks.map(({ hash }) => hash);
  };
  const first = await hashes('one');
  t.is(first.length, 9);
  t.deepEqual(await hashes('one'), first);
  t.not((await hashes('two')).at(-1), first.at(-1));
});

test('a reset begins anew behind the same servers, and makes the same blocks again', async (t) => {
  const called = await callDevnet(t);
  await play(called);
  const before = await called.seen<Mined>('/blocks');
  const { node_url } = await called.seen<Chain>('/chain');
  await called.ok('/faults', { server: 'node', kind: 'http-500' });
  const chain = await called.ok<Chain>('/reset');
  t.like(chain, { seed: 'calls', node_url, tip: { height: 0 } });
  t.is(await rpcResult(node_url, 'getblockcount'), 0);
  t.deepEqual(await called.seen('/faults'), { faults: [], later: [] });
  await play(called);
  t.deepEqual(await called.seen<Mined>('/blocks'), before);
  const other = await called.ok<Chain>('/reset', { seed: 'x', activation_heights: { nu6_3: 3 } });
  t.deepEqual(other.pools, ['sapling', 'orchard']);
  t.is(await rpcResult(node_url, 'getblockcount'), 0);
});

test('notes, spends and balances are those of the calls made', async (t) => {
  const { ok } = await callDevnet(t);
  const paid = await ok('/pay', { pool: 'sapling', zatoshi: 70_000, memo: 'bread' });
  for (const flaw of ['wrong-commitment', 'wrong-lead-byte', 'wrong-ephemeral-key', 'excessive-value'])
    await ok('/pay', { pool: 'sapling', zatoshi: 9, flaw });
  await ok('/mine', { blocks: 2, coinbase: { pool: 'ironwood' } });
  // Paid from coins in the open, beside an output of a stranger.
  const memo_hex = `ff${'07'.repeat(511)}`;
  const payments = [{ pool: 'orchard', zatoshi: 5, memo_hex }];
  const other = { kind: 'pay', payer: 'transparent', payments, other_outputs: { orchard: 1 } };
  await ok('/mine', { transactions: [other] });
  const truth = await ok<Notes>('/notes');
  t.is(truth.notes.find(({ value_zatoshi }) => value_zatoshi === 5)?.memo_hex, memo_hex);
  t.is(truth.balance_zatoshi['ironwood'], 625_000_000);
  const bread = truth.notes.find(({ value_zatoshi }) => value_zatoshi === 70_000);
  t.is(
    Buffer.from(bread?.memo_hex ?? '', 'hex')
      .toString()
      .replaceAll('\0', ''),
    'bread',
  );
  t.is(bread?.txid, paid.blocks[0]?.transactions[1]?.txid);
  const note = { txid: bread?.txid, pool: 'sapling', output_index: bread?.output_index };
  const { tip, blocks } = await ok('/send', {
    from: [note],
    payments: [{ pool: 'ironwood', zatoshi: 50_000 }],
  });
  const fee = blocks[0]?.transactions[1]?.fee_zatoshi ?? 0;
  const after = await ok<Notes>('/notes');
  t.deepEqual(after.balance_zatoshi, { sapling: 20_000 - fee, orchard: 5, ironwood: 625_050_000 });
  t.is(after.notes.find(({ txid }) => txid === bread?.txid)?.spent_height, tip.height);
});

test("a wallet's own keys can be followed and paid from", async (t) => {
  const mine = await callDevnet(t, { seed: 'mine' });
  const theirs = await callDevnet(t, { seed: 'theirs' });
  const { viewing_key, unified_address: address } = await theirs.seen<{
    viewing_key: string;
    unified_address: string;
  }>('/wallet');
  await mine.ok('/pay', { address, pool: 'ironwood', zatoshi: 60_000 });
  t.is((await mine.ok<Notes>('/notes')).notes.length, 0);
  t.is((await mine.ok<Notes>('/notes', { viewing_key })).balance_zatoshi['ironwood'], 60_000);
  await mine.ok('/send', {
    viewing_key,
    from: 'ironwood',
    payments: [{ pool: 'ironwood', zatoshi: 40_000 }],
  });
  t.is((await mine.ok<Notes>('/notes')).balance_zatoshi['ironwood'], 40_000);
});

test('traffic never makes a block above two million bytes or the limits of NU7, and leaves out nothing', async (t) => {
  const { ok } = await callDevnet(t);
  const before = { nu7: 1_000_000 };
  // Each of these alone would fill more than one block.
  const cases = [{ orchard: 700 }, { sapling: 2_200 }, { sapling: 500, orchard: 200, ironwood: 450 }];
  for (const outputs of cases) {
    await ok('/reset', { activation_heights: {} });
    const { blocks: limited } = await ok('/traffic', { outputs });
    const asked = Object.values(outputs).reduce((sum, count) => sum + count, 0);
    t.true(limited.length >= asked / MOST_SHIELDED_ITEMS && limited.length < asked / 150);
    await ok('/reset', { activation_heights: before });
    const { blocks } = await ok('/traffic', { outputs });
    t.true(blocks.length > 1);
    for (const { size } of blocks) t.true(size <= MAX_BLOCK_BYTES, `${size}`);
    t.true(blocks[0]!.size > MAX_BLOCK_BYTES / 2, 'blocks are filled');
    const sizes = blocks.at(-1)!.tree_sizes;
    for (const [pool, count] of Object.entries(outputs)) t.true((sizes[pool] ?? 0) >= count, pool);
  }
});

test('from NU7 a block takes no version 4 and no more than its limits, for every caller', async (t) => {
  const called = await callDevnet(t);
  const traffic = (outputs: object) => ({ kind: 'traffic', outputs });
  for (const [transactions, words] of [
    [[traffic({ ironwood: 331 })], /^The block would have 331 Ironwood actions; at most 330 are valid/],
    [
      [traffic({ orchard: 200 }), traffic({ ironwood: 131 })],
      /331 shielded actions across all pools; at most 330/,
    ],
    // With the spend of the one who pays.
    [[traffic({ sapling: 300 })], /301 Sapling inputs and outputs; at most 300/],
    [
      [{ kind: 'pay', payments: [{ pool: 'sapling', zatoshi: 1 }], version: 4 }],
      /no transactions of version 4/,
    ],
  ] as const)
    t.regex(await refused(t, called, '/mine', { transactions }), words);
  await called.ok('/mine', { transactions: [traffic({ orchard: 200 }), traffic({ ironwood: 130 })] });
  await called.ok('/mine', { transactions: [traffic({ sapling: 299 })] });
  t.regex(
    await refused(t, called, '/mine', { transactions: [traffic({ ironwood: 330 })], coinbase: {} }),
    /331 Ironwood actions/,
  );
});

test('a block above two million bytes is refused, and a failed call leaves the chain as it was', async (t) => {
  const called = await callDevnet(t);
  await called.ok('/reset', { activation_heights: { nu7: 1_000_000 } });
  await called.ok('/pay', { pool: 'sapling', zatoshi: 100_000 });
  await called.ok('/mine', { blocks: 3 });
  const before = await called.seen<Mined>('/blocks');
  const heavy = { kind: 'traffic', outputs: { orchard: 350 } };
  t.regex(
    await refused(t, called, '/mine', { transactions: [heavy, heavy] }),
    /^The block would have \d+ bytes/,
  );
  const spend = { kind: 'send', from: 'sapling', payments: [{ pool: 'sapling', zatoshi: 1 }] };
  for (const [path, body] of [
    ['/mine', { transactions: [spend, spend] }],
    ['/reorg', { depth: 2, blocks: [{}, {}, { coinbase: { pool: 'orchard' } }] }],
    ['/reorg', { depth: 2, blocks: [{}, { transactions: [heavy, heavy] }] }],
    ['/reorg', { depth: 900 }],
  ] as const) {
    await refused(t, called, path, body);
    t.deepEqual(await called.seen<Mined>('/blocks'), before, path);
  }
  t.is((await called.ok('/mine')).tip.height, before.blocks.length);
  t.deepEqual(called.faults, []);
});

test('a transaction that a reorganisation dropped can return, once', async (t) => {
  const called = await callDevnet(t);
  const { blocks } = await called.ok('/pay', { pool: 'ironwood', zatoshi: 7 });
  const { txid = '' } = blocks[0]?.transactions[1] ?? {};
  const again = { transactions: [{ kind: 'again', txid }] };
  t.regex(await refused(t, called, '/mine', again), /^No reorganisation has dropped/);
  await called.ok('/reorg', { depth: 1 });
  t.is((await called.ok<Notes>('/notes')).notes.length, 0);
  await called.ok('/mine', again);
  t.is((await called.ok<Notes>('/notes')).notes[0]?.height, 3);
  t.regex(await refused(t, called, '/mine', again), /on the chain already/);
});

test('servers misbehave as often as asked, and are seen to', async (t) => {
  const { ok, seen } = await callDevnet(t);
  const { node_url } = await seen<Chain>('/chain');
  const status = async () => {
    const body = JSON.stringify({ id: 1, method: 'getblockcount' });
    return (await fetch(node_url, { method: 'POST', body })).status;
  };
  await ok('/faults', { server: 'node', kind: 'http-500', method: 'getblockcount', times: 2, after: 1 });
  await ok('/faults', { server: 'compact', kind: 'gap', at: 3 });
  t.is(await status(), 200);
  t.is(await status(), 500);
  const gap = { server: 'compact', kind: 'gap', at: 3, after: 0, times: null };
  t.deepEqual(await seen('/faults'), {
    faults: [{ server: 'node', kind: 'http-500', method: 'getblockcount', after: 0, times: 1 }, gap],
    later: [],
  });
  await ok('/faults/clear', { server: 'node' });
  t.is(await status(), 200);
  t.deepEqual(await seen('/faults'), { faults: [gap], later: [] });
});

test('a call can wait until a server has given so many answers', async (t) => {
  const called = await callDevnet(t);
  const { node_url } = await called.seen<Chain>('/chain');
  await called.ok('/mine', { blocks: 3 });
  const count = () => rpcResult<number>(node_url, 'getblockcount');
  await called.ok('/later', { server: 'node', answers: 2, call: '/reorg', input: { depth: 1 } });
  await called.ok('/later', { server: 'node', answers: 3, call: '/reorg', input: { depth: 100 } });
  t.deepEqual([await count(), await count(), await count(), await count()], [3, 3, 4, 4]);
  const { later } = await called.seen<{ later: object[] }>('/faults');
  t.like(later[0], { call: '/reorg', state: 'done', error: null });
  t.like(later[1], { call: '/reorg', state: 'failed', error: 'the lowest block cannot be dropped' });
  t.regex(
    await refused(t, called, '/later', { server: 'node', answers: 0, call: '/reorg', input: {} }),
    /^depth /,
  );
  await refused(t, called, '/later', { server: 'node', answers: 0, call: '/reset' });
});

test('what cannot be is refused in words, whatever the call', async (t) => {
  const called = await callDevnet(t, { ironwoodHeight: 5 });
  const cases: readonly (readonly [path: string, body: unknown, detail: RegExp])[] = [
    ['/pay', { pool: 'ironwood', zatoshi: 1 }, /^The ironwood pool does not exist at height 1/],
    ['/pay', { pool: 'orchard', zatoshi: 1, version: 4 }, /version 4 cannot carry the orchard pool/],
    ['/pay', { pool: 'orchard', zatoshi: 1, version: 6 }, /no transactions of version 6 at height 1/],
    ['/pay', { pool: 'orchard', zatoshi: 1, payer: 'ironwood' }, /ironwood pool does not exist/],
    ['/pay', { pool: 'orchard', zatoshi: 1, address: 'u1nope' }, /./],
    ['/pay', { pool: 'orchard', zatoshi: 1, memo: 'é'.repeat(257) }, /^memo must be at most 512 bytes/],
    ['/pay', { pool: 'orchard', zatoshi: 1, memo: 'a', memo_hex: '00'.repeat(512) }, /not both/],
    ['/pay', { pool: 'orchard', zatoshi: 2_100_000_000_000_001 }, /^zatoshi must be at most/],
    ['/pay', { pool: 'orchard', zatoshi: 1.5 }, /^zatoshi must be an integer/],
    ['/pay', { pool: 'sprout', zatoshi: 1 }, /^pool must be one of/],
    ['/pay', [], /./],
    ['/send', { from: 'sapling', payments: [] }, /do not cover/],
    [
      '/send',
      { from: [{ txid: '00'.repeat(32), pool: 'sapling', output_index: 0 }], payments: [] },
      /^There is no unspent note 0 of transaction 00/,
    ],
    ['/send', { from: 'sapling', payments: [], viewing_key: 'uview1x' }, /./],
    ['/notes', { viewing_key: 'hello' }, /./],
    ['/mine', { blocks: 1_001 }, /^blocks must be at most 1000/],
    ['/mine', { nonsense: 1 }, /unknown key: nonsense/],
    ['/mine', { transactions: [{ kind: 'steal' }] }, /must be of kind pay/],
    ['/traffic', { outputs: {} }, /^Traffic has outputs/],
    ['/traffic', { outputs: 5_000, blocks: 1_000 }, /at most 20000 outputs/],
    ['/reorg', { depth: 0 }, /^depth must be at least 1/],
    ['/faults', { server: 'node', kind: 'gap' }, /^kind must be one of/],
    ['/faults', { server: 'nobody', kind: 'gap' }, /^server must be node or compact/],
    ['/reset', { activation_heights: { nu99: 1 } }, /^Upgrades are/],
    ['/reset', { activation_heights: { nu6_2: 9, nu6_3: 3 } }, /^Nu6_3 cannot begin before/],
  ];
  for (const [path, body, detail] of cases) t.regex(await refused(t, called, path, body), detail);
  t.is((await called.seen<Chain>('/chain')).tip.height, 0);
  t.deepEqual(called.faults, []);
});

test('web pages are kept out, and so is what is no JSON', async (t) => {
  const { url, get, post, seen } = await callDevnet(t);
  const page = { origin: 'https://page.example' };
  const { detail } = await problemOf(t, await get('/wallet', page), 'ORIGIN_FORBIDDEN');
  t.notRegex(detail, /config/);
  await problemOf(t, await post('/mine', {}, page), 'ORIGIN_FORBIDDEN');
  await problemOf(t, await get('/wallet', { 'sec-fetch-site': 'cross-site' }), 'ORIGIN_FORBIDDEN');
  await problemOf(t, await post('/mine', '{}', { 'content-type': 'text/plain' }), 'UNSUPPORTED_MEDIA_TYPE');
  await problemOf(t, await post('/mine', '{"blocks":'), 'INVALID_REQUEST');
  await problemOf(t, await post('/mine', `"${'x'.repeat(70_000)}"`), 'BODY_TOO_LARGE');
  await problemOf(t, await get('/nothing'), 'NOT_FOUND');
  const wrong = await get('/mine');
  t.is(wrong.headers.get('allow'), 'POST');
  await problemOf(t, wrong, 'METHOD_NOT_ALLOWED');
  await problemOf(t, await get('/blocks?from=a'), 'INVALID_REQUEST');
  const status = await new Promise((resolve) =>
    request(`${url}/chain`, { headers: { host: 'page.example' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).end(),
  );
  t.is(status, 403);
  t.is((await seen<Chain>('/chain')).tip.height, 0);
});

test('GET / lists every call', async (t) => {
  const { seen } = await callDevnet(t);
  const { calls } = await seen<{ calls: { method: string; path: string; summary: string }[] }>('/');
  t.true(calls.length >= 15);
  t.true(calls.every(({ summary }) => summary.length > 10));
});
