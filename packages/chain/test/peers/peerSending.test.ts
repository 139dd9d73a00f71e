// A transaction handed to scripted peers, by a clock that the test moves.
import { setImmediate as turn } from 'node:timers/promises';
import { asciiBytes, concatBytes, encodeCompactSize, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { parseBlock, summarizeRawBlock } from '@wallet-companion/zcash/blocks';
import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import { readFixtureLines } from '@wallet-companion/zcash/test/fixtures';
import { authDigest, txid as txidOf } from '@wallet-companion/zcash/transactions';
import test from 'ava';
import type { ConnectedPeer } from '../../src/chain/peers/headerPeers.ts';
import { PeerSender } from '../../src/chain/peers/peerSending.ts';
import { type Script, scriptedPeer } from './scriptedPeer.ts';

const blocks = readFixtureLines('known-seed', 'zebra-recorded', 'raw-blocks.hex').map((line) =>
  Uint8Array.from(Buffer.from(line, 'hex')),
);
const BLOCK = blocks.find((bytes) => parseBlock(bytes).transactions.some(({ version }) => version === 6))!;
const PAYMENT = parseBlock(BLOCK).transactions.find(({ version }) => version === 6)!;
const HEIGHT = summarizeRawBlock(BLOCK).height;
const TXID = txidOf(PAYMENT);
const OWN_ITEM = concatBytes(u32ToLeBytes(5), TXID, authDigest(PAYMENT));

const inv = (...items: readonly Uint8Array[]) => ({
  command: 'inv',
  body: concatBytes(encodeCompactSize(items.length), ...items),
});
const rejection = (command: string, reason: string) => ({
  command: 'reject',
  body: concatBytes(
    ...[command, reason].flatMap((text, i) => [
      ...(i === 1 ? [Uint8Array.of(0x10)] : []),
      Uint8Array.of(text.length),
      asciiBytes(text),
    ]),
    new Uint8Array(32),
  ),
});

const place = (host: string) => ({ host, port: 1 });

/** `fresh`: peers that can be dialled; `connected`: those that are asked for headers. */
async function world(fresh: Record<string, Script>, connected: Record<string, Script>) {
  const peers = new Map(
    Object.entries({ ...fresh, ...connected }).map(([host, script]) => [host, scriptedPeer(script)]),
  );
  const open = async (host: string): Promise<ConnectedPeer> => ({
    place: place(host),
    connection: await peers.get(host)!.open(),
  });
  const live = await Promise.all(Object.keys(connected).map(open));
  const waiting = Object.keys(fresh);
  const timers = new Set<{ ms: number; strike: () => void }>();
  let elapsed = 0;
  const chain = { tip: { height: HEIGHT - 1 }, hashAt: () => asBlockHash(parseBlock(BLOCK).header.hash) };
  const sender = new PeerSender({
    peers: {
      connected: live,
      another: async (others) => {
        const host = waiting.find((one) => !others.has(one));
        return host === undefined ? undefined : open(host);
      },
    },
    groupOf: ({ place: { host } }) => host,
    chain: () => chain,
    after: (ms, strike) => {
      const timer = { ms, strike };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    random: (bound) => bound - 1,
  });
  const received = (host: string): string[] =>
    peers
      .get(host)!
      .received.map(({ command }) => command)
      .filter((command) => !/version|verack|ping/.test(command));
  return {
    sender,
    chain,
    received,
    /** Lets the clock go on until the sending has ended. */
    through: async <T>(work: Promise<T>): Promise<{ answer: T; seconds: number }> => {
      let isOver = false;
      const answer = work.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        for (let turns = 0; turns < 20; turns++) await turn();
        for (const timer of [...timers]) {
          timers.delete(timer);
          elapsed += timer.ms;
          timer.strike();
        }
      }
      return { answer: await answer, seconds: Math.round(elapsed / 1_000) };
    },
  };
}

const has: Script = ({ command }) => (command === 'mempool' ? [inv(OWN_ITEM)] : []);
const hasNothing: Script = ({ command }) => (command === 'mempool' ? [inv()] : []);
const mute: Script = () => [];

test('one peer gets it, over a connection of its own, and another one shows it', async (t) => {
  const { sender, received, through } = await world({ a: mute, b: mute }, { x: has, y: has });
  const { answer, seconds } = await through(sender.send(PAYMENT.bytes, TXID));
  t.deepEqual(answer, { kind: 'seen' });
  t.is(seconds, 20);
  t.deepEqual(received('a'), ['tx'], 'and is asked for nothing else');
  t.deepEqual([received('b'), ...['x', 'y'].map(received)].flat(), ['mempool']);
});

test('where no peer shows it for three minutes one more gets it, and no third', async (t) => {
  const { sender, received, through } = await world(
    { a: mute, b: mute, c: mute },
    { x: hasNothing, y: hasNothing },
  );
  const { answer, seconds } = await through(sender.send(PAYMENT.bytes, TXID));
  t.deepEqual(answer, { kind: 'silent' });
  t.is(seconds, 240);
  t.deepEqual(['a', 'b', 'c'].map(received), [['tx'], ['tx'], []]);
  t.true([...received('x'), ...received('y')].every((command) => command === 'mempool'));
});

test('a block that has it is a sign as well: blocks are asked whole, once each, and nothing by its id', async (t) => {
  let isServed = false;
  const serving: Script = ({ command }) => {
    if (command === 'mempool') return [inv()];
    if (command !== 'getdata') return [];
    isServed = true;
    return [{ command: 'block', body: BLOCK }];
  };
  const { sender, chain, received, through } = await world({ a: mute }, { x: serving });
  const sending = sender.send(PAYMENT.bytes, TXID);
  for (let turns = 0; turns < 50; turns++) await turn();
  chain.tip.height = HEIGHT;
  t.deepEqual((await through(sending)).answer, { kind: 'seen' });
  t.true(isServed);
  t.deepEqual(received('x'), ['mempool', 'getdata']);
});

test('who says that it does not take it is shown and not believed: another may have it by then', async (t) => {
  const rejects: Script = ({ command, body }) => {
    if (command === 'tx') return [rejection('tx', 'bad-txns at /home/peer')];
    return command === 'ping' ? [rejection('block', 'x'), { command: 'pong', body }] : [];
  };
  const all = { a: rejects, b: rejects, c: rejects };
  const refused = await world(all, { x: hasNothing });
  t.deepEqual((await refused.through(refused.sender.send(PAYMENT.bytes, TXID))).answer, {
    kind: 'rejected',
    text: 'bad-txns at ...',
  });
  const passedOn = await world(all, { x: has });
  t.deepEqual((await passedOn.through(passedOn.sender.send(PAYMENT.bytes, TXID))).answer, { kind: 'seen' });
  const second = await world({ a: rejects, b: mute }, { x: has });
  t.deepEqual((await second.through(second.sender.send(PAYMENT.bytes, TXID))).answer, { kind: 'seen' });
  t.deepEqual(second.received('b'), ['tx']);
});

test('with no other peer one of those that give headers gets it, and without any nothing leaves', async (t) => {
  const alone = await world({}, { x: has });
  t.deepEqual((await alone.through(alone.sender.send(PAYMENT.bytes, TXID))).answer, { kind: 'seen' });
  t.deepEqual(alone.received('x'), ['tx', 'mempool']);
  const none = await world({}, {});
  t.deepEqual((await none.through(none.sender.send(PAYMENT.bytes, TXID))).answer, { kind: 'no peer' });
});

test('the end of the program ends the wait', async (t) => {
  const { sender } = await world({ a: mute }, { x: hasNothing });
  const sending = sender.send(PAYMENT.bytes, TXID);
  for (let turns = 0; turns < 50; turns++) await turn();
  sender.close();
  t.like(await sending, { kind: 'silent' });
});
