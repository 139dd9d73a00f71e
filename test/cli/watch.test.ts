import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { eventText } from '../../src/cli/eventText.ts';
import { socketEvents } from '../../src/composition/connectEvents.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { serveSocket } from '../../src/ipc/socketServer.ts';
import { EventLogs } from '../../src/protocol/eventLogs.ts';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import { CliProcess } from '../helpers/cliProcess.ts';
import { FakeLink } from '../helpers/fakeLink.ts';
import { startHttpFront } from '../helpers/httpFront.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { until } from '../helpers/until.ts';

const received: CompanionEvent = {
  event: 'note.received',
  data: {
    account: 0,
    pool: 'sapling',
    height: 5,
    txid: 'ab'.repeat(32),
    output_index: 0,
    value_zatoshi: 150_000_000,
  },
};

test('events are lines with the time, amounts among them while the wallet is open', async (t) => {
  const cli = new CliProcess();
  const running = cli.run('watch');
  await until(() => cli.link.subscriptions === 1);
  cli.link.emit(received);
  const { value_zatoshi: _, ...locked } = received.data;
  cli.link.emit({ event: 'note.received', data: locked });
  const memo = { text: 'order\u001b[2J 17' };
  cli.link.emit({ event: 'note.received', data: { ...received.data, memo } });
  cli.link.emit({ event: 'note.memo', data: { ...locked, memo: { hex: 'ff01' } } });
  cli.link.emit({ event: 'reorg', data: { fork_height: 4, depth: 2 } });
  const { height: _height, ...seen } = received.data;
  cli.link.emit({ event: 'note.seen', data: { ...seen, expiry_height: 9 } });
  const vanished = { txid: 'ab'.repeat(32), reason: 'expired' } as const;
  cli.link.emit({ event: 'transaction.vanished', data: vanished });
  const payment = { payment_id: '5f'.repeat(16), account: 0, txid: 'ab'.repeat(32), grant_id: null };
  cli.link.emit({ event: 'payment.changed', data: { ...payment, status: 'mined', mined_height: 7 } });
  cli.link.emit({ event: 'payment.changed', data: { ...payment, status: 'sent', mined_height: null } });
  const invoice = { ...examples['invoices.get'].output, reference: 'A-17', received_zatoshi: 70_000_000 };
  cli.link.emit({ event: 'invoice.changed', data: { ...invoice, state: 'paid', exception: 'overpaid' } });
  const open = { ...invoice, reference: null, state: 'new', exception: null } as const;
  cli.link.emit({ event: 'invoice.changed', data: { ...open, received_zatoshi: 0 } });
  cli.link.emit({ event: 'wallet.locked', data: { reason: 'idle' } });
  const status = examples['sync.status'].output.progress;
  if (status !== null) cli.link.emit({ event: 'sync.progress', data: status });
  const summary = { ...examples['sync.run'].output, start_height: 6, end_height: 8, caught_up: true };
  cli.link.emit({ event: 'sync.finished', data: { ok: true, summary } });
  await until(() => cli.screen.rows.some((row) => row.startsWith('Watching')));
  cli.interrupt();
  const { code, stdout, stderr } = await running;
  t.is(code, 130);
  const txid = 'ab'.repeat(32);
  t.deepEqual(stdout.split('\n'), [
    `2026-01-02T03:04:05Z  received 1.50000000 ZEC in sapling at height 5, ${txid}`,
    `2026-01-02T03:04:05Z  received a note in sapling at height 5, ${txid}`,
    `2026-01-02T03:04:05Z  received 1.50000000 ZEC in sapling at height 5, ${txid}: order\\u{1b}[2J 17`,
    `2026-01-02T03:04:05Z  memo of ${txid}`,
    '2026-01-02T03:04:05Z  the chain changed above height 4: 2 blocks undone',
    `2026-01-02T03:04:05Z  not mined yet: 1.50000000 ZEC in sapling, ${txid}`,
    `2026-01-02T03:04:05Z  unmined transaction expired, ${txid}`,
    `2026-01-02T03:04:05Z  payment ${'5f'.repeat(16)} is mined, at height 7, ${txid}`,
    `2026-01-02T03:04:05Z  payment ${'5f'.repeat(16)} was sent, ${txid}`,
    '2026-01-02T03:04:05Z  invoice A-17 is paid, overpaid, received 0.70000000 ZEC',
    `2026-01-02T03:04:05Z  invoice ${invoice.invoice_id} is new, received 0.00000000 ZEC`,
    '2026-01-02T03:04:05Z  locked (nobody used it)',
    '2026-01-02T03:04:05Z  scanned blocks 6 to 8, the tip',
    '',
  ]);
  t.is(stderr, 'Watching: the wallet is open, scanned up to height 640. Ctrl-C ends it.\n');
  t.is(cli.listeners, 0);
});

test('--json is one event a line and nothing else, progress included', async (t) => {
  const cli = new CliProcess();
  const running = cli.run('watch', '--json');
  await until(() => cli.link.subscriptions === 1);
  cli.link.emit(received);
  cli.link.emit({ event: 'wallet.unlocked', data: { expires_at: null } });
  cli.interrupt();
  const { code, stdout, stderr } = await running;
  t.is(code, 130);
  t.is(stderr, '');
  t.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [received, { event: 'wallet.unlocked', data: { expires_at: null } }],
  );
});

test('a companion that ends is waited for', async (t) => {
  const cli = new CliProcess();
  const running = cli.run('watch');
  await until(() => cli.screen.rows.some((row) => row.startsWith('Watching')));
  cli.isRunning = false;
  cli.loseConnection();
  cli.tick();
  await new Promise((resolve) => setImmediate(resolve));
  t.is(cli.link.subscriptions, 1);
  cli.isRunning = true;
  cli.tick();
  await until(() => cli.screen.rows.filter((row) => row.startsWith('Watching')).length === 2);
  cli.tick();
  await new Promise((resolve) => setImmediate(resolve));
  t.is(cli.link.subscriptions, 2, 'one connection at a time');
  cli.interrupt();
  const { code, stderr } = await running;
  t.is(code, 130);
  t.is(stderr.match(/gone; waiting/g)?.length, 1);
  t.is(stderr.match(/Watching: /g)?.length, 2);
});

test('over the private socket the next connection goes on after the last event', async (t) => {
  const link = new FakeLink();
  const dataDir = temporaryFolder(t);
  const companion = {
    link,
    events: new EventLogs(link),
    path: socketPath(dataDir),
    requestId: () => 'socket',
  };
  const connect = socketEvents({ dataDir }, 'shop');
  const seen: string[] = [];
  const open = () =>
    connect(
      ({ data }) => void seen.push(JSON.stringify(data)),
      () => void seen.push('lost'),
    );
  const happen = (depth: number) => link.emit({ event: 'reorg', data: { fork_height: 7, depth } }, 'shop');
  const first = await serveSocket(companion);
  await open();
  await until(() => link.subscriptions === 1);
  await first.close();
  await until(() => seen.length === 1);
  await t.throwsAsync(open(), { code: 'COMPANION_UNREACHABLE' });
  happen(1);
  const second = await serveSocket(companion);
  t.teardown(() => second.close());
  const connection = await open();
  t.teardown(() => connection.close());
  happen(2);
  await until(() => seen.length === 3);
  t.deepEqual(seen, ['lost', '{"fork_height":7,"depth":1}', '{"fork_height":7,"depth":2}']);
});

test('no companion to begin with is a failure', async (t) => {
  const cli = new CliProcess();
  cli.isRunning = false;
  const { code, stderr } = await cli.run('watch');
  t.is(code, 6);
  t.true(stderr.includes('COMPANION_UNREACHABLE'));
  t.is(cli.listeners, 0);
});

test('through a URL the stream of HTTP is read, from the same companion', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const cli = new CliProcess();
  const running = cli.run('watch', '--json', '--url', front.url);
  // The front itself is the first subscriber.
  await until(() => front.link.subscriptions > 0 && cli.listeners > 0);
  const resend = setInterval(() => front.link.emit(received), 5);
  await until(() => cli.screen.rows.some((row) => row.includes('note.received')));
  clearInterval(resend);
  cli.interrupt();
  const { code, stdout } = await running;
  t.is(code, 130);
  t.deepEqual(JSON.parse(stdout.split('\n')[0] ?? ''), received);
});

/** A server of event streams, cut at will. */
async function streamServer(t: { teardown(end: () => void): void }) {
  const asked: (string | undefined)[] = [];
  const open: ServerResponse[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    if (request.url !== '/api/events') {
      response.writeHead(404).end('{}');
      return;
    }
    asked.push(request.headers['last-event-id'] as string | undefined);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
    open.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, asked, open };
}

test('over HTTP a broken stream is resumed where it broke, not at a half event', async (t) => {
  const { url, asked, open } = await streamServer(t);
  const cli = new CliProcess();
  const running = cli.run('watch', '--json', '--url', url);
  await until(() => open.length === 1);
  open[0]?.write('id: run.7\nevent: reorg\ndata: {"fork_height":4,"depth":1}\n\n');
  open[0]?.write('id: run.8\nevent: reorg\ndata: {"fork_');
  await until(() => cli.screen.rows.some((row) => row.includes('reorg')));
  open[0]?.destroy();
  await until(() => {
    cli.tick();
    return open.length === 2;
  });
  open[1]?.write('id: run.8\nevent: reorg\ndata: {"fork_height":3,"depth":2}\n\n');
  await until(() => cli.screen.rows.filter((row) => row.includes('reorg')).length === 2);
  cli.interrupt();
  const { stdout } = await running;
  t.deepEqual(asked, [undefined, 'run.7']);
  t.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).data),
    [
      { fork_height: 4, depth: 1 },
      { fork_height: 3, depth: 2 },
    ],
  );
});

test('an answer that is not of a companion is reported as such', async (t) => {
  const server = createServer((_, response) => response.end('<html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { code, stderr } = await new CliProcess().run('watch', '--url', `http://127.0.0.1:${address.port}`);
  t.is(code, 6);
  t.true(stderr.includes('is not a companion'));
});

test('an event of a newer companion is shown as it is, without control characters', (t) => {
  const event = { event: 'note.guessed', data: { memo: 'a\u001b[2J' } } as unknown as CompanionEvent;
  t.is(eventText(event), 'note.guessed {"memo":"a\\u001b[2J"}');
  const reason = '\u001b[31m' as 'idle';
  t.is(eventText({ event: 'wallet.locked', data: { reason } }), 'locked (\\u{1b}[31m)');
});

test('each event is described in words, or nothing where there is nothing to describe', (t) => {
  const { value_zatoshi: value, ...locked } = received.data;
  const { height: _height, ...unmined } = locked;
  const { txid } = locked;
  const payment_id = '5f'.repeat(16);
  const newer = '\u001b[1mnew' as never;
  const scan = { ...examples['sync.run'].output, start_height: 6, end_height: 6, blocks_scanned: 1 };
  const summary = { ...scan, chain_tip: 900, caught_up: false };
  const follow = { ...examples['follow.get'].output, state: 'waiting' as never };
  const reported: readonly (readonly [CompanionEvent, string | undefined])[] = [
    [
      { event: 'note.spent', data: { ...locked, account: 2, note_txid: locked.txid, value_zatoshi: value! } },
      `spent 1.50000000 ZEC in sapling at height 5, account 2, ${txid}`,
    ],
    [
      { event: 'note.seen', data: { ...unmined, expiry_height: null, account: 2 } },
      `not mined yet: a note in sapling, account 2, ${txid}`,
    ],
    [
      { event: 'transaction.vanished', data: { txid, reason: newer } },
      `unmined transaction \\u{1b}[1mnew, ${txid}`,
    ],
    [
      {
        event: 'payment.changed',
        data: { payment_id, account: 0, txid, status: newer, mined_height: null, grant_id: null },
      },
      `payment ${payment_id} \\u{1b}[1mnew, ${txid}`,
    ],
    [
      { event: 'reorg', data: { fork_height: 4, depth: 1 } },
      'the chain changed above height 4: 1 block undone',
    ],
    [{ event: 'wallet.unlocked', data: { expires_at: null } }, 'unlocked'],
    [{ event: 'follow.changed', data: follow }, 'following new blocks: waiting'],
    [{ event: 'pairing.changed', data: { ...examples['pairing.list'].output, requests: [] } }, undefined],
    [
      { event: 'server.changed', data: { server: 'compact_server', state: 'lost', code: null } },
      'the compact server is lost',
    ],
    [
      { event: 'sync.finished', data: { ok: false, code: 'NODE_UNREACHABLE', last_scan_height: 7 } },
      'a scan failed: NODE_UNREACHABLE, at height 7',
    ],
    [{ event: 'sync.finished', data: { ok: true, summary } }, 'scanned block 6 of 900'],
    [{ event: 'sync.finished', data: { ok: true, summary: { ...summary, blocks_scanned: 0 } } }, undefined],
  ];
  for (const [event, line] of reported) t.is(eventText(event), line, event.event);
});

test('what goes wrong unasked is a line, and so is its end', async (t) => {
  const cli = new CliProcess();
  const running = cli.run('watch');
  await until(() => cli.link.subscriptions === 1);
  const { emit } = { emit: cli.link.emit.bind(cli.link) };
  const txid = 'ab'.repeat(32);
  emit({
    event: 'transaction.unmined',
    data: { txid, state: 'seen', received_zatoshi: 0, spent_zatoshi: 150_000_000 },
  });
  // Its notes and its end have lines of their own.
  emit({
    event: 'transaction.unmined',
    data: { txid, state: 'seen', received_zatoshi: 5, spent_zatoshi: 0 },
  });
  emit({ event: 'transaction.unmined', data: { txid, state: 'replaced' } });
  const behind = {
    behind: true,
    reason: 'server_away',
    tip_height: 7,
    since: '2026-01-02T01:00:00Z',
  } as const;
  emit({ event: 'wallet.behind', data: behind });
  emit({ event: 'wallet.behind', data: { ...behind, reason: 'old_tip' } });
  emit({ event: 'wallet.behind', data: { ...behind, behind: false, reason: null } });
  const disk = { free_bytes: 12_345_678, limit_bytes: 20_000_000 };
  emit({ event: 'disk.low', data: { ...disk, low: true } });
  emit({ event: 'disk.low', data: { ...disk, low: false } });
  await until(() => cli.screen.rows.some((row) => row.startsWith('Watching')));
  cli.interrupt();
  const { stdout } = await running;
  t.deepEqual(
    stdout.split('\n').map((line) => line.slice('2026-01-02T03:04:05Z  '.length)),
    [
      `not mined yet: spends 1.50000000 ZEC, ${txid}`,
      'the server is away since 2026-01-02T01:00:00Z',
      'there was no new block since 2026-01-02T01:00:00Z',
      'new blocks arrive again',
      'the disk of the data directory has only 12 MB free',
      'the disk of the data directory has 12 MB free again',
      '',
    ],
  );
});
