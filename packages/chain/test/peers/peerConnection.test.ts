import { setImmediate as turn } from 'node:timers/promises';
import {
  ByteReader,
  bytesToHex,
  concatBytes,
  encodeCompactSize,
  hexToBytes,
  u32ToLeBytes,
} from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { collectGarbage } from '@wallet-companion/base/test/garbage';
import { parseHeader } from '@wallet-companion/zcash/blocks';
import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import test from 'ava';
import fc from 'fast-check';
import { frameBytes } from '../../src/chain/peers/frames.ts';
import { MAGIC, PROTOCOL_VERSION, readVersion } from '../../src/chain/peers/messages.ts';
import { PeerError, type PeerFault } from '../../src/chain/peers/peerConnection.ts';
import { EMPTY, greeting, HONEST, NONCE, type Script, scriptedPeer } from './scriptedPeer.ts';

const { cases } = readVectors<{ cases: { header: string }[] }>('peers/small_chain');
const headers = cases.slice(1, 200).map(({ header }) => hexToBytes(header));
const hashes = headers.map((bytes) => parseHeader(bytes).hash);

const headersBody = (count: number) =>
  concatBytes(
    encodeCompactSize(count),
    ...headers.slice(0, count).flatMap((bytes) => [bytes, Uint8Array.of(0)]),
  );
const block = (place: number) => ({ command: 'block', body: concatBytes(headers[place]!, EMPTY) });

const inv = (count: number) => ({
  command: 'inv',
  body: concatBytes(
    encodeCompactSize(count),
    ...new Array(count).fill(concatBytes(u32ToLeBytes(1), new Uint8Array(32))),
  ),
});

const faultOf = async (work: Promise<unknown>): Promise<PeerFault | 'none'> =>
  work.then(
    () => 'none' as const,
    (error: unknown) => {
      if (error instanceof PeerError) return error.fault;
      throw error;
    },
  );

test.serial('a connection keeps nothing of the questions that were answered', async (t) => {
  const peer = scriptedPeer();
  const connection = await peer.open();
  const used = async (questions: number): Promise<number> => {
    for (let asked = 0; asked < questions; asked++) await connection.addresses();
    peer.received.length = 0;
    await collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await used(500);
  const kept = (await used(5_000)) - before;
  t.true(kept < 5_000 * 100, `${kept} bytes`);
  connection.close();
});

test('a handshake says nothing of who we are, in pieces of any size', async (t) => {
  for (const pieces of [1, 7, 1_000_000]) {
    const peer = scriptedPeer(undefined, HONEST, pieces);
    const { version } = await peer.open();
    t.deepEqual(version, HONEST);
    const [said, acknowledged] = peer.received;
    t.deepEqual(acknowledged, { command: 'verack', body: EMPTY });
    t.like(readVersion(said!.body), { version: PROTOCOL_VERSION, services: 0n, nonce: NONCE, agent: '/x/' });
    const reader = new ByteReader(said!.body, 12);
    t.is(reader.u64(), 1_800_000_000n, 'no finer than five minutes');
    t.true(
      reader.take(52).every((byte) => byte === 0),
      'no address',
    );
  }
});

test('a peer of no use is left in the handshake, with its reason', async (t) => {
  const withVersion = (changed: Partial<typeof HONEST>) => scriptedPeer(undefined, { ...HONEST, ...changed });
  t.is(await faultOf(withVersion({ version: PROTOCOL_VERSION - 1 }).open()), 'old');
  t.is(await faultOf(withVersion({ services: 4n }).open()), 'without blocks');
  t.is(await faultOf(withVersion({ nonce: NONCE }).open()), 'ourselves');
  t.is(await faultOf(withVersion({ agent: 'x'.repeat(257) }).open()), 'malformed');
  const saying = (...first: ReturnType<Script>) => scriptedPeer(() => first).open();
  t.is(await faultOf(saying({ command: 'inv', body: EMPTY })), 'malformed');
  t.is(await faultOf(saying(greeting(HONEST), greeting(HONEST))), 'malformed');
  t.is(await faultOf(saying({ command: 'version', body: new Uint8Array(1_025) })), 'malformed');
  t.is(await faultOf(saying(frameBytes(MAGIC.main, greeting(HONEST)))), 'malformed');
  const broken = frameBytes(MAGIC.regtest, greeting(HONEST));
  broken[30]! ^= 1;
  t.is(await faultOf(saying(broken)), 'malformed');
  const silent = scriptedPeer(() => [{ command: 'verack', body: EMPTY }]);
  const opened = silent.open();
  await turn();
  silent.pass(10_000);
  t.is(await faultOf(opened), 'silent');
  t.is(silent.timers.size, 0);
  const gone = scriptedPeer(() => {
    gone.theirs.end();
    return [];
  });
  t.is(await faultOf(gone.open()), 'closed');
});

test('what a peer says in one piece with the end of its handshake is read as anything later', async (t) => {
  const greets: Script = ({ command }) => {
    if (command !== 'version') return [];
    const said = [greeting(HONEST), { command: 'verack', body: EMPTY }, { command: 'getaddr', body: EMPTY }];
    return [concatBytes(...[...said, inv(40)].map((frame) => frameBytes(MAGIC.regtest, frame)))];
  };
  const connection = await scriptedPeer(greets).open();
  t.is(await faultOf(connection.addresses()), 'none');
  connection.close();
});

test('a mempool without end is the end of the connection', async (t) => {
  const script: Script = ({ command }) => (command === 'mempool' ? [inv(50_000), inv(1)] : []);
  t.is(await faultOf((await scriptedPeer(script).open()).mempool()), 'malformed');
});

test('headers follow what is asked, with the version that both agreed on', async (t) => {
  const script: Script = ({ command }) =>
    command === 'getheaders' ? [{ command: 'headers', body: headersBody(160) }] : [];
  const peer = scriptedPeer(script, { ...HONEST, version: PROTOCOL_VERSION + 5 });
  const connection = await peer.open();
  const answer = await connection.headers(hashes.slice(0, 3));
  t.deepEqual(
    answer.map(({ bytes }) => bytes),
    headers.slice(0, 160),
  );
  t.deepEqual(
    answer.map(({ header }) => header.hash),
    hashes.slice(0, 160),
  );
  const asked = peer.received.find(({ command }) => command === 'getheaders')!;
  t.is(new ByteReader(asked.body).u32(), PROTOCOL_VERSION);
  t.is(asked.body.length, 4 + 1 + 3 * 32 + 32);
  // A peer that does not answer has no more, and 161 are too many.
  t.deepEqual(await (await scriptedPeer().open()).headers(hashes), []);
  const greedy = scriptedPeer(({ command }) =>
    command === 'getheaders' ? [{ command: 'headers', body: headersBody(161) }] : [],
  );
  t.is(await faultOf((await greedy.open()).headers(hashes)), 'malformed');
});

test('blocks come in no order, some not at all, and the answer to the ping behind them ends the wait', async (t) => {
  const script: Script = ({ command }) =>
    command === 'getdata' ? [block(5), block(3), { command: 'notfound', body: EMPTY }] : [];
  const connection = await scriptedPeer(script).open();
  const blocks = await connection.blocks(hashes.slice(3, 7));
  t.deepEqual([...blocks.keys()].sort(), [hashes[3]!, hashes[5]!].map(bytesToHex).sort());
  t.is(await faultOf(connection.blocks([hashes[3]!])), 'unasked');
  t.is(await faultOf(connection.blocks([hashes[3]!])), 'unasked', 'the connection is over');
});

test('pings are answered, news are reported, and what is not known is skipped', async (t) => {
  const peer = scriptedPeer();
  const connection = await peer.open();
  const items = concatBytes(
    Uint8Array.of(2),
    u32ToLeBytes(2),
    new Uint8Array(32),
    u32ToLeBytes(5),
    new Uint8Array(64),
  );
  peer.say(
    { command: 'sendcmpct', body: new Uint8Array(9) },
    { command: 'inv', body: items },
    { command: 'ping', body: NONCE },
  );
  t.deepEqual(await connection.addresses(), []);
  await connection.news(60_000);
  // What was announced before headers are asked for is in them.
  await connection.headers(hashes);
  let isNew = false;
  const next = connection.news(30_000).then(() => {
    isNew = true;
  });
  await turn();
  t.false(isNew);
  peer.pass(30_000);
  await next;
  t.deepEqual(
    peer.received.filter(({ command }) => command === 'pong'),
    [{ command: 'pong', body: NONCE }],
  );
  connection.close();
  t.is(await faultOf(connection.ended), 'left');
});

test('a transaction is handed over without a word before it, and read before the call ends', async (t) => {
  const peer = scriptedPeer();
  await (await peer.open()).send(Uint8Array.of(4, 5, 6));
  t.deepEqual(
    peer.received.map(({ command }) => command),
    ['version', 'verack', 'tx', 'ping'],
  );
});

test('addresses are read, and a list that is too long is not', async (t) => {
  const one = concatBytes(
    new Uint8Array(4),
    Uint8Array.of(1),
    new Uint8Array(7 + 16),
    Uint8Array.of(0x20, 0x29),
  );
  const answer =
    (count: number): Script =>
    ({ command }) =>
      command === 'getaddr'
        ? [{ command: 'addr', body: concatBytes(encodeCompactSize(count), ...new Array(count).fill(one)) }]
        : [];
  const [address] = await (await scriptedPeer(answer(1_000)).open()).addresses();
  t.deepEqual(address, { services: 1n, ip: new Uint8Array(16), port: 8_233 });
  t.is(await faultOf((await scriptedPeer(answer(1_001)).open()).addresses()), 'malformed');
});

test('a peer that is quiet is asked every minute, and left when it says nothing for twenty seconds', async (t) => {
  const peer = scriptedPeer();
  const connection = await peer.open();
  peer.pass(60_000);
  await turn();
  await turn();
  t.is(peer.received.filter(({ command }) => command === 'ping').length, 1);
  const deaf = scriptedPeer(({ command }) => (command === 'ping' ? [new Uint8Array()] : []));
  const other = await deaf.open();
  deaf.pass(60_000);
  await turn();
  deaf.pass(20_000);
  t.is(await faultOf(other.ended), 'silent');
  t.is(deaf.timers.size, 0);
  connection.close();
  t.is(peer.timers.size, 0);
});

test('a peer that does not read what it is sent is left', async (t) => {
  const peer = scriptedPeer();
  const connection = await peer.open();
  peer.theirs.pause();
  const pings = Array.from({ length: 8_000 }, () => ({ command: 'ping', body: NONCE }));
  peer.say(...pings);
  t.is(await faultOf(connection.ended), 'silent');
});

test('a peer that sends without end what was not asked for is left, and one that answers between is not', async (t) => {
  const peer = scriptedPeer();
  const connection = await peer.open();
  const most = inv(50_000);
  for (let minute = 0; minute < 5; minute++) {
    peer.say(most, most);
    await connection.addresses();
  }
  peer.say(most, most, most, most, most);
  t.is(await faultOf(connection.ended), 'unasked');
});

test('no bytes make it do anything but end the connection', async (t) => {
  const commands = ['headers', 'block', 'inv', 'addr', 'pong', 'ping', 'version', 'tx', 'notfound', 'x'];
  const frame = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .tuple(fc.constantFrom(...commands), fc.uint8Array({ maxLength: 300 }))
      .map(([command, body]) => ({ command, body })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 5 }), async (said) => {
      const peer = scriptedPeer(({ command }) =>
        command === 'getheaders' || command === 'getdata' || command === 'getaddr' ? said : [],
      );
      const connection = await peer.open();
      for (const work of [connection.headers(hashes), connection.blocks([asBlockHash(new Uint8Array(32))])]) {
        const ended = faultOf(work);
        await turn();
        await turn();
        peer.pass(20_000);
        peer.pass(60_000);
        t.true(['none', 'malformed', 'unasked', 'silent', 'closed'].includes(await ended));
      }
      connection.close();
      await turn();
      t.is(peer.timers.size, 0);
    }),
    { numRuns: runs(50) },
  );
});
