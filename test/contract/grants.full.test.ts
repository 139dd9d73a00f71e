// One operation of each shape on every surface that takes a grant: allowed where its row says so, refused before anything is
// done where it does not. Every operation with every scope is in test/grants.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@wallet-companion/client';
import { requestTo } from '@wallet-companion/client/contract';
import test, { type ExecutionContext } from 'ava';
import { httpLink } from '../../src/cli/httpLink.ts';
import { asOwner } from '../../src/composition/privateSocket.ts';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { serveSocket } from '../../src/ipc/socketServer.ts';
import type { ErrorRecord } from '../../src/protocol/errors.ts';
import { EventLogs } from '../../src/protocol/eventLogs.ts';
import type { Scope } from '../../src/protocol/grants.ts';
import { encodeJson, jsonLink } from '../../src/protocol/jsonCalls.ts';
import type { JsonLink, Link } from '../../src/protocol/link.ts';
import { isOfWallet, type OperationName, operations } from '../../src/protocol/operations.ts';
import { failure, ok, type Result } from '../../src/protocol/result.ts';
import { verdict } from '../grants/reached.ts';
import { CliProcess, commandLine } from '../helpers/cliProcess.ts';
import { FakeLink } from '../helpers/fakeLink.ts';
import { type GrantBed, grantBed } from '../helpers/grantBed.ts';
import { grantedInput } from '../helpers/grantedInput.ts';
import { startHttpFront } from '../helpers/httpFront.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const OWN = 'shop';
const OTHER = 'savings';

type Call = (name: OperationName, input: object, wallet: string | undefined) => Promise<Result<unknown>>;

interface Bed {
  readonly link: Link & JsonLink & FakeLink;
  readonly grants: GrantBed;
}

/** Opens the surface for the holder of the token. */
type Surface = (t: ExecutionContext, bed: Bed, token: string) => Promise<Call>;

const problemOf = (body: unknown): Result<never> => ({ ok: false, error: body as ErrorRecord });

const http: Surface = async (t, { link, grants }, token) => {
  const front = await startHttpFront({ behind: link, access: grants.access });
  t.teardown(() => front.close());
  const authorization = `Bearer ${token}`;
  return async (name, input, wallet) => {
    const { method, path: route } = operations[name].http;
    const inWallet = wallet === undefined ? route : route.replace('/api/', `/api/wallets/${wallet}/`);
    const { target, body } = requestTo(method, inWallet, input);
    const headers = { authorization, accept: 'application/json' };
    const response = await (method === 'GET'
      ? front.get(target, headers)
      : front.post(target, body, headers));
    const answer: unknown = await response.json();
    return response.ok ? ok(answer) : problemOf(answer);
  };
};

const client: Surface = async (t, { link, grants }, token) => {
  const front = await startHttpFront({ behind: link, access: grants.access });
  t.teardown(() => front.close());
  const companion = createClient({ baseUrl: front.url, token });
  return async (name, input, wallet) => {
    const { call } = wallet === undefined ? companion : companion.inWallet(wallet);
    return (call as (name: string, input: object) => Promise<unknown>)(name, input).then(ok, failure);
  };
};

const commands: Surface = async (t, { link, grants }, token) => {
  const front = await startHttpFront({ behind: link, access: grants.access });
  t.teardown(() => front.close());
  const folder = temporaryFolder(t);
  const cli = new CliProcess({ behind: httpLink(front.url, token) });
  return async (name, input, wallet) => {
    const named = wallet === undefined ? [] : ['--wallet', wallet];
    const { stdout, stderr } = await cli.run(...commandLine(name, input, folder), '--json', ...named);
    if (stdout === '') throw new Error(stderr);
    const answer = JSON.parse(stdout) as { readonly code?: string };
    return 'code' in answer && 'detail' in answer ? problemOf(answer) : ok(answer);
  };
};

const socket: Surface = async (t, { link, grants }, token) => {
  const file = socketPath(temporaryFolder(t));
  const { access } = grants;
  const serving = await serveSocket({ link: asOwner(link), path: file, requestId: () => 'socket', access });
  t.teardown(() => serving.close());
  const remote = createSocketLink(file, { token });
  t.teardown(() => remote.close());
  return (name, input, wallet) =>
    remote.dispatch(name, input, { requestId: 'socket', ...(wallet === undefined ? {} : { wallet }) });
};

const SURFACES: Readonly<Record<string, Surface>> = {
  HTTP: http,
  'TypeScript client': client,
  'command line at a URL': commands,
  'private socket': socket,
};

async function bedFor(t: ExecutionContext, scope: Scope, wallets: readonly string[]) {
  const fake = new FakeLink();
  const { dispatchJson } = jsonLink(fake);
  const link = Object.assign(fake, { dispatchJson });
  const grants = grantBed(`${t.title} ${scope}`, { anonymousAccess: 'none' });
  const wanted = { name: 'program', scopes: [scope], wallets, expiresAt: null, limits: {} };
  const { grant, token } = await grants.book.create(wanted);
  return { link, grants, grant, token };
}

/** Routes, commands and checks are loops over the table: one operation of each shape stands for the others. */
const OF_EACH_SHAPE = [
  'balance.get',
  'labels.set',
  'payments.get',
  'invoices.cancel',
  'wallet.backup',
  'wallets.list',
  'config.theme',
  'lwd.info',
  'lwd.prune',
  'grants.list',
  'system.version',
] as const satisfies readonly OperationName[];

const outcome = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code);

for (const [surface, open] of Object.entries(SURFACES)) {
  test(`${surface}: a grant reaches what its row and its wallets are open to, and nothing else is begun`, async (t) => {
    for (const scope of ['read', 'invoice', 'admin'] as const) {
      const bed = await bedFor(t, scope, [OWN]);
      const call = await open(t, bed, bed.token);
      const holder = { is: 'grant', scopes: [scope], wallets: [OWN] } as const;
      for (const name of OF_EACH_SHAPE)
        for (const wallet of isOfWallet(name) ? [OWN, OTHER, undefined] : [undefined]) {
          bed.link.calls.length = 0;
          const expected = verdict(holder, name, wallet ?? 'default');
          const what = `${scope} ${name} ${wallet}`;
          t.is(outcome(await call(name, grantedInput(name), wallet)), expected, what);
          const begun = bed.link.calls.filter((made) => made.name === name);
          t.is(begun.length, expected === 'ok' ? 1 : 0, what);
          for (const { context } of begun) {
            t.like(context.grant, { id: bed.grant.id, scopes: [scope] }, what);
            t.not(context.byOwner, true, what);
          }
        }
    }
  });

  test(`${surface}: a revoked or expired grant, and a token that was never given, reach nothing`, async (t) => {
    const revoked = await bedFor(t, 'admin', ['*']);
    const call = await open(t, revoked, revoked.token);
    t.is(outcome(await call('config.get', {}, undefined)), 'ok');
    await revoked.grants.book.revoke(revoked.grant.id);
    t.is(outcome(await call('config.get', {}, undefined)), 'GRANT_REQUIRED');

    const expiring = await bedFor(t, 'admin', ['*']);
    const late = await open(t, expiring, expiring.token);
    t.is(outcome(await late('config.get', {}, undefined)), 'ok');
    await expiring.grants.book.narrow(expiring.grant.id, { expiresAt: expiring.grants.now + 1, limits: {} });
    expiring.grants.now += 1;
    t.is(outcome(await late('config.get', {}, undefined)), 'GRANT_EXPIRED');
    t.is(outcome(await late('system.version', {}, undefined)), 'ok', 'what is open to anyone stays open');

    const stranger = await open(t, revoked, 'never-given');
    for (const name of OF_EACH_SHAPE.filter((each) => operations[each].reach !== 'anyone'))
      t.is(outcome(await stranger(name, grantedInput(name), undefined)), 'GRANT_REQUIRED', name);
  });
}

test('the token comes from a file alone, and never from a command line', async (t) => {
  const bed = await bedFor(t, 'read', ['*']);
  const front = await startHttpFront({ behind: bed.link, access: bed.grants.access });
  t.teardown(() => front.close());
  const file = path.join(temporaryFolder(t), 'token');
  writeFileSync(file, `${bed.token}\n`, { mode: 0o600 });
  const cli = new CliProcess();
  cli.grantFile = file;
  const run = await cli.run('balance', '--url', front.url, '--json');
  t.is(run.code, 0, run.stdout);
  t.is((await new CliProcess().run('balance', '--url', front.url, '--json')).code, 3);
});

test('the bytes of a body are wiped where the grant does not reach', async (t) => {
  const bed = await bedFor(t, 'read', ['*']);
  const args = encodeJson({ password: 'correct horse' });
  const { Peer } = await import('../../src/ipc/peer.ts');
  const sent: object[] = [];
  const peer = new Peer({
    link: bed.link,
    events: new EventLogs(bed.link),
    requestId: () => 'peer',
    access: bed.grants.access,
    send: (message) => void sent.push(message),
    sendJson: () => t.fail(),
  });
  await peer.receive({ id: 1, command: 'grant_present' }, encodeJson({ token: bed.token }));
  await peer.receive({ id: 2, command: 'wallet_backup' }, args);
  t.like(sent[1], { id: 2, error: { code: 'GRANT_SCOPE' } });
  t.true(args.every((byte) => byte === 0));
});

test('private socket: events are those that the grant may hear, until it ends', async (t) => {
  const bed = await bedFor(t, 'sync', [OWN]);
  const call = await socket(t, bed, bed.token);
  const { access, book } = bed.grants;
  const file = socketPath(temporaryFolder(t));
  const serving = await serveSocket({
    link: asOwner(bed.link),
    path: file,
    requestId: () => 'socket',
    access,
  });
  t.teardown(() => serving.close());
  const remote = createSocketLink(file, { token: bed.token });
  t.teardown(() => remote.close());
  const heard: string[] = [];
  remote.subscribe(({ event }) => heard.push(event), OWN);
  remote.subscribe(({ event }) => heard.push(`default ${event}`));
  const answered = () => remote.dispatch('system.version', {}, { requestId: 'socket' });
  await answered();
  const report = async (wallet: string | undefined): Promise<void> => {
    bed.link.emit({ event: 'note.memo', data: {} as never }, wallet);
    bed.link.emit({ event: 'reorg', data: { fork_height: 5, depth: 1 } }, wallet);
    // Answers come after the events before them.
    await answered();
  };
  await report(OWN);
  await report(undefined);
  t.deepEqual(heard, ['reorg']);
  await book.revoke(bed.grant.id);
  await report(OWN);
  t.deepEqual(heard, ['reorg']);
  t.is(outcome(await call('sync.status', {}, OWN)), 'GRANT_REQUIRED');
});

test('private socket: the token of the dashboard is for pages, and makes no channel the owner of anything', async (t) => {
  const bed = await bedFor(t, 'read', ['*']);
  const { pages } = bed.grants;
  const call = await socket(t, bed, pages.exchange(pages.code().code));
  for (const name of ['grants.create', 'balance.get', 'wallet.lock'] as const)
    t.is(outcome(await call(name, grantedInput(name), undefined)), 'GRANT_REQUIRED', name);
  t.deepEqual(bed.link.calls, []);
});
