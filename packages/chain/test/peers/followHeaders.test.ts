import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { Equihash } from '@wallet-companion/kernel/equihash';
import { loadEquihash } from '@wallet-companion/kernel/kernelLoad';
import { parseHeader } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import { ownWork } from '@wallet-companion/zcash/work';
import test from 'ava';
import { HeaderChain } from '../../src/chain/headers/headerChain.ts';
import { followHeaders } from '../../src/chain/peers/followHeaders.ts';
import type { ReceivedHeader } from '../../src/chain/peers/messages.ts';

interface Fork {
  readonly from_height: number;
  readonly headers: string[];
}
const small = readVectors<{
  meta: { target_limit: string; heights: { Blossom: number; NU7: number } };
  cases: { header: string; time: number }[];
  many_blocks_less_work: Fork;
}>('peers/small_chain');
const received = (hex: string): ReceivedHeader => {
  const bytes = hexToBytes(hex);
  return { header: parseHeader(bytes), bytes };
};
const main = small.cases.map(({ header }) => received(header));
const FORK = small.many_blocks_less_work.from_height;
const branch = [...main.slice(0, FORK + 1), ...small.many_blocks_less_work.headers.map(received)];

const equihash = new Equihash(await loadEquihash(), { n: 48, k: 5 });
const { Blossom: blossom, NU7: nu7 } = small.meta.heights;
const { activation } = regtestParameters({ sapling: 0, blossom, nu7 });
const fromGenesis = (now = small.cases.at(-1)!.time): HeaderChain =>
  new HeaderChain({
    rules: ownWork(activation, BigInt(`0x${small.meta.target_limit}`), { n: 48, k: 5 }),
    start: { height: 0, headers: [main[0]!.header] },
    solves: (input, solution) => equihash.solves(input, solution),
    now: () => 1_000 * now,
  });

/** Answers as nodes do. */
function nodeWith(chain: readonly ReceivedHeader[]) {
  const places = new Map(chain.map(({ header }, place) => [bytesToHex(header.hash), place]));
  return {
    headers: (locator: readonly BlockHash[]) => {
      const known = locator.map((hash) => places.get(bytesToHex(hash))).find((place) => place !== undefined);
      return Promise.resolve(chain.slice((known ?? -1) + 1, (known ?? -1) + 161));
    },
  };
}

test('a chain is followed to its end, again without a new header, and past a reorganisation', async (t) => {
  const chain = fromGenesis();
  const changes: (number | undefined)[] = [];
  const other = nodeWith(branch);
  t.deepEqual(await followHeaders(chain, other), { kind: 'followed', fresh: branch.length - 1 });
  const node = nodeWith(main);
  const followed = await followHeaders(chain, node, ({ changedFrom }) => changes.push(changedFrom));
  t.deepEqual(followed, { kind: 'followed', fresh: main.length - FORK - 1 });
  t.is(chain.tip.height, main.length - 1);
  t.is(changes[0], FORK + 1);
  t.is(changes.length, 2, 'the second answer goes on where the first ended');
  t.deepEqual(await followHeaders(chain, node), { kind: 'followed', fresh: 0 });
  t.deepEqual(await followHeaders(chain, other), { kind: 'followed', fresh: 0 }, 'less work changes nothing');
  t.is(chain.tip.height, main.length - 1);
});

test('a peer that sends the same headers for ever, or one that nobody worked for, has lied', async (t) => {
  const chain = fromGenesis();
  const endless = { headers: () => Promise.resolve(main.slice(1, 161)) };
  t.deepEqual(await followHeaders(chain, endless), { kind: 'lied', why: 'endless', fresh: 160 });
  const bytes = main[170]!.bytes.slice();
  bytes[105]! ^= 1;
  const forged = nodeWith(main.with(170, { header: parseHeader(bytes), bytes }));
  t.deepEqual(await followHeaders(chain, forged), { kind: 'lied', why: 'target', fresh: 9 });
  t.is(chain.tip.height, 169);
});

test('a block ahead of the clock ends the round, and blames nobody', async (t) => {
  const chain = fromGenesis(small.cases[200]!.time - 7_201);
  const { kind, fresh } = await followHeaders(chain, nodeWith(main));
  t.is(kind, 'early');
  t.true(fresh <= 200);
});
