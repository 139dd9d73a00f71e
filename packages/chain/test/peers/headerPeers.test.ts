import { setImmediate as turn } from 'node:timers/promises';
import { bytesToHex, concatBytes, encodeCompactSize } from '@wallet-companion/base/bytes';
import { parseHeader } from '@wallet-companion/zcash/blocks';
import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import test from 'ava';
import type { HeaderChain } from '../../src/chain/headers/headerChain.ts';
import { AddressBook, type PeerPlace } from '../../src/chain/peers/addressBook.ts';
import { followHeaders } from '../../src/chain/peers/followHeaders.ts';
import { HeaderPeers, type HeaderPeersParts } from '../../src/chain/peers/headerPeers.ts';
import { MAGIC, type ReceivedHeader } from '../../src/chain/peers/messages.ts';
import { END, FORK, fromGenesis, main, many, nodeWith, small } from '../smallChain.ts';
import { draws } from './draws.ts';
import { EMPTY, HONEST, type Script, scriptedPeer } from './scriptedPeer.ts';

/** A chain with less work. */
const branch = [...main.slice(0, FORK + 1), ...many];

/** A node that has a chain, which may become another. */
function scriptOf(chain: () => readonly ReceivedHeader[]): Script {
  return ({ command, body }) => {
    if (command !== 'getheaders') return [];
    const count = body[4]!;
    const locator = Array.from({ length: count }, (_, i) => asBlockHash(body.slice(5 + 32 * i, 37 + 32 * i)));
    const headers = nodeWith(chain()).answer(locator);
    const parts = headers.flatMap(({ bytes }) => [bytes, Uint8Array.of(0)]);
    return [{ command: 'headers', body: concatBytes(encodeCompactSize(headers.length), ...parts) }];
  };
}

const headersOf = (chain: HeaderChain): HeaderPeersParts['headers'] => ({
  chain,
  follow: (peer) => followHeaders(chain, peer),
});

function world(scripts: Readonly<Record<string, Script>>, chain: HeaderChain = fromGenesis()) {
  const peers = new Map(Object.entries(scripts).map(([host, script]) => [host, scriptedPeer(script)]));
  const left: string[] = [];
  const timers = new Set<{ ms: number; strike: () => void }>();
  const book = new AddressBook({
    isLocalAllowed: true,
    elapsed: () => 0,
    random: draws(),
  });
  const pool = new HeaderPeers({
    ...{ headers: headersOf(chain), book, wanted: 8, magic: MAGIC.regtest, agent: '/x/', startHeight: 0 },
    after: (ms, strike) => {
      const timer = { ms, strike };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    now: () => 1_800_000_000_000,
    randomBytes: (length) => new Uint8Array(length).fill(3),
    dial: ({ host }) => {
      const peer = peers.get(host);
      return peer === undefined ? Promise.reject(new Error('refused')) : Promise.resolve(peer.ours);
    },
    seeds: () => Promise.resolve([...Object.keys(scripts), '200.1.1.1'].map((host) => ({ host, port: 1 }))),
    left: ({ host }: PeerPlace, why) => left.push(`${host}: ${why}`),
  });
  return {
    chain,
    pool,
    left,
    book,
    peer: (host: string) => peers.get(host)!,
    pass: async (ms: number) => {
      for (const timer of [...timers]) if (timer.ms === ms && timers.delete(timer)) timer.strike();
      await settle();
    },
    timers,
  };
}

/** Lets everything happen that waits for no timer. */
async function settle(): Promise<void> {
  for (let i = 0; i < 60; i++) await turn();
}

const forged = main.map((one, height) => {
  if (height !== 170) return one;
  const bytes = one.bytes.slice();
  bytes[110]! ^= 1;
  return { header: parseHeader(bytes), bytes };
});

test('the most work is followed, who lies is named and left, and the others go on', async (t) => {
  const { chain, pool, left, pass, timers, book } = world({
    '1.1.0.1': scriptOf(() => main),
    '2.2.0.1': scriptOf(() => forged),
    '3.3.0.1': scriptOf(() => branch),
    '4.4.0.1': () => [{ command: 'reject', body: EMPTY }],
    '5.5.0.1': scriptOf(() => main),
  });
  pool.start();
  await settle();
  await pass(10_000);
  t.is(chain.tip.height, main.length - 1);
  t.deepEqual(chain.tip.hash, main.at(-1)!.header.hash);
  t.is(pool.agreeing, 2);
  t.deepEqual(pool.peers.map(({ place }) => place.host).sort(), ['1.1.0.1', '3.3.0.1', '5.5.0.1']);
  t.deepEqual(left.sort(), [
    '2.2.0.1: it sent a header that was not worked for',
    '200.1.1.1: no connection could be opened',
    '4.4.0.1: the peer sent reject before the handshake was done',
  ]);
  t.is(pool.peers[0]!.agent, HONEST.agent);
  pool.close();
  await settle();
  t.is(timers.size, 0, 'nothing goes on after the end');
  t.deepEqual(book.pick(new Set(['1.1', '3.3', '5.5'])), undefined, 'a liar is not picked again');
});

test('a block that is announced is asked for at once, and one that is not within a minute', async (t) => {
  let chain: readonly ReceivedHeader[] = main.slice(0, 200);
  const { chain: ours, pool, peer, pass } = world({ '1.1.0.1': scriptOf(() => chain) });
  pool.start();
  await settle();
  await pass(10_000);
  t.is(ours.tip.height, 199);
  t.is(pool.agreeing, 1);
  chain = main.slice(0, 210);
  const item = concatBytes(Uint8Array.of(1, 2, 0, 0, 0), chain.at(-1)!.header.hash);
  peer('1.1.0.1').say({ command: 'inv', body: item });
  await settle();
  t.is(ours.tip.height, 209);
  chain = main.slice(0, 220);
  await settle();
  t.is(ours.tip.height, 209);
  await pass(60_000);
  t.is(ours.tip.height, 219);
  t.is(pool.peers[0]!.tip, bytesToHex(ours.tip.hash));
  pool.close();
});

test('a peer that shows blocks ahead of the clock agrees with no tip', async (t) => {
  let now = END;
  let chain: readonly ReceivedHeader[] = main.slice(0, 200);
  const { pool, pass } = world({ '1.1.0.1': scriptOf(() => chain) }, fromGenesis({ now: () => now }));
  pool.start();
  await settle();
  await pass(10_000);
  t.is(pool.agreeing, 1);
  chain = main.slice(0, 210);
  now = 1_000 * (small.cases[200]!.time - 7_201);
  await pass(60_000);
  t.is(pool.agreeing, 0);
  t.is(pool.peers.length, 1, 'it did not lie');
  pool.close();
});

test('a lost peer is replaced by another that was named', async (t) => {
  const { pool, peer, pass, left } = world({
    '1.1.0.1': scriptOf(() => main),
    '1.1.0.2': scriptOf(() => main),
  });
  pool.start();
  await settle();
  await pass(10_000);
  const [first] = pool.peers;
  t.is(pool.peers.length, 1, 'both are in one network');
  peer(first!.place.host).theirs.end();
  await settle();
  t.is(pool.peers.length, 1);
  t.not(pool.peers[0]!.place.host, first!.place.host);
  t.true(left.includes(`${first!.place.host}: the peer ended the connection`));
  pool.close();
});

test('a peer that is blamed for a wrong block is left and named, and the others go on giving blocks', async (t) => {
  const script = scriptOf(() => main);
  const { pool, left, book, pass } = world({ '1.1.0.1': script, '2.2.0.1': script });
  pool.start();
  await settle();
  await pass(10_000);
  left.length = 0;
  const [first, second] = pool.serving;
  t.is(pool.serving[0], first, 'a connection stays the same object');
  first!.blame('it sent a wrong block');
  await t.throwsAsync(first!.blocks([main[1]!.header.hash]), { message: 'the connection was ended here' });
  await settle();
  t.deepEqual(left, [`${first!.place.host}: it sent a wrong block`]);
  t.deepEqual(pool.serving, [second]);
  book.name([first!.place]);
  const others = new Set([book.groupOf(second!.place)]);
  t.is(book.pick(others), undefined, 'its host is left alone');
  pool.close();
});
