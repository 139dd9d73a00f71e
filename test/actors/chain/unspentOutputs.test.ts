// Unspent outputs at addresses: read in pieces, taken as far as they have the form of an answer, and no further.
import { openNodeSource } from '@wallet-companion/chain/node';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import test, { type ExecutionContext } from 'ava';
import type { CompanionError } from '../../../src/protocol/errors.ts';
import { FixtureNode, ORDINARY, Refusal } from '../../helpers/fixtureNode.ts';
import { FIRST, PARAMETERS, rawMain, TREES_BEFORE } from '../../helpers/knownSeedBlocks.ts';

const ADDRESSES = ['t1one', 't1two'];

interface Query {
  readonly addresses: readonly string[];
  readonly startHeight?: number;
  readonly maxEntries?: number;
}

async function openSource(t: ExecutionContext, answer: unknown | ((query: Query) => unknown)) {
  const node = await FixtureNode.start({
    chain: 'main',
    firstHeight: FIRST,
    blocks: rawMain,
    treesBefore: TREES_BEFORE,
  });
  node.answer = (method, params) => {
    if (method !== 'getaddressutxos') return ORDINARY;
    const [query] = params as [Query];
    if (typeof answer === 'function') return answer(query);
    t.deepEqual(query.addresses, ADDRESSES);
    return answer;
  };
  const source = openNodeSource({ url: node.url, cookieFile: null }, PARAMETERS);
  t.teardown(async () => {
    source.close();
    await node.stop();
  });
  return source;
}

const OUTPUT = {
  address: 't1one',
  txid: `${'ab'.repeat(31)}cd`,
  outputIndex: 3,
  script: '76a914',
  satoshis: 7,
  height: 900_000,
};

test('outputs with their amounts, the most valuable first, and five thousand at most', async (t) => {
  const many = Array.from({ length: 5_002 }, (_, i) => ({
    ...OUTPUT,
    satoshis: i + 1,
    outputIndex: i,
    blockhash: 'from zcashd',
  }));
  const source = await openSource(t, many);
  const outputs = await source.unspentOutputs(ADDRESSES);
  t.is(outputs.length, 5_000);
  t.deepEqual([outputs[0]!.zatoshi, outputs.at(-1)!.zatoshi], [5_002, 3]);
  t.like(outputs[0], { address: 't1one', index: 5_001, height: 900_000 });
  t.is(txIdToHex(outputs[0]!.txid) as string, OUTPUT.txid);
});

const MALFORMED: readonly (readonly [title: string, answer: unknown])[] = [
  ['no list', OUTPUT],
  ['null', null],
  ['a number', 7],
  ['a short txid', [{ ...OUTPUT, txid: 'abcd' }]],
  ['a txid that is no hex', [{ ...OUTPUT, txid: 'zz'.repeat(32) }]],
  ['no address', [{ ...OUTPUT, address: undefined }]],
  ['an index below 0', [{ ...OUTPUT, outputIndex: -1 }]],
  ['an index above all', [{ ...OUTPUT, outputIndex: 2 ** 32 }]],
  ['a debt', [{ ...OUTPUT, satoshis: -1 }]],
  ['more than there is money', [{ ...OUTPUT, satoshis: 2_100_000_000_000_001 }]],
  ['a fraction', [{ ...OUTPUT, satoshis: 0.5 }]],
  ['an amount as text', [{ ...OUTPUT, satoshis: '7' }]],
  ['no block', [{ ...OUTPUT, height: -1 }]],
];

for (const [title, answer] of MALFORMED)
  test(`refused: ${title}`, async (t) => {
    const source = await openSource(t, answer);
    const error = await t.throwsAsync<CompanionError>(source.unspentOutputs(ADDRESSES));
    t.is(error?.code, 'NODE_BAD_RESPONSE');
    t.notRegex(error!.message, /t1one|abcd/);
  });

/** Twenty thousand in the order of the chain, of which the last is worth most; 3,000 are in one block. */
const MINED = Array.from({ length: 20_000 }, (_, i) => ({
  ...OUTPUT,
  address: ADDRESSES[i % 2]!,
  outputIndex: i,
  satoshis: i,
  height: i < 3_000 ? 1 : i,
}));

const inPieces =
  (outputs: typeof MINED) =>
  ({ addresses, startHeight = 0, maxEntries }: Query) =>
    outputs
      .filter(({ address, height }) => addresses.includes(address) && height >= startHeight)
      .slice(0, maxEntries);

test('more outputs than one answer holds are read in pieces, and the most valuable are kept', async (t) => {
  const refusesPieces = ({ addresses, maxEntries }: Query): unknown =>
    maxEntries === undefined ? inPieces(MINED)({ addresses }) : new Refusal(-1);
  const ignoresAll = ({ addresses }: Query): unknown => inPieces(MINED)({ addresses });
  const ignoresHeight = ({ addresses, maxEntries }: Query): unknown =>
    inPieces(MINED)({ addresses, ...(maxEntries !== undefined && { maxEntries }) });
  for (const [answer, best, count] of [
    [inPieces(MINED), 19_999, 5_000],
    [refusesPieces, 19_999, 5_000],
    [ignoresAll, 19_999, 5_000],
    [ignoresHeight, 1_999, 2_000],
  ] as const) {
    const outputs = await (await openSource(t, answer)).unspentOutputs(ADDRESSES);
    t.is(outputs.length, count);
    t.is(outputs[0]?.zatoshi, best);
  }
});

test('an address with more than is read at once is named as that, with what to do', async (t) => {
  const atOne = MINED.map((one) => ({ ...one, address: 't1one' }));
  const source = await openSource(t, ({ addresses }: Query) => inPieces(atOne)({ addresses }));
  const error = await t.throwsAsync<CompanionError>(source.unspentOutputs(ADDRESSES));
  t.regex(error!.message, /at an address in one answer, .* use a server that lists them in pieces/);
});

test('a node without an index', async (t) => {
  for (const code of [-1, -5, -32_601]) {
    const source = await openSource(t, new Refusal(code));
    const error = await t.throwsAsync<CompanionError>(source.unspentOutputs(ADDRESSES));
    t.regex(error!.message, /has no index of transparent addresses/);
  }
});
