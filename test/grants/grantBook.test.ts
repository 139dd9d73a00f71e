// The grants that a companion keeps: what is written of them, and that less counts at once and more only once it is written.

import { createHash } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { Grant } from '../../src/grants/grant.ts';
import { GrantBook } from '../../src/grants/grantBook.ts';
import { BY_OWNER, type GrantBed, grantBed } from '../helpers/grantBed.ts';
import { seededRandom } from '../helpers/seededRandom.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const EXTENSION = `chrome-extension://${'a'.repeat(32)}`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const create = (bed: GrantBed, name = 'shop', more: object = {}) =>
  bed.call('grants.create', { name, scopes: ['read'], ...more });

/** The file holds what the book does, and a book that is made from it knows the same grants. */
function isWritten(t: ExecutionContext, bed: GrantBed): void {
  t.deepEqual(bed.written(), bed.book.all);
  t.deepEqual(grantBed('again', {}, bed.written()).book.all, bed.book.all);
}

test('a token is shown once, and only what recognises it is kept', async (t) => {
  const bed = grantBed(t.title);
  const { grant, token } = await create(bed);
  t.regex(token, /^[A-Za-z0-9_-]{43}$/);
  t.is(Buffer.from(token, 'base64url').length, 32);
  t.regex(grant.id, /^[0-9a-f]{16}$/);
  t.deepEqual(
    bed.written().map(({ id, tokenHash }) => ({ id, tokenHash })),
    [{ id: grant.id, tokenHash: sha256(token) }],
  );
  const kept = [bed.written(), await bed.call('grants.list'), await bed.call('grants.log'), grant];
  t.false(JSON.stringify(kept).includes(token));
  t.false(JSON.stringify([await bed.call('grants.list'), grant]).includes(sha256(token)));
  t.is(bed.book.withToken(token)?.id, grant.id);
  isWritten(t, bed);
});

test('what is made without more holds for the default wallet, without an end and without limits', async (t) => {
  const bed = grantBed(t.title);
  const { grant } = await create(bed);
  const made = '2026-01-01T00:00:00.000Z';
  t.deepEqual(grant, {
    id: grant.id,
    name: 'shop',
    origin: null,
    scopes: ['read'],
    wallets: ['default'],
    expires_at: null,
    expired: false,
    limits: { payment_zatoshi: null, day_zatoshi: null, payees: null, calls_per_minute: null },
    created_at: made,
    last_used_at: null,
  });
  t.deepEqual((await bed.call('grants.list')).grants, [grant]);
});

test('what a clock that was ahead gave begins when the owner looks and a block says that it is right now', async (t) => {
  const bed = grantBed(t.title);
  const right = bed.now;
  await create(bed, 'before', { days: 2 });
  bed.now += 30 * DAY;
  const { grant } = await create(bed, 'ahead', { days: 1 });
  await create(bed, 'endless');
  await create(bed, 'narrowed');
  bed.book.used(grant.id);
  const shown = async (caller = BY_OWNER) =>
    (await bed.call('grants.list', {}, caller)).grants.map(({ created_at, expires_at, last_used_at }) =>
      [created_at, expires_at, last_used_at].map((at) => at && (Date.parse(at) - right) / DAY),
    );
  bed.now = right + DAY;
  await bed.call('grants.narrow', { grant: 'narrowed', days: 7 });
  const ahead = await shown();
  t.deepEqual(await shown(), ahead, 'no block says so');
  bed.scannedTime = right / 1000;
  t.deepEqual(await shown(), ahead, 'the newest block is a day old');
  bed.scannedTime = (right + DAY) / 1000 + 7_200;
  t.deepEqual(await shown({ ...BY_OWNER, byService: true }), ahead, 'doctor looks on');
  t.is(await bed.failureCode('grants.narrow', { grant: 'ahead', days: 2 }), 'INVALID_REQUEST');
  t.deepEqual(await shown(), [
    [0, 2, null],
    [1, 2, 1],
    [1, null, null],
    [1, 8, null],
  ]);
  isWritten(t, bed);
  bed.now += DAY;
  t.like((await bed.call('grants.list')).grants, [{ expired: true }, { expired: true }]);
});

test('what is asked for is what is kept, each scope and wallet once', async (t) => {
  const bed = grantBed(t.title);
  const limits = { payment_zatoshi: 5, day_zatoshi: 10, payees: ['u1a', 'u1b'], calls_per_minute: 60 };
  const { grant } = await create(bed, 'shop', {
    scopes: ['send', 'prepare', 'send'],
    wallets: ['shop', 'default', 'shop'],
    days: 7,
    ...limits,
  });
  t.like(grant, {
    scopes: ['send', 'prepare'],
    wallets: ['shop', 'default'],
    expires_at: '2026-01-08T00:00:00.000Z',
    limits,
  });
  const all = await create(bed, 'all', { wallets: ['shop', '*'] });
  t.deepEqual(all.grant.wallets, ['*'], 'every wallet says it all');
  bed.now += 7 * DAY;
  t.like((await bed.call('grants.list')).grants, [{ name: 'shop', expired: true }]);
  isWritten(t, bed);
});

test('a limit of nothing and an empty list of recipients are limits', async (t) => {
  const bed = grantBed(t.title);
  const { grant } = await create(bed, 'shop', { payment_zatoshi: 0, day_zatoshi: 0, payees: [] });
  t.like(grant.limits, { payment_zatoshi: 0, day_zatoshi: 0, payees: [] });
});

test('a token that was never given is unknown, however near it comes', async (t) => {
  const bed = grantBed(t.title);
  const { token } = await create(bed);
  await bed.book.letIn(EXTENSION, { name: 'helper', scopes: ['read'], expiresAt: null, limits: {} });
  for (const other of [
    '',
    'null',
    token.slice(0, -1),
    `${token}=`,
    ` ${token}`,
    token.toUpperCase(),
    sha256(token),
    bed.book.all[0]!.id,
    'x'.repeat(100_000),
  ])
    t.is(bed.book.withToken(other), undefined, other.slice(0, 50));
});

test('each of many tokens is recognised as its own', async (t) => {
  const bed = grantBed(t.title);
  const made = [];
  for (let n = 0; n < 20; n += 1) made.push(await create(bed, `program ${n}`));
  for (const { grant, token } of made) t.is(bed.book.withToken(token)?.id, grant.id);
  t.is(new Set(made.map(({ token }) => token)).size, 20);
});

test('no two grants have one name, also where one is over or is an extension', async (t) => {
  const bed = grantBed(t.title);
  await create(bed, 'shop', { days: 1 });
  await bed.book.letIn(EXTENSION, { name: 'helper', scopes: ['read'], expiresAt: null, limits: {} });
  bed.now += DAY;
  for (const name of ['shop', 'helper']) {
    const refused = await bed.failure('grants.create', { name, scopes: ['read'] });
    t.is(refused.code, 'INVALID_REQUEST');
    t.deepEqual(
      refused.errors?.map(({ path }) => path),
      ['name'],
    );
  }
  await bed.call('grants.revoke', { grant: 'shop' });
  await t.notThrowsAsync(create(bed, 'shop'));
});

test('of two programs that are given one name at once the second has none', async (t) => {
  const bed = grantBed(t.title);
  const [first, second] = await Promise.allSettled([create(bed), create(bed)]);
  t.is(first?.status, 'fulfilled');
  t.like(second, { status: 'rejected', reason: { code: 'INVALID_REQUEST' } });
  t.is(bed.book.all.length, 1);
  isWritten(t, bed);
});

test('there are 256 grants at most, and one that is revoked makes room', async (t) => {
  const bed = grantBed(t.title);
  const made = [];
  for (let n = 0; n < 256; n += 1) made.push((await create(bed, `program ${n}`)).token);
  const refused = await bed.failure('grants.create', { name: 'one more', scopes: ['read'] });
  t.is(refused.code, 'INVALID_REQUEST');
  t.regex(refused.message, /256/);
  await t.throwsAsync(
    bed.book.letIn(EXTENSION, { name: 'helper', scopes: ['read'], expiresAt: null, limits: {} }),
    { code: 'INVALID_REQUEST' },
  );
  t.is(bed.book.all.length, 256);
  t.is(bed.book.withToken(made[255]!)?.name, 'program 255');
  await bed.call('grants.revoke', { grant: 'program 7' });
  await bed.book.letIn(EXTENSION, { name: 'helper', scopes: ['read'], expiresAt: null, limits: {} });
  await bed.book.letIn(EXTENSION, { name: 'again', scopes: ['read'], expiresAt: null, limits: {} });
  t.is(bed.book.all.length, 256, 'an extension takes its own place');
});

test('a grant is found by its id or by its name, and the id goes before a name that looks like it', async (t) => {
  const bed = grantBed(t.title);
  const { grant } = await create(bed, 'shop');
  const other = await create(bed, grant.id);
  t.is(bed.book.named('shop').id, grant.id);
  t.is(bed.book.named(grant.id).id, grant.id);
  t.is(bed.book.named(other.grant.id).name, grant.id);
  for (const name of ['grants.narrow', 'grants.rotate', 'grants.revoke'] as const)
    t.is(await bed.failureCode(name, { grant: 'Shop' }), 'NOT_FOUND');
});

test('an extension is found by its id or its origin, and never by the name that it gave itself', async (t) => {
  const bed = grantBed(t.title);
  await bed.book.letIn(EXTENSION, { name: 'helper', scopes: ['read'], expiresAt: null, limits: {} });
  t.is(await bed.failureCode('grants.revoke', { grant: 'helper' }), 'NOT_FOUND');
  t.is(bed.book.named(bed.book.all[0]!.id).origin, EXTENSION);
  t.is((await bed.call('grants.narrow', { grant: EXTENSION, days: 1 })).origin, EXTENSION);
  await bed.call('grants.revoke', { grant: EXTENSION });
  t.deepEqual(bed.book.all, []);
});

const WIDE = {
  scopes: ['read', 'sync', 'send'],
  wallets: ['default', 'shop'],
  days: 30,
  payment_zatoshi: 100,
  day_zatoshi: 1_000,
  payees: ['u1a', 'u1b'],
  calls_per_minute: 60,
};

/** For each field what is less, what is as much, and what is more. */
const FIELDS = {
  scopes: { less: [['read']], same: [['sync', 'send', 'read']], more: [['admin'], ['read', 'prepare']] },
  wallets: { less: [['shop']], same: [['shop', 'default']], more: [['*'], ['default', 'savings']] },
  days: { less: [1, 29], same: [30], more: [31, 3650] },
  payment_zatoshi: { less: [0, 99], same: [100], more: [101] },
  day_zatoshi: { less: [0, 999], same: [1_000], more: [1_001] },
  payees: { less: [[], ['u1b']], same: [['u1b', 'u1a']], more: [['u1c'], ['u1a', 'u1b', 'u1c'], ['u1A']] },
  calls_per_minute: { less: [1, 59], same: [60], more: [61] },
} as const;

/** The view's fields by the names that the calls have for them. */
async function fieldsOf(bed: GrantBed): Promise<Record<string, unknown>> {
  const [{ scopes, wallets, expires_at, limits } = {} as never] = (await bed.call('grants.list')).grants;
  return { scopes, wallets, days: (Date.parse(expires_at!) - bed.now) / DAY, ...limits };
}

for (const [field, { less, same, more }] of Object.entries(FIELDS)) {
  test(`narrowing takes from ${field} and adds nothing`, async (t) => {
    for (const value of [...less, ...same]) {
      const bed = grantBed(t.title);
      const { token } = await create(bed, 'shop', WIDE);
      const before = await fieldsOf(bed);
      t.like(before, WIDE);
      await bed.call('grants.narrow', { grant: 'shop', [field]: value });
      t.deepEqual(await fieldsOf(bed), { ...before, [field]: value });
      t.is(bed.book.withToken(token)?.name, 'shop', 'the token stays');
      isWritten(t, bed);
    }
    const bed = grantBed(t.title);
    await create(bed, 'shop', WIDE);
    const before = bed.book.all;
    for (const value of more) {
      const refused = await bed.failure('grants.narrow', { grant: 'shop', scopes: ['read'], [field]: value });
      t.is(refused.code, 'INVALID_REQUEST');
      t.deepEqual(
        refused.errors?.map(({ path }) => path),
        [field],
      );
      t.is(bed.book.all, before, 'nothing of it counts');
    }
  });
}

test('a limit that a grant did not have can be given to it, and is then one that only shrinks', async (t) => {
  const bed = grantBed(t.title);
  await create(bed, 'shop', { scopes: ['admin'], wallets: ['*'] });
  const { days: _none, ...limited } = WIDE;
  await bed.call('grants.narrow', { grant: 'shop', ...limited, days: 30 });
  t.like(await fieldsOf(bed), WIDE);
  for (const [field, { more }] of Object.entries(FIELDS))
    for (const value of more)
      t.is(
        await bed.failureCode('grants.narrow', { grant: 'shop', [field]: value }),
        'INVALID_REQUEST',
        field,
      );
});

test('narrowing by nothing changes nothing', async (t) => {
  const bed = grantBed(t.title);
  await create(bed, 'shop', WIDE);
  const before = bed.book.all;
  await bed.call('grants.narrow', { grant: 'shop' });
  t.deepEqual(bed.book.all, before);
});

test('a grant that is over cannot be brought back by narrowing', async (t) => {
  const bed = grantBed(t.title);
  await create(bed, 'shop', { days: 1 });
  bed.now += DAY;
  t.is(await bed.failureCode('grants.narrow', { grant: 'shop', days: 1 }), 'INVALID_REQUEST');
  t.true((await bed.call('grants.narrow', { grant: 'shop', calls_per_minute: 1 })).expired);
});

test('a rotated grant has another token and is otherwise as before', async (t) => {
  const bed = grantBed(t.title);
  const { grant, token } = await create(bed, 'shop', WIDE);
  const rotated = await bed.call('grants.rotate', { grant: grant.id });
  t.deepEqual(rotated.grant, grant);
  t.not(rotated.token, token);
  t.is(bed.book.withToken(token), undefined);
  t.is(bed.book.withToken(rotated.token)?.id, grant.id);
  t.is(bed.written()[0]?.tokenHash, sha256(rotated.token));
  isWritten(t, bed);
});

test('an extension has no token to rotate', async (t) => {
  const bed = grantBed(t.title);
  await bed.book.letIn(EXTENSION, { name: 'helper', scopes: ['read'], expiresAt: null, limits: {} });
  const before = bed.written();
  t.is(await bed.failureCode('grants.rotate', { grant: EXTENSION }), 'INVALID_REQUEST');
  t.is(bed.written(), before);
});

test('a revoked grant is gone with its token, and the others stay', async (t) => {
  const bed = grantBed(t.title);
  const shop = await create(bed, 'shop');
  const other = await create(bed, 'other');
  t.deepEqual(await bed.call('grants.revoke', { grant: 'shop' }), shop.grant);
  t.is(bed.book.withToken(shop.token), undefined);
  t.is(bed.book.withToken(other.token)?.name, 'other');
  t.is(await bed.failureCode('grants.revoke', { grant: 'shop' }), 'NOT_FOUND');
  isWritten(t, bed);
});

test('what takes something away counts also when it cannot be written, and is written with what comes next', async (t) => {
  let isFull = false;
  const bed = grantBed(t.title, {}, [], () => isFull);
  const [shop, other, third] = [
    await create(bed, 'shop'),
    await create(bed, 'other'),
    await create(bed, 'third'),
  ];
  await create(bed, 'savings', { wallets: ['savings'] });
  isFull = true;
  await t.throwsAsync(bed.call('grants.revoke', { grant: 'shop' }), { message: 'no space' });
  await t.throwsAsync(bed.call('grants.narrow', { grant: 'other', calls_per_minute: 1 }), {
    message: 'no space',
  });
  await t.throwsAsync(bed.call('grants.rotate', { grant: 'third' }), { message: 'no space' });
  await t.throwsAsync(bed.book.walletMoved('savings', undefined), { message: 'no space' });
  t.is(bed.book.withToken(shop.token), undefined);
  t.is(bed.book.withToken(other.token)?.limits.calls_per_minute, 1);
  t.is(bed.book.withToken(third.token), undefined);
  t.is(bed.written().length, 4);
  isFull = false;
  await create(bed, 'last');
  t.deepEqual(
    bed.book.all.map(({ name }) => name),
    ['other', 'third', 'last'],
  );
  isWritten(t, bed);
});

test('a grant that cannot be written is not there, nor is its name taken', async (t) => {
  let isFull = true;
  const bed = grantBed(t.title, {}, [], () => isFull);
  await t.throwsAsync(create(bed), { message: 'no space' });
  t.deepEqual(bed.book.all, []);
  isFull = false;
  await t.notThrowsAsync(create(bed));
  const before = await bed.book.letIn(EXTENSION, {
    name: 'a',
    scopes: ['read'],
    expiresAt: null,
    limits: {},
  });
  isFull = true;
  await t.throwsAsync(
    bed.book.letIn(EXTENSION, { name: 'b', scopes: ['admin'], expiresAt: null, limits: {} }),
    { message: 'no space' },
  );
  t.is(bed.book.withOrigin(EXTENSION), before, 'the extension keeps what it had');
});

/** A file whose writes end when they are told to. */
function slowBook(seed: string, kept: readonly Grant[] = []) {
  const ends: (() => void)[] = [];
  let written = kept;
  const book = new GrantBook({
    file: {
      read: () => kept,
      write: (grants) =>
        new Promise((resolve) => {
          ends.push(() => {
            written = grants;
            resolve();
          });
        }),
    },
    now: () => Date.UTC(2026, 0, 1),
    elapsed: () => 0,
    randomBytes: seededRandom(seed),
  });
  /** Lets every write end, also those that only begin then. */
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    void work.then(done, done);
    while (!isDone) {
      for (const end of ends.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return work;
  };
  return { book, settle, written: () => written };
}

const wanted = (name: string, more: object = {}) =>
  ({ name, scopes: ['read'], expiresAt: null, limits: {}, ...more }) as const;

test('what happens while a grant is written is not undone by it', async (t) => {
  const { book, settle, written } = slowBook(t.title);
  const shop = await settle(book.create(wanted('shop')));
  const other = await settle(book.create(wanted('other')));
  const making = book.create(wanted('new'));
  await new Promise((resolve) => setImmediate(resolve));
  const revoking = book.revoke(shop.grant.id);
  const narrowing = book.narrow(other.grant.id, { limits: { calls_per_minute: 1 } });
  t.is(book.withToken(shop.token), undefined, 'at once');
  t.is(book.withToken(other.token)?.limits.calls_per_minute, 1, 'at once');
  t.deepEqual(
    book.all.map(({ name }) => name),
    ['other'],
    'what is not written does not count yet',
  );
  await settle(Promise.all([making, revoking, narrowing]));
  t.like(book.all, [
    { name: 'other', limits: { calls_per_minute: 1 } },
    { name: 'new', limits: {} },
  ]);
  t.deepEqual(written(), book.all);
});

test('a wallet that is renamed or removed while a grant for it is written takes the grant along', async (t) => {
  for (const to of ['renamed', undefined]) {
    const { book, settle, written } = slowBook(t.title);
    const making = book.create(wanted('new', { wallets: ['shop'] }));
    await new Promise((resolve) => setImmediate(resolve));
    await settle(Promise.all([making, book.walletMoved('shop', to)]));
    t.deepEqual(
      book.all.map(({ wallets }) => wallets),
      to === undefined ? [] : [[to]],
    );
    t.deepEqual(written(), book.all);
  }
});

test('a grant goes along when its wallet is renamed', async (t) => {
  const bed = grantBed(t.title);
  await create(bed, 'one', { wallets: ['shop'] });
  await create(bed, 'two', { wallets: ['default', 'shop', 'savings'] });
  await create(bed, 'every', { wallets: ['*'] });
  await create(bed, 'none', { wallets: ['savings'] });
  await bed.book.walletMoved('shop', 'store');
  t.deepEqual(
    bed.book.all.map(({ wallets }) => wallets),
    [['store'], ['default', 'store', 'savings'], ['*'], ['savings']],
  );
  isWritten(t, bed);
});

test('a grant loses a wallet that is removed, and ends with its last one', async (t) => {
  const bed = grantBed(t.title);
  const { token } = await create(bed, 'one', { wallets: ['shop'] });
  await create(bed, 'two', { wallets: ['default', 'shop'] });
  await create(bed, 'every', { wallets: ['*'] });
  await bed.book.walletMoved('shop', undefined);
  t.deepEqual(
    bed.book.all.map(({ wallets }) => wallets),
    [['default'], ['*']],
  );
  t.is(bed.book.withToken(token), undefined);
  isWritten(t, bed);
  await bed.book.walletMoved('default', undefined);
  t.deepEqual(
    bed.book.all.map(({ name }) => name),
    ['every'],
  );
  isWritten(t, bed);
});

test('a wallet that no grant names is renamed and removed without a write', async (t) => {
  const bed = grantBed(t.title);
  await create(bed, 'every', { wallets: ['*'] });
  const writes = bed.writes();
  await bed.book.walletMoved('shop', 'store');
  await bed.book.walletMoved('store', undefined);
  t.is(bed.writes(), writes);
});

/** Lets the writes end that nobody waits for. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the last use is known at once, and written once a minute and at the end', async (t) => {
  const bed = grantBed(t.title);
  const { grant } = await create(bed);
  const { id } = grant;
  const began = bed.now;
  const lastWritten = () => bed.written()[0]?.lastUsedAt;
  const writes = bed.writes();

  bed.book.used(id);
  await settled();
  t.is(lastWritten(), began);
  for (let n = 0; n < 59; n += 1) {
    bed.now += 1_000;
    bed.book.used(id);
  }
  await settled();
  t.is(bed.writes(), writes + 1);
  t.is(bed.book.withId(id)?.lastUsedAt, bed.now);
  t.is((await bed.call('grants.list')).grants[0]?.last_used_at, '2026-01-01T00:00:59.000Z');

  bed.now += 1_000;
  bed.book.used(id);
  await settled();
  t.is(bed.writes(), writes + 2);
  t.is(lastWritten(), began + MINUTE);

  // The clock is set back.
  bed.set -= 30 * 1440 * MINUTE;
  bed.now += MINUTE - 30 * 1440 * MINUTE;
  bed.book.used(id);
  await settled();
  t.is(lastWritten(), bed.now);

  bed.now += 10_000;
  bed.book.used(id);
  await bed.book.close();
  t.is(bed.writes(), writes + 4);
  t.is(lastWritten(), bed.now);
  await bed.book.close();
  isWritten(t, bed);
});

test('a use that cannot be written stops no caller', async (t) => {
  let isFull = false;
  const bed = grantBed(t.title, {}, [], () => isFull);
  const { grant, token } = await create(bed);
  isFull = true;
  t.notThrows(() => bed.book.used(grant.id));
  await settled();
  bed.now += 1;
  bed.book.used(grant.id);
  await t.notThrowsAsync(bed.book.close());
  t.is(bed.book.withToken(token)?.lastUsedAt, bed.now);
});

test('the use of what is gone is no use', async (t) => {
  const bed = grantBed(t.title);
  const { grant } = await create(bed);
  await bed.call('grants.revoke', { grant: 'shop' });
  bed.book.used(grant.id);
  await bed.book.close();
  t.deepEqual(bed.written(), []);
});

test('closing waits for what is being written', async (t) => {
  const { book, settle, written } = slowBook(t.title);
  const making = book.create(wanted('shop'));
  await settle(book.close());
  t.is((await making).grant.name, 'shop');
  t.deepEqual(written(), book.all);
});

test('a book in which nothing was done is not written again', async (t) => {
  const bed = grantBed(t.title);
  const { grant } = await create(bed);
  bed.book.used(grant.id);
  await bed.book.close();
  const again = grantBed(t.title, {}, bed.written());
  await again.book.close();
  t.is(again.writes(), 0);
});

test('what was taken away and could not be written is tried again at the end', async (t) => {
  let isFull = false;
  const bed = grantBed(t.title, {}, [], () => isFull);
  await create(bed);
  isFull = true;
  await t.throwsAsync(bed.call('grants.revoke', { grant: 'shop' }), { message: 'no space' });
  isFull = false;
  await bed.book.close();
  t.deepEqual(bed.written(), []);
});
