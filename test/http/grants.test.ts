// What a front must not give away although the call, the stream or the name was open before: grants that end while a body is on
// its way, wallets whose name another one gets, and what a lock or a scope hides in events.

import { connect } from 'node:net';
import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import { EventReader } from '../helpers/eventStream.ts';
import { grantBed } from '../helpers/grantBed.ts';
import { startHttpFront } from '../helpers/httpFront.ts';

const invoice = examples['invoices.get'].output;
const changed: CompanionEvent = { event: 'invoice.changed', data: { ...invoice, grant_id: null } };

async function frontWith(
  t: { readonly title: string; teardown(end: () => Promise<void>): void },
  scopes: readonly ('read' | 'sync' | 'prepare')[],
) {
  const grants = grantBed(t.title, { anonymousAccess: 'none' });
  const { grant, token } = await grants.book.create({
    name: 'program',
    scopes,
    wallets: ['*'],
    expiresAt: null,
    limits: {},
  });
  const front = await startHttpFront({ access: grants.access });
  t.teardown(() => front.close());
  const authorization = `Bearer ${token}`;
  return {
    grants,
    grant,
    token,
    front,
    authorization,
  };
}

test('a grant that ends while its body is on the way reaches nothing', async (t) => {
  const { grants, grant, front, token } = await frontWith(t, ['prepare']);
  const body = JSON.stringify({ address: 'u1example', zatoshi: 5 });
  const socket = connect(front.listening.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  const lines = [
    'POST /api/payments/prepare HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
    '',
    body.slice(0, 1),
  ];
  await new Promise<void>((resolve) => socket.write(lines.join('\r\n'), () => resolve()));
  // Another call is answered: the first one has come as far as its body.
  t.is((await front.get('/healthz')).status, 200);
  await grants.book.revoke(grant.id);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.write(body.slice(1));
  await ended;
  t.regex(received, /^HTTP\/1\.1 401 /);
  t.regex(received, /GRANT_REQUIRED/);
  t.deepEqual(front.link.calls, []);
});

for (const wallet of [undefined, 'shop']) {
  const path = wallet === undefined ? '/api/events' : `/api/wallets/${wallet}/events`;

  test(`a wallet that gets the name of another does not report the events of that one: ${wallet ?? 'the default one'}`, async (t) => {
    const { front, authorization } = await frontWith(t, ['read']);
    const stream = await EventReader.open(front.url + path, { authorization });
    front.link.emit(changed, wallet);
    const reported = await stream.next();
    t.is(reported?.event, 'invoice.changed');
    front.events.forget(wallet ?? 'default');
    t.is((await stream.next())?.event, 'events.missed');
    const [run] = String(reported?.id).split('.');
    const again = await EventReader.open(front.url + path, {
      authorization,
      'last-event-id': `${run}.0`,
    });
    front.link.emit({ event: 'reorg', data: { fork_height: 5, depth: 1 } }, wallet);
    t.is((await again.next())?.event, 'events.missed');
    t.is((await again.next())?.event, 'reorg');
    again.close();
  });
}

test('after a lock nothing of an invoice is reported to those who resume', async (t) => {
  const { front, authorization } = await frontWith(t, ['read']);
  const first = await EventReader.open(`${front.url}/api/events`, { authorization });
  front.link.emit(changed);
  const { id } = (await first.next())!;
  const [run] = String(id).split('.');
  front.link.emit({ event: 'wallet.locked', data: { reason: 'asked' } });
  first.close();
  const again = await EventReader.open(`${front.url}/api/events`, {
    authorization,
    'last-event-id': `${run}.0`,
  });
  const missed = await again.next();
  t.is(missed?.event, 'events.missed');
  t.false(missed!.raw.includes(invoice.address));
  t.is((await again.next())?.event, 'wallet.locked');
  again.close();
});

test('who may scan and not read hears of scans without what they found', async (t) => {
  const progress = { ...examples['sync.status'].output.progress!, notes_found: 3 };
  const summary = { ...examples['sync.run'].output, notes_found: 3, notes_new: 2, notes_spent: 1 };
  for (const [scope, found] of [
    ['sync', [0, 0, 0, 0]],
    ['read', [3, 3, 2, 1]],
  ] as const) {
    const { front, authorization } = await frontWith(t, [scope]);
    const stream = await EventReader.open(`${front.url}/api/events`, { authorization });
    front.link.emit({ event: 'sync.progress', data: progress });
    front.link.emit({ event: 'sync.finished', data: { ok: true, summary } });
    const during = (await stream.next())!.data as typeof progress;
    const { summary: after } = (await stream.next())!.data as { summary: typeof summary };
    t.deepEqual([during.notes_found, after.notes_found, after.notes_new, after.notes_spent], [...found]);
    t.is(after.blocks_scanned, summary.blocks_scanned);
    stream.close();
  }
});
