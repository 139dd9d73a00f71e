// Any caller can name a server in a request. However that fails, the answer is the same: else the companion would
// tell which ports of which machine are open, and what listens there.

import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';
import type { ChainSettings } from '@wallet-companion/chain/ports';
import test, { type ExecutionContext } from 'ava';
import { ofNamedServer } from '#chain/context/serverFailures';
import type { ChainActor } from '../../../src/actors/chain/chainActor.ts';
import { CompanionError, type ErrorRecord, toErrorRecord } from '../../../src/protocol/errors.ts';
import { startChainActor } from '../../helpers/chainActorHere.ts';
import { FixtureCompactServer } from '../../helpers/fixtureCompactServer.ts';
import { FIRST, MAIN_INFO, PARAMETERS } from '../../helpers/knownSeedBlocks.ts';
import { PASSWORD, startWallet } from '../../helpers/walletHarness.ts';

/** Nobody may listen on the port of tcpmux here. */
const CLOSED = 'http://127.0.0.1:1';

async function listening(t: ExecutionContext, server: Server | HttpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (status: number, body: string): HttpServer =>
  createHttp((_request, response) => void response.writeHead(status).end(body));

/** What may be found behind a port, none of it a chain's server. */
async function strangers(t: ExecutionContext): Promise<string[]> {
  return [
    CLOSED,
    'https://127.0.0.1:1',
    await listening(
      t,
      createTcp((socket) => socket.destroy()),
    ),
    await listening(
      t,
      createTcp((socket) => void socket.end('220 mail.example ESMTP\r\n')),
    ),
    await listening(t, answering(200, '<html>router</html>')),
    await listening(t, answering(401, '')),
    await listening(t, answering(302, '')),
    await listening(t, answering(500, '{"id":1,"error":{"code":-1,"message":"secret words"}}')),
  ];
}

async function setUp(t: ExecutionContext, changes: Partial<ChainSettings> = {}): Promise<ChainActor> {
  const settings = {
    network: 'main',
    activation: PARAMETERS.activation,
    nodeUrl: 'http://127.0.0.1:2',
    compactServerUrl: 'http://127.0.0.1:2',
    birthdayHeight: FIRST,
    lastScanHeight: FIRST - 1,
    ...changes,
  } as const;
  const { actor } = await startChainActor(t, settings, { logFault: (where, fault) => t.log(where, fault) });
  return actor;
}

/** `byOwner`: through the private socket, say. */
async function refusal(
  actor: ChainActor,
  name: string,
  input: object,
  byOwner = false,
): Promise<ErrorRecord> {
  const result = await actor.dispatch({ name, input, requestId: 'test', byOwner });
  if (result.ok) throw new Error('was answered');
  return result.error;
}

for (const name of ['lwd.info', 'lwd.chain_tip', 'lwd.sync_compact'])
  test(`${name}: a named server that does not serve is reported in one sentence, whatever it is`, async (t) => {
    const actor = await setUp(t);
    const reported = new Set<string>();
    for (const url of await strangers(t))
      reported.add(JSON.stringify(await refusal(actor, name, { compact_server_url: url })));
    t.is(reported.size, 1, [...reported].join('\n'));
    t.regex(
      [...reported][0]!,
      /"COMPACT_SERVER_UNREACHABLE".*that the request names cannot be reached, or gives no/,
    );
  });

const NAMED_NODE: readonly [string, (actor: ChainActor, nodeUrl: string) => Promise<unknown>][] = [
  ['tip', (actor, nodeUrl) => actor.tip({ source: 'node', nodeUrl })],
  ['blockHash', (actor, nodeUrl) => actor.blockHash({ source: 'node', nodeUrl, height: FIRST })],
  ['treeSizesAt', (actor, nodeUrl) => actor.treeSizesAt({ source: 'compact', nodeUrl, height: FIRST })],
  ['treeStates', (actor, nodeUrl) => actor.treeStates({ source: 'node', nodeUrl, height: FIRST })],
  ['mempool', (actor, nodeUrl) => actor.mempool({ source: 'node', nodeUrl, known: [] } as never)],
  [
    'a range',
    async (actor, nodeUrl) =>
      actor.nextBatch(await actor.openRange({ source: 'node', nodeUrl, start: FIRST, end: FIRST })),
  ],
  ['a probe', (actor, url) => actor.probeNode({ url })],
];

for (const [what, ask] of NAMED_NODE)
  test(`${what} of a named node that does not serve is reported in one sentence, whatever it is`, async (t) => {
    const actor = await setUp(t);
    const reported = new Set<string>();
    for (const url of await strangers(t)) {
      const { code, message } = (await t.throwsAsync<Error & { code: string }>(ask(actor, url)))!;
      reported.add(`${code}: ${message}`);
    }
    t.is(reported.size, 1, [...reported].join('\n'));
    t.regex(
      [...reported][0]!,
      /^NODE_UNREACHABLE: .*that the request names cannot be reached, or gives no usable answer/,
    );
  });

test('nor does a named server that takes too long differ', (t) => {
  for (const server of ['node', 'compact_server'] as const) {
    const reported = ['UPSTREAM_TIMEOUT', 'NODE_UNREACHABLE', 'COMPACT_SERVER_BAD_RESPONSE'] as const;
    const records = reported.map((code) =>
      toErrorRecord(ofNamedServer(server, new CompanionError(code, code))),
    );
    t.is(new Set(records.map((record) => JSON.stringify(record))).size, 1);
  }
});

test('the failure of a configured server is described as ever, also where the request names it', async (t) => {
  const router = await listening(t, answering(200, '<html>router</html>'));
  const actor = await setUp(t, { compactServerUrl: CLOSED, nodeUrl: router });
  for (const input of [{}, { compact_server_url: CLOSED }])
    t.regex(
      (await refusal(actor, 'lwd.info', input)).detail,
      /127\.0\.0\.1:1 cannot be reached \(connection refused\)/,
    );
  for (const nodeUrl of [undefined, router])
    await t.throwsAsync(actor.tip({ source: 'node', ...(nodeUrl && { nodeUrl }) }), {
      message: /did not answer with a JSON-RPC reply/,
    });
});

test('the owner, who may configure it, gets the full description of a named one too', async (t) => {
  const actor = await setUp(t);
  const input = { compact_server_url: CLOSED };
  t.regex((await refusal(actor, 'lwd.chain_tip', input, true)).detail, /connection refused/);
  await t.throwsAsync(actor.probeNode({ url: CLOSED, byOwner: true }), { message: /connection refused/ });
  await t.throwsAsync(actor.tip({ source: 'node', nodeUrl: CLOSED, byOwner: true }), {
    message: /connection refused/,
  });
});

test('a sync from a named node says why to the owner alone', async (t) => {
  const wallet = await startWallet(t);
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 2_000_000 });
  const sync = async (byOwner: boolean) => {
    const input = { password: PASSWORD, node_url: CLOSED };
    const result = await wallet.actor.dispatch({ name: 'sync.run', input, requestId: 'test', byOwner });
    return result.ok ? '' : result.error.detail;
  };
  t.regex(await sync(false), /that the request names/);
  t.regex(await sync(true), /connection refused/);
});

test('a server of another network is reported as such: it answers as it should', async (t) => {
  const server = await FixtureCompactServer.start({ blocks: [], info: { ...MAIN_INFO, chainName: 'test' } });
  t.teardown(() => server.stop());
  const actor = await setUp(t);
  t.is((await refusal(actor, 'lwd.info', { compact_server_url: server.url })).code, 'NETWORK_MISMATCH');
});
