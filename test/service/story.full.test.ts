// The log of a companion that runs unattended: what happened, once each, and nothing that names money.
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { readKnownSeed, startKnownSeedNode } from '../helpers/knownSeed.ts';
import { startService } from '../helpers/service.ts';
import { until } from '../helpers/until.ts';

const seed = readKnownSeed('main');
const first = seed.firstHeight;
const last = first + seed.mainBlocks.length - 1;
const fork = seed.reorg.lastCommonHeight ?? 0;
const PASSWORD = 'correct horse battery staple';

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Without what every line has. */
function reported(output: string): [number, string, object][] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => {
    const {
      level,
      msg,
      time: _,
      pid: __,
      hostname: ___,
      name: ____,
      ...fields
    } = JSON.parse(line) as LogLine;
    return [level, msg, fields];
  });
}

/** Sends it and resets the connection. */
async function leave(url: string, ...lines: string[]): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(`${lines.join('\r\n')}\r\n\r\n`, resolve));
  socket.resetAndDestroy();
}

test('a story of outages, a reorganisation, notes and a lock, line for line', async (t) => {
  const node = await startKnownSeedNode(seed);
  const service = await startService(t, {
    config: { network: 'main', node_url: node.url, compact_server_url: 'http://127.0.0.1:1' },
  });
  t.teardown(async () => {
    await service.kill();
    service.remove();
    await node.stop();
  });
  const { mnemonic } = seed;
  await service.post('/api/wallet/restore', { mnemonic, password: PASSWORD, birthday_height: first });
  const sync = async (): Promise<number> => (await service.post('/api/sync', {})).status;
  t.is(await sync(), 200);
  t.is(await sync(), 200, 'nothing new is no line');
  // A client that leaves and monitors that ask are none either.
  await leave(service.url, 'GET /api/events HTTP/1.1', 'host: 127.0.0.1');
  const upload = ['host: 127.0.0.1', 'content-type: application/json', 'content-length: 99', '', '{'];
  await leave(service.url, 'POST /api/wallet/unlock HTTP/1.1', ...upload);
  await leave(service.url, 'POST /api/lwd/sync/compact HTTP/1.1', ...upload);
  for (const route of ['/readyz', '/api/balance', '/api/notes', '/nowhere']) await service.get(route);
  node.exchange = (request) => {
    request.socket.destroy();
    return true;
  };
  t.is(await sync(), 502);
  t.is(await sync(), 502, 'lost is said once');
  t.like(await service.get('/api/status'), {
    status: 200,
    body: { last_scan_height: last, node: { state: 'lost', code: 'NODE_UNREACHABLE', tip_height: last } },
  });
  t.is((await service.get('/readyz?mode=unlocked')).status, 200);
  t.like(await service.get('/readyz?mode=synced'), { status: 503, body: { code: 'NOT_READY' } });
  node.exchange = () => false;
  node.reorg(fork, seed.reorgBlocks);
  t.is(await sync(), 200);
  // What is known of the server may be from before the scan: on a busy machine it is asked in between.
  const ready = () => service.get('/readyz?mode=synced');
  await until(async () => (await ready()).status === 200);
  t.deepEqual(await ready(), { status: 200, body: { status: 'ready', mode: 'synced' } });
  await service.post('/api/wallet/lock');
  await service.post('/api/wallet/unlock', { password: 'not the one' });
  t.is(await service.stop(), 0);
  const host = new URL(node.url).host;
  const lines = reported(service.output());
  const notes = lines.filter(([, message]) => message === 'notes found').map(([, , fields]) => fields);
  t.deepEqual(
    lines.filter(([, message]) => message !== 'notes found'),
    [
      [
        30,
        'companion started',
        {
          thread: 'main',
          version: (lines[0]?.[2] as { version?: string } | undefined)?.version,
          url: service.url,
          network: 'main',
          node: host,
          compactServer: '127.0.0.1:1',
        },
      ],
      [30, 'wallet unlocked', { thread: 'main' }],
      [30, 'node answers', { thread: 'main' }],
      [30, 'scanned up to the chain tip', { thread: 'main', height: last, complete: true }],
      [40, 'node lost', { thread: 'main', code: 'NODE_UNREACHABLE' }],
      [40, 'compact server lost', { thread: 'main', code: 'COMPACT_SERVER_UNREACHABLE' }],
      [30, 'node is back', { thread: 'main' }],
      [40, 'chain reorganised', { thread: 'main', forkHeight: fork, depth: last - fork }],
      [30, 'scanned up to the chain tip', { thread: 'main', height: node.tipHeight, complete: true }],
      [30, 'wallet locked', { thread: 'main', reason: 'asked' }],
      [30, 'stopping', { thread: 'main', signal: 'SIGTERM' }],
    ],
  );
  t.deepEqual(
    notes.map((fields) => Object.keys(fields)),
    notes.map(() => ['thread', 'received', 'spent']),
  );
  const received = seed.main.notes;
  t.like(notes[0], {
    received: received.length,
    spent: received.filter(({ spentHeight }) => spentHeight !== null).length,
  });
  t.is(notes.length, 2);
  for (const { txid, nullifier, value } of [...seed.main.notes, ...seed.reorg.notes]) {
    for (const secret of [txid, nullifier]) t.false(service.output().includes(secret));
    // Shorter ones are heights and counts as well.
    if (value.length > 5) t.notRegex(service.output(), new RegExp(`\\b${value}\\b`));
  }
  t.false(service.output().includes(PASSWORD));
});
