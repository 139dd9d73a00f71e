// Everything that leaves the companion, through a proxy that counts. No name here can be looked up, and nothing may try to.

import dns from 'node:dns';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { systemAfter } from '@wallet-companion/base/async';
import { Outgoing, type Purpose, type WayTo } from '@wallet-companion/base/proxy';
import { SocksProxy, type SocksProxyOptions } from '@wallet-companion/base/test/socksProxy';
import { dialTcp } from '@wallet-companion/chain/peers';
import { isOnion, isServerOnThisMachine } from '@wallet-companion/client/contract';
import { readRawBlocks } from '@wallet-companion/zcash/test/fixtures';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import anyTest, { type ExecutionContext } from 'ava';
import { CompactClient } from '#chain/compact/compactClient';
import { CompactConnection } from '#chain/compact/compactConnection';
import { JsonRpcClient } from '#chain/node/jsonRpc';
import { seedPlaces } from '#chain/peers/dialling';
import { statusFailure } from '../../src/http/calls/statusFailure.ts';
import { ScheduledPrices } from '../../src/prices/priceFeed.ts';
import type { CompanionError } from '../../src/protocol/errors.ts';
import { FixtureCompactServer } from '../helpers/fixtureCompactServer.ts';
import { FixtureNode } from '../helpers/fixtureNode.ts';
import { compactMain, MAIN_INFO, PARAMETERS } from '../helpers/knownSeedBlocks.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { PATIENT_CLIENT, PATIENT_RPC } from '../helpers/waits.ts';

const test = anyTest.serial;

const TLS = {
  key: readFileSync('test/fixtures/tls/localhost.key'),
  cert: readFileSync('test/fixtures/tls/localhost.crt'),
};

/** Whatever looks up a name here is a leak. */
function forbidLookups(t: ExecutionContext): string[] {
  const asked: string[] = [];
  const { lookup } = dns;
  t.teardown(() => {
    dns.lookup = lookup;
  });
  dns.lookup = ((name: string, ...rest: unknown[]) => {
    if (net.isIP(name) === 0) asked.push(name);
    return (lookup as (...all: unknown[]) => void)(name, ...rest);
  }) as typeof dns.lookup;
  return asked;
}

const wayBy = (purpose: Purpose, url: string | null): WayTo =>
  new Outgoing({
    proxy: url === null ? null : { url, isolates: true },
    isHere: isServerOnThisMachine,
    isOnion,
    randomBytes: (length) => new Uint8Array(length).fill(7),
    after: systemAfter,
  }).wayOf(purpose);

const portOf = (url: string): string => new URL(url).port;

async function startNode(t: ExecutionContext, tls?: typeof TLS): Promise<FixtureNode> {
  const node = await FixtureNode.start({
    chain: 'test',
    firstHeight: 1,
    blocks: readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex').slice(0, 2),
    treesBefore: EMPTY_TREES,
    ...(tls === undefined ? {} : { tls }),
  });
  t.teardown(() => node.stop());
  return node;
}

function nodeAt(t: ExecutionContext, url: string, proxy: string | null, cookieFile: string | null = null) {
  const client = new JsonRpcClient({ url, cookieFile }, PATIENT_RPC, wayBy('node', proxy));
  t.teardown(() => client.close());
  return client;
}

async function startCompact(t: ExecutionContext, tls?: typeof TLS): Promise<FixtureCompactServer> {
  const options = tls === undefined ? {} : { tls };
  const server = await FixtureCompactServer.start({ blocks: compactMain, info: MAIN_INFO, ...options });
  t.teardown(() => server.stop());
  return server;
}

function compactAt(t: ExecutionContext, url: string, proxy: string | null): CompactClient {
  const connection = new CompactConnection(url, PATIENT_CLIENT, wayBy('compact', proxy));
  const client = new CompactClient(connection, PARAMETERS);
  t.teardown(() => client.close());
  return client;
}

async function startWeb(t: ExecutionContext, answer: string): Promise<string> {
  const server = http.createServer((_request, response) => response.end(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return String((server.address() as AddressInfo).port);
}

function priceFeed(t: ExecutionContext, url: string, proxy: string | null): ScheduledPrices {
  const feed = new ScheduledPrices({
    source: { url },
    maxAgeMinutes: 10,
    now: Date.now,
    after: systemAfter,
    wayTo: wayBy('prices', proxy),
    program: { env: {}, memoryOf: () => undefined },
    settingsFile: '',
    warn: () => undefined,
  });
  t.teardown(() => feed.stop());
  return feed;
}

test('the node, with kept and with new connections; a hidden service gets the cookie', async (t) => {
  const lookups = forbidLookups(t);
  const proxy = await SocksProxy.start(t);
  const node = await startNode(t);
  const cookie = path.join(temporaryFolder(t), 'cookie');
  writeFileSync(cookie, '__cookie__:secret');
  const client = nodeAt(t, `http://node.onion:${portOf(node.url)}`, proxy.url, cookie);
  t.truthy(await client.call('getblockchaininfo', []));
  t.truthy(await client.call('getblockchaininfo', []));
  t.is(proxy.asked.length, 1, 'one connection is kept');
  t.truthy(await client.callOnce('getblockchaininfo', []));
  t.deepEqual(
    proxy.asked.map(({ host }) => host),
    ['node.onion', 'node.onion'],
  );
  t.true(node.authorizations.every((sent) => sent?.startsWith('Basic ')));
  t.deepEqual(lookups, []);
});

test('the compact server, by a name that only the proxy knows', async (t) => {
  const lookups = forbidLookups(t);
  const server = await startCompact(t);
  const proxy = await SocksProxy.start(t, { to: () => new URL(server.url).hostname });
  const port = portOf(server.url);
  for (const url of [`http://zec.invalid:${port}`, `zec.onion:${port}`]) {
    const client = compactAt(t, url, proxy.url);
    t.is((await client.info()).chainName, MAIN_INFO.chainName);
  }
  t.deepEqual(
    proxy.asked.map(({ host }) => host),
    ['zec.invalid', 'zec.onion'],
  );
  t.not(proxy.asked[0]?.login, proxy.asked[1]?.login);
  t.deepEqual(lookups, []);
});

test('TLS is spoken with the server, not with the proxy, and its certificate is checked for its name', async (t) => {
  const proxy = await SocksProxy.start(t);
  const node = await startNode(t, TLS);
  const compact = await startCompact(t, TLS);
  const untrusted = /certificate is not trusted/;
  const calls = [
    nodeAt(t, `https://node.invalid:${portOf(node.url)}`, proxy.url).call('getblockchaininfo', []),
    compactAt(t, `https://zec.invalid:${portOf(compact.url)}`, proxy.url).info(),
  ];
  for (const call of calls) t.regex((await t.throwsAsync<CompanionError>(call)).message, untrusted);
  t.is(proxy.asked.length, calls.length);
});

test('hooks, prices and peers', async (t) => {
  const lookups = forbidLookups(t);
  const proxy = await SocksProxy.start(t);
  const quote = { time: new Date().toISOString(), source: 'desk', prices: { EUR: '400' } };
  const port = await startWeb(t, JSON.stringify(quote));
  const never = new AbortController().signal;
  const hook = new URL(`http://hook.onion:${port}/`);
  const body = new Uint8Array(3);
  const failure = await statusFailure(
    hook,
    { method: 'POST' },
    body,
    systemAfter,
    never,
    wayBy('hooks', proxy.url),
  );
  t.is(failure, undefined);
  const { quote: read } = await priceFeed(t, `http://price.onion:${port}/`, proxy.url).state();
  t.is(read?.source, 'desk');
  const place = { host: 'seed.invalid', port: Number(port) };
  (await dialTcp(place, systemAfter, wayBy('peers', proxy.url))).destroy();
  t.deepEqual(
    proxy.asked.map(({ host }) => host),
    ['hook.onion', 'price.onion', 'seed.invalid'],
  );
  t.is(new Set(proxy.asked.map(({ login }) => login)).size, 3);
  t.deepEqual(lookups, []);
  const seeds = await seedPlaces(
    'main',
    async (name) => [name],
    () => 0,
  );
  t.true(seeds.length > 0 && seeds.every(({ host }) => net.isIP(host) === 0), 'the proxy looks them up');
});

const BAD: readonly (readonly [string, SocksProxyOptions | 'gone', RegExp, string])[] = [
  ['is gone', 'gone', /was not asked: the SOCKS proxy cannot be reached/, 'PROXY'],
  ['takes no login', { method: 0xff }, /was not asked: the SOCKS proxy takes no user name/, 'PROXY'],
  ['closes', { serve: (socket) => socket.destroy() }, /was not asked: the SOCKS proxy closes/, 'PROXY'],
  [
    'does not reach the server',
    { reply: 4 },
    /cannot be reached \(the SOCKS proxy does not find/,
    'UNREACHABLE',
  ],
];

for (const [what, options, words, hookFailure] of BAD)
  test(`a proxy that ${what} is told from a server that does not answer, and nothing goes around it`, async (t) => {
    const node = await startNode(t);
    const server = await startCompact(t);
    const proxy = await SocksProxy.start(t, options === 'gone' ? {} : options);
    const { url } = proxy;
    if (options === 'gone') proxy.stop();
    const calls = [
      nodeAt(t, `http://node.onion:${portOf(node.url)}`, url).call('getblockchaininfo', []),
      compactAt(t, `http://zec.invalid:${portOf(server.url)}`, url).info(),
    ];
    const codes = ['NODE_UNREACHABLE', 'COMPACT_SERVER_UNREACHABLE'];
    for (const [at, call] of calls.entries()) {
      const { code, message } = await t.throwsAsync<CompanionError>(call);
      t.is(code, codes[at] as typeof code);
      t.regex(message, words);
    }
    const never = new AbortController().signal;
    const hook = new URL('http://hook.onion/');
    const wayTo = wayBy('hooks', url);
    t.is(await statusFailure(hook, { method: 'GET' }, undefined, systemAfter, never, wayTo), hookFailure);
    t.is(node.calls.length, 0);
  });

test('a hidden service without a proxy is refused before its name is looked up', async (t) => {
  const lookups = forbidLookups(t);
  const refused = { message: /needs a SOCKS proxy/ };
  t.throws(() => nodeAt(t, 'http://node.onion', null), refused);
  t.throws(() => compactAt(t, 'zec.onion:9067', null), refused);
  const never = new AbortController().signal;
  const way = wayBy('hooks', null);
  const hook = new URL('http://hook.onion/');
  t.is(await statusFailure(hook, { method: 'GET' }, undefined, systemAfter, never, way), 'NO_PROXY');
  t.regex((await priceFeed(t, 'http://price.onion/', null).state()).problem ?? '', /needs "proxy"/);
  await t.throwsAsync(dialTcp({ host: 'seed.onion', port: 1 }, systemAfter, wayBy('peers', null)));
  t.deepEqual(lookups, []);
});
