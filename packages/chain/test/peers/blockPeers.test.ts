import { setImmediate as turn } from 'node:timers/promises';
import { bytesToHex, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import type { CompanionError } from '@wallet-companion/client/contract';
import { parseHeader, serializeBlock } from '@wallet-companion/zcash/blocks';
import { MAIN, regtestParameters, TEST } from '@wallet-companion/zcash/network';
import { readRawBlocks } from '@wallet-companion/zcash/test/fixtures';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import test from 'ava';
import { BlockPeers, type ServingPeer } from '../../src/chain/peers/blockPeers.ts';
import { checkedBlock, type WantedBlock } from '../../src/chain/peers/fullBlock.ts';
import { PeerError } from '../../src/chain/peers/peerConnection.ts';

const chain = readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex');
const wanted: WantedBlock[] = chain.map((bytes, i) => ({ height: i + 1, hash: parseHeader(bytes).hash }));
const byHash = new Map(chain.map((bytes, i) => [bytesToHex(wanted[i]!.hash), bytes]));

type Answer = (hashes: readonly string[], question: number) => readonly string[];

/** A peer that answers with the blocks of some of the hashes, and with what `change` makes of them. */
function peer(
  host: string,
  answer: Answer = (all) => all,
  change: (bytes: Uint8Array) => Uint8Array = (b) => b,
) {
  const questions: number[] = [];
  const blamed: string[] = [];
  const serving: ServingPeer = {
    place: { host, port: 1 },
    blocks: async (hashes) => {
      questions.push(hashes.length);
      // Others are asked meanwhile.
      await turn();
      const given = answer(hashes.map(bytesToHex), questions.length);
      return new Map(given.map((hash) => [hash, change(byHash.get(hash)!)]));
    },
    blame: (why) => blamed.push(why),
  };
  return { serving, questions, blamed };
}

const swarm = (...peers: readonly ReturnType<typeof peer>[]): BlockPeers =>
  new BlockPeers(() => peers.filter(({ blamed }) => blamed.length === 0).map(({ serving }) => serving));

async function all(peers: BlockPeers, heights = wanted): Promise<number[]> {
  const found: number[] = [];
  for await (const { summary } of peers.stream(heights)) found.push(summary.height);
  return found;
}

const heights = wanted.map(({ height }) => height);

test('real blocks of every age fit their headers, and with any bit changed they do not', (t) => {
  const { cases } = readVectors<{ cases: { network: 'main' | 'test'; height: number; raw: string }[] }>(
    'peers/upgrade_blocks',
  );
  const blocks = [
    ...cases.map(({ height, raw }) => ({ height, bytes: hexToBytes(raw) })),
    ...chain.map((bytes, i) => ({ height: i + 1, bytes })),
  ];
  for (const { height, bytes } of blocks) {
    const { hash, headerLength } = parseHeader(bytes);
    t.is(checkedBlock(bytes, { height, hash }).summary.height, height);
    for (const at of [4, headerLength - 1, headerLength + 5]) {
      const changed = bytes.slice();
      changed[at]! ^= 1;
      t.throws(() => checkedBlock(changed, { height, hash }), { instanceOf: FormatError }, `${height} ${at}`);
    }
    t.throws(() => checkedBlock(bytes, { height: height + 1, hash }), { message: /says of itself/ });
    t.throws(() => checkedBlock(bytes.slice(0, -1), { height, hash }), { instanceOf: FormatError });
  }
});

test('proofs and signatures are checked where what the header commits to before it is known', (t) => {
  const { activation } = regtestParameters({ nu6_3: 20, nu7: undefined });
  const before = { activation, history: undefined, saplingRoot: new Uint8Array(32) };
  const [bytes] = chain as [Uint8Array];
  const [place] = wanted as [WantedBlock];
  t.is(checkedBlock(bytes, place, before).summary.txCount, 1);
  // The script of a coinbase of version 5 is not under its txid.
  const at = bytes.findIndex((byte, i) => byte === 0x51 && bytes[i + 1] === 0x26 && bytes[i + 2] === 0xf0);
  const other = bytes.slice();
  other[at + 3]! ^= 1;
  t.is(checkedBlock(other, place).summary.height, 1);
  t.throws(() => checkedBlock(other, place, before), { message: /other proofs, signatures or trees/ });
  for (const { activation: public_ } of [MAIN, TEST])
    t.throws(() => checkedBlock(bytes, place, { ...before, activation: public_ }), {
      instanceOf: FormatError,
    });
});

test('a header with a list of transactions that ends twice the same is no block', (t) => {
  const bytes = chain[2]!;
  const header = parseHeader(bytes);
  const rest = bytes.subarray(header.headerLength + 1);
  const twice = serializeBlock(header, [rest, rest]);
  t.throws(() => checkedBlock(twice, wanted[2]!), { instanceOf: FormatError });
});

test('blocks come in their order from several peers, whatever the order of the answers, 16 a question', async (t) => {
  const backwards: Answer = (hashes) => [...hashes].reverse();
  const peers = [
    peer('1.1.1.1', backwards),
    peer('2.2.2.2'),
    peer('3.3.3.3'),
    peer('4.4.4.4'),
    peer('5.5.5.5'),
  ];
  t.deepEqual(await all(swarm(...peers)), heights);
  for (const { questions, serving } of peers) {
    t.true(questions.every((count) => count <= 16));
    t.is(questions.length > 0, serving.place.host !== '5.5.5.5', 'four peers are asked');
  }
});

test('what a peer leaves out is asked again, and what it lacks is asked of another', async (t) => {
  const half = peer('1.1.1.1', (hashes) => hashes.slice(0, Math.ceil(hashes.length / 2)));
  t.deepEqual(await all(swarm(half)), heights);
  const lacks = peer('1.1.1.1', () => []);
  const has = peer('2.2.2.2');
  t.deepEqual(await all(swarm(lacks, has)), heights);
  t.deepEqual([...lacks.blamed, ...has.blamed], []);
});

test('a wrong block names its peer, and the others go on', async (t) => {
  const liar = peer('6.6.6.6', undefined, (bytes) => {
    const changed = bytes.slice();
    changed[parseHeader(bytes).headerLength + 5]! ^= 1;
    return changed;
  });
  const honest = peer('1.1.1.1');
  t.deepEqual(await all(swarm(liar, honest)), heights);
  t.true(liar.blamed.length > 0);
  t.regex(liar.blamed[0]!, /^it sent a wrong block: /);
  t.deepEqual(honest.blamed, []);
});

test('peers that end, or that have no block, are an answer with a reason', async (t) => {
  const gone: ServingPeer = {
    ...peer('1.1.1.1').serving,
    blocks: () => Promise.reject(new PeerError('closed', 'the peer ended the connection')),
  };
  const lost = await t.throwsAsync<CompanionError>(new BlockPeers(() => [gone]).fetch(wanted.slice(0, 2)));
  t.is(lost?.code, 'PEERS_UNREACHABLE');
  t.regex(lost?.message ?? '', /gave block 1, of 1 that were asked/);
  const nobody = await t.throwsAsync<CompanionError>(swarm().fetch(wanted.slice(3, 4)));
  t.regex(nobody?.message ?? '', /No peer of the network is connected that could give block 4/);
});
