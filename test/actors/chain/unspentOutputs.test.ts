// What a node says about unspent outputs at addresses: taken as far as it has the form of an answer, and no further.
import { openNodeSource } from '@wallet-companion/chain/node';
import { txIdToHex } from '@wallet-companion/shielded/identifiers';
import test, { type ExecutionContext } from 'ava';
import type { CompanionError } from '../../../src/protocol/errors.ts';
import { FixtureNode, ORDINARY, Refusal } from '../../helpers/fixtureNode.ts';
import { FIRST, PARAMETERS, rawMain, TREES_BEFORE } from '../../helpers/knownSeedBlocks.ts';

const ADDRESSES = ['t1one', 't1two'];

async function openSource(t: ExecutionContext, answer: unknown) {
  const node = await FixtureNode.start({
    chain: 'main',
    firstHeight: FIRST,
    blocks: rawMain,
    treesBefore: TREES_BEFORE,
  });
  node.answer = (method, params) => {
    if (method !== 'getaddressutxos') return ORDINARY;
    t.deepEqual(params, [{ addresses: ADDRESSES }]);
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
    blockhash: 'from zcashd',
  }));
  const source = await openSource(t, many);
  const outputs = await source.unspentOutputs(ADDRESSES);
  t.is(outputs.length, 5_000);
  t.deepEqual([outputs[0]!.zatoshi, outputs.at(-1)!.zatoshi], [5_002, 3]);
  t.like(outputs[0], { address: 't1one', index: 3, height: 900_000 });
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

test('a node without an index', async (t) => {
  for (const code of [-1, -5, -32_601]) {
    const source = await openSource(t, new Refusal(code));
    const error = await t.throwsAsync<CompanionError>(source.unspentOutputs(ADDRESSES));
    t.regex(error!.message, /has no index of transparent addresses/);
  }
});
