// The TypeScript client against the HTTP front: typed calls and typed errors.

import { Reachable } from '@wallet-companion/base/test/garbage';
import { CompanionError, createClient } from '@wallet-companion/client';
import test, { type ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { ok } from '../../src/protocol/result.ts';
import { grantBed } from '../helpers/grantBed.ts';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';

async function front(t: ExecutionContext): Promise<HttpFront> {
  const started = await startHttpFront();
  t.teardown(() => started.close());
  return started;
}

test('calls by group and by name are the same, on GET and POST routes', async (t) => {
  const { url, link } = await front(t);
  const client = createClient({ baseUrl: `${url}/` });
  t.deepEqual(await client.wallet.exists(), { exists: true });
  const { input, output } = examples['notes.list'];
  t.deepEqual(await client.notes.list(input), output);
  t.deepEqual(await client.call('notes.list', input), output);
  t.deepEqual(
    await client.wallet.changePassword(examples['wallet.change_password'].input),
    examples['wallet.change_password'].output,
  );
  t.deepEqual(
    link.calls.map((call) => call.input),
    [{}, input, input, examples['wallet.change_password'].input],
  );
});

test('failures are CompanionErrors with all their fields', async (t) => {
  const { url, link } = await front(t);
  link.failWith('wallet.unlock', { code: 'TOO_MANY_ATTEMPTS', detail: 'Wait.', retryAfterSeconds: 2 });
  link.failWith('sync.run', { code: 'NODE_UNREACHABLE', detail: 'Gone.', lastScanHeight: 640 });
  const client = createClient({ baseUrl: url });
  const unlock = await t.throwsAsync(client.wallet.unlock({ password: 'x' }), { instanceOf: CompanionError });
  t.like(unlock, { code: 'TOO_MANY_ATTEMPTS', message: 'Wait.', retryAfterSeconds: 2 });
  const sync = await t.throwsAsync(client.sync.run(), { instanceOf: CompanionError });
  t.like(sync, { code: 'NODE_UNREACHABLE', lastScanHeight: 640 });
  const theme = await t.throwsAsync(client.config.theme({ theme: 'purple' as 'dark' }), {
    instanceOf: CompanionError,
  });
  t.is(theme.code, 'INVALID_THEME');
  t.is(theme.errors?.[0]?.path, 'theme');
});

test('what is no companion, or not there, is COMPANION_UNREACHABLE', async (t) => {
  const { url, close } = await front(t);
  for (const answer of [new Response('hello'), new Response('{"code":"NOPE"}', { status: 500 })]) {
    const elsewhere = createClient({ baseUrl: url, fetch: async () => answer });
    const error = await t.throwsAsync(elsewhere.config.get(), { instanceOf: CompanionError });
    t.is(error.code, 'COMPANION_UNREACHABLE');
  }
  await close();
  const gone = await t.throwsAsync(createClient({ baseUrl: url }).config.get(), {
    instanceOf: CompanionError,
  });
  t.is(gone.code, 'COMPANION_UNREACHABLE');
  t.throws(() => createClient({ baseUrl: 'localhost:3000' }), { instanceOf: CompanionError });
});

test('a token is sent with each call and each stream of events, and a function is asked each time', async (t) => {
  const { access, book } = grantBed('token', { anonymousAccess: 'none' });
  const stopping = new AbortController();
  const started = await startHttpFront({ access, stopping: stopping.signal });
  t.teardown(() => {
    stopping.abort();
    return started.close();
  });
  const { url: baseUrl } = started;
  const wanted = { name: 'reader', scopes: ['read'], expiresAt: null, limits: {} } as const;
  const { token: first } = await book.create(wanted);
  let token: string | undefined;
  const client = createClient({ baseUrl, token: () => token });
  const opened = () =>
    new Promise<void>((resolve, reject) => {
      const leave = new AbortController();
      const onState = () => {
        leave.abort();
        resolve();
      };
      client.events({ signal: leave.signal, onState }).next().catch(reject);
    });
  const refused = { instanceOf: CompanionError, code: 'GRANT_REQUIRED' };
  await t.throwsAsync(client.config.get(), refused);
  await t.throwsAsync(opened(), refused);
  token = first;
  t.deepEqual(await client.config.get(), examples['config.get'].output);
  t.deepEqual(await client.inWallet('default').balance.get(), examples['balance.get'].output);
  await opened();
  t.deepEqual(await createClient({ baseUrl, token: first }).config.get(), examples['config.get'].output);
  await t.throwsAsync(client.inWallet('savings').balance.get(), { code: 'GRANT_SCOPE' });
  await book.revoke('reader');
  await t.throwsAsync(client.config.get(), refused);
});

test('an aborted call rejects with the reason, and the companion goes on', async (t) => {
  const { url, link } = await front(t);
  const abort = new AbortController();
  link.answerWith('sync.run', () => {
    abort.abort(new Error('window closed'));
    return new Promise(() => {});
  });
  const client = createClient({ baseUrl: url, signal: abort.signal });
  await t.throwsAsync(client.sync.run(), { message: 'window closed' });
});

/** A sync of `requests` requests that the test finishes one by one. */
function steppedSync(link: HttpFront['link'], requests: number): { finish: (() => void)[] } {
  const finish: (() => void)[] = [];
  link.answerWith(
    'sync.run',
    () =>
      new Promise((resolve) => {
        finish.push(() =>
          resolve(ok({ ...examples['sync.run'].output, caught_up: finish.length === requests })),
        );
      }),
  );
  return { finish };
}

test("syncToTip reports progress and each request's summary until it is caught up", async (t) => {
  const { url, link } = await front(t);
  const { finish } = steppedSync(link, 2);
  const client = createClient({ baseUrl: url });
  const kinds: string[] = [];
  for await (const step of client.syncToTip({ password: 'x', pause: async () => {} })) {
    kinds.push(step.kind);
    if (step.kind === 'progress') finish.at(-1)?.();
  }
  t.deepEqual(
    kinds.filter((kind, place) => kind !== kinds[place - 1]),
    ['progress', 'scanned', 'progress', 'scanned'],
  );
  t.deepEqual(
    link.calls.filter((call) => call.name === 'sync.run').map((call) => call.input),
    [1, 2].map(() => ({ password: 'x', newest_first: true })),
  );
  t.false(link.calls.some((call) => call.name === 'sync.cancel'));
});

test('in the order of heights, syncToTip fills what was skipped once nothing above it is left, and rejects when it cannot be had', async (t) => {
  const gap = [{ start_height: 10, end_height: 2000 }];
  const { output } = examples['sync.run'];
  for (const scanned of [995, 0]) {
    const { url, link } = await front(t);
    const ends: (number | undefined)[] = [];
    link.answerWith('sync.run', async ({ end_height: end }) => {
      ends.push(end);
      if (end === undefined)
        return ok({
          ...output,
          blocks_scanned: 0,
          range_complete: true,
          caught_up: true,
          missing_ranges: gap,
        });
      return ok({ ...output, blocks_scanned: scanned, caught_up: scanned > 0 });
    });
    const run = async () => {
      let requests = 0;
      for await (const step of createClient({ baseUrl: url }).syncToTip({ oldestFirst: true }))
        if (step.kind === 'scanned') requests += 1;
      t.is(requests, 2);
    };
    if (scanned > 0) await run();
    else await t.throwsAsync(run(), { code: 'NODE_BEHIND' });
    t.deepEqual(ends, [undefined, 2000]);
  }
});

test('the newest blocks first, syncToTip goes on until nothing is missing, and rejects when it gets no further', async (t) => {
  const missing_ranges = [{ start_height: 10, end_height: 2000 }];
  const { output } = examples['sync.run'];
  for (const scanned of [995, 0]) {
    const { url, link } = await front(t);
    let requests = 0;
    link.answerWith('sync.run', async () => {
      requests += 1;
      const isDone = requests === 3;
      return ok({
        ...output,
        blocks_scanned: scanned,
        caught_up: true,
        range_complete: isDone,
        missing_ranges: isDone ? [] : missing_ranges,
      });
    });
    const run = async () => {
      for await (const { kind } of createClient({ baseUrl: url }).syncToTip({}))
        t.true(['progress', 'scanned'].includes(kind));
    };
    if (scanned > 0) await run();
    else await t.throwsAsync(run(), { code: 'NODE_BEHIND', message: /2000/ });
    t.is(requests, scanned > 0 ? 3 : 1);
    for (const { name, input } of link.calls)
      if (name === 'sync.run') t.deepEqual(input, { newest_first: true });
  }
});

test('leaving syncToTip early cancels what runs', async (t) => {
  const { url, link } = await front(t);
  steppedSync(link, 1);
  for await (const step of createClient({ baseUrl: url }).syncToTip({ pause: async () => {} })) {
    t.is(step.kind, 'progress');
    break;
  }
  t.is(link.calls.at(-1)?.name, 'sync.cancel');
});

test('syncToTip holds nothing of the pauses of a request that takes long', async (t) => {
  const { url, link } = await front(t);
  const { finish } = steppedSync(link, 1);
  const reachable = new Reachable();
  // What a pause resolves with stands for all that a race would keep of it.
  const pause = () => Promise.resolve(reachable.watch({}) as never as undefined);
  const steps = createClient({ baseUrl: url }).syncToTip({ pause });
  for (let i = 0; i < 50; i++) t.like(await steps.next(), { value: { kind: 'progress' } });
  t.true(reachable.watched >= 50);
  t.true((await reachable.count()) <= 1);
  finish[0]?.();
  await steps.return();
});

test('syncToTip follows a sync that another caller runs, and ends with what fails', async (t) => {
  const { url, link } = await front(t);
  link.failWith('sync.run', { code: 'SYNC_IN_PROGRESS', detail: 'One runs.' });
  const { output: status } = examples['sync.status'];
  let looks = 0;
  link.answerWith('sync.status', () => {
    looks += 1;
    if (looks < 4) return ok(status);
    link.failWith('sync.run', { code: 'NODE_UNREACHABLE', detail: 'Gone.' });
    return ok({ ...status, syncing: false, progress: null });
  });
  const steps: string[] = [];
  const error = await t.throwsAsync(
    async () => {
      for await (const step of createClient({ baseUrl: url }).syncToTip({ pollMs: 1 })) steps.push(step.kind);
    },
    { instanceOf: CompanionError },
  );
  t.is(error.code, 'NODE_UNREACHABLE');
  t.true(steps.includes('progress'));
  t.false(link.calls.some((call) => call.name === 'sync.cancel'));
});
