// Transactions with real proofs handed to a real node, by JSON-RPC and by its compact service: those of the recorded chain's
// last blocks, which the node has not seen yet. What it says of them is what this companion takes it for.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import type { Source } from '@wallet-companion/chain/ports';
import { parseBlock } from '@wallet-companion/zcash/blocks';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { readFixtureJson, readFixtureLines } from '@wallet-companion/zcash/test/fixtures';
import {
  parseTransaction,
  serializeTransaction,
  type Transaction,
  type TransactionContents,
  transactionContents,
  txid,
} from '@wallet-companion/zcash/transactions';
import test, { type ExecutionContext } from 'ava';
import type { ChainActor } from '../../src/actors/chain/chainActor.ts';
import { startChainActor } from '../helpers/chainActorHere.ts';
import { heightsWith, NU7_AFTER_RECORDED, startZebrad, type Zebrad } from './zebrad.ts';

const SOURCES: readonly Source[] = ['node', 'compact'];

const chainOf = async (t: ExecutionContext, node: Zebrad): Promise<ChainActor> =>
  (
    await startChainActor(t, {
      network: 'regtest',
      activation: regtestParameters(heightsWith(NU7_AFTER_RECORDED)).activation,
      nodeUrl: node.url,
      compactServerUrl: node.compactUrl,
    })
  ).actor;

const spends = ({ sapling, orchard, ironwood, transparent }: Transaction): boolean =>
  transparent.inputCount === 0 && sapling.spends.count + orchard.actions.count + ironwood.actions.count > 0;

const sent = (bytes: Uint8Array) => ({ raw: bytes, txid: txid(parseTransaction(bytes)) });

const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === 0 ? byte ^ 1 : byte));

test.serial('a real node takes, knows and refuses transactions as expected', async (t) => {
  const { accounts } = readFixtureJson<{ accounts: { defaultAddress: string }[] }>(
    'known-seed',
    'regtest',
    'keys.json',
  );
  const node = await startZebrad({
    minerAddress: accounts[0]!.defaultAddress,
    nu7: NU7_AFTER_RECORDED,
  });
  t.teardown(() => node.stop());
  const blocks = readFixtureLines('known-seed', 'zebra-recorded', 'raw-blocks.hex');
  const at = blocks.findIndex((block) => parseBlock(hexToBytes(block)).transactions.some(spends));
  t.true(at > 0);
  for (const block of blocks.slice(0, at)) t.is(await node.rpc('submitblock', block), null);
  const payment = parseBlock(hexToBytes(blocks[at]!)).transactions.find(spends)!;
  const contents = transactionContents(payment);
  const changed = (changes: Partial<TransactionContents>) =>
    sent(serializeTransaction({ ...contents, ...changes }));
  const actor = await chainOf(t, node);
  const own = sent(payment.bytes);
  const statuses = () =>
    Promise.all(SOURCES.map((source) => actor.transactionStatus({ source, txid: own.txid })));
  const outcomes = async (one: typeof own) => {
    const all = [];
    for (const source of SOURCES) all.push(await actor.sendTransaction({ source, ...one }));
    for (const outcome of all) if (outcome.kind === 'refused') t.log(`${outcome.reason}: ${outcome.text}`);
    return all.map((outcome) => (outcome.kind === 'refused' ? outcome.reason : outcome.kind));
  };

  const { ironwood } = contents;
  t.truthy(ironwood);
  const unsigned = changed({ ironwood: { ...ironwood!, bindingSig: flipped(ironwood!.bindingSig) } });
  t.deepEqual(await outcomes(unsigned), ['invalid', 'invalid']);
  t.deepEqual(await outcomes(changed({ ironwood: { ...ironwood!, anchor: flipped(ironwood!.anchor) } })), [
    'invalid',
    'invalid',
  ]);
  t.deepEqual(await outcomes(changed({ expiryHeight: at })), ['expired', 'expired']);
  t.deepEqual(await statuses(), [{ kind: 'unknown' }, { kind: 'unknown' }]);

  t.deepEqual(await outcomes(own), ['accepted', 'known']);
  t.deepEqual(await statuses(), [{ kind: 'mempool' }, { kind: 'mempool' }]);
  t.deepEqual(await node.rpc('getrawmempool'), [txIdToHex(own.txid)]);

  t.is(await node.rpc('submitblock', blocks[at]!), null);
  t.deepEqual(await statuses(), [
    { kind: 'mined', height: at + 1 },
    { kind: 'mined', height: at + 1 },
  ]);
  t.deepEqual(await outcomes(own), ['known', 'known']);
  const [first, ...others] = ironwood!.actions;
  const rival = changed({
    ironwood: {
      ...ironwood!,
      actions: [{ ...first!, encCiphertext: flipped(first!.encCiphertext) }, ...others],
    },
  });
  t.deepEqual(await outcomes(rival), ['conflict', 'conflict']);
  t.is(await node.rpc<string>('getrawtransaction', txIdToHex(own.txid), 0), bytesToHex(own.raw));
});
