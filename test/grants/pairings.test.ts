// Browser extensions that ask for access: a person compares the code, and gives them a grant of what they asked for, or less.

import test from 'ava';
import { tokenHash } from '../../src/grants/grant.ts';
import { type GrantBed, grantBed, WITH_PASSWORD, WITHOUT_PASSWORD } from '../helpers/grantBed.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const extension = (letter: string): string => `chrome-extension://${letter.repeat(32)}`;
const OURS = extension('a');

const ask = (bed: GrantBed, origin = OURS, more: object = {}) =>
  bed.call('pairing.request', { origin, ...more });

/** Asks, and gives the code back with which a person answers. */
const codeOf = async (bed: GrantBed, origin = OURS, more: object = {}): Promise<string> =>
  (await ask(bed, origin, more)).code ?? '';

/** Asks, and is let in as far as `answer` says. */
const letIn = async (bed: GrantBed, asked: object = {}, answer: object = {}, origin = OURS) =>
  bed.call('pairing.allow', { code: await codeOf(bed, origin, asked), ...answer });

test('an extension that asks is shown with its code, and let in by the password alone', async (t) => {
  const bed = grantBed(t.title);
  const { status, code, expires_at } = await ask(bed, OURS, { name: 'Shop helper' });
  t.is(status, 'waiting');
  t.regex(code ?? '', /^[A-Z2-9]{3}-[A-Z2-9]{3}$/);
  const { requests, allowed_origins } = await bed.call('pairing.list');
  t.like(requests, [{ origin: OURS, name: 'Shop helper', code: code ?? '', expires_at: expires_at ?? '' }]);
  t.deepEqual(allowed_origins, []);
  const refused = await bed.failure('pairing.allow', { code }, WITHOUT_PASSWORD);
  t.like(refused, { code: 'INVALID_REQUEST', errors: [{ path: 'password', message: 'is required' }] });
  t.is((await ask(bed)).status, 'waiting');
  t.is((await ask(bed)).code, code, 'asking again is the same question');

  const given = (code ?? '').toLowerCase().replace('-', '');
  const allowed = await bed.call('pairing.allow', { code: given }, WITH_PASSWORD);
  t.deepEqual(allowed, { requests: [], allowed_origins: [OURS] });
  t.deepEqual(await ask(bed), { status: 'allowed', code: null, expires_at: null });
  t.deepEqual(bed.settings.allowedOrigins, [], 'a grant it is; config.json stays as it was');
  t.like(bed.book.withOrigin(OURS), { name: 'Shop helper', origin: OURS, tokenHash: null });
  t.deepEqual(
    bed.reported.map(({ requests, allowed_origins }) => [requests.length, allowed_origins.length]),
    [
      [1, 0],
      [0, 1],
    ],
  );

  t.is(await bed.failureCode('pairing.revoke', { origin: OURS }, WITHOUT_PASSWORD), 'INVALID_REQUEST');
  t.is(await bed.failureCode('pairing.revoke', { origin: extension('b') }, WITH_PASSWORD), 'NOT_FOUND');
  const revoked = await bed.call('pairing.revoke', { origin: OURS }, WITH_PASSWORD);
  t.deepEqual(revoked.allowed_origins, []);
  t.is((await ask(bed)).status, 'waiting');
});

test('who was refused cannot ask again for ten minutes, and a question is forgotten after five', async (t) => {
  const bed = grantBed(t.title);
  const code = await codeOf(bed);
  await bed.call('pairing.refuse', { code }, WITHOUT_PASSWORD);
  t.deepEqual((await bed.call('pairing.list')).requests, []);
  t.deepEqual(await ask(bed), { status: 'refused', code: null, expires_at: null });
  t.is(await bed.failureCode('pairing.allow', { code }), 'NOT_FOUND');
  bed.now += 10 * MINUTE - 1;
  t.is((await ask(bed)).status, 'refused');
  bed.now += 1;
  const again = await ask(bed);
  t.is(again.status, 'waiting');
  t.not(again.code, code);
  bed.now += 5 * MINUTE;
  t.deepEqual((await bed.call('pairing.list')).requests, []);
  t.is(await bed.failureCode('pairing.allow', { code: again.code }), 'NOT_FOUND');
  t.deepEqual(bed.book.all, []);
});

test('a clock that is set back prolongs no question, no code and no page', async (t) => {
  const bed = grantBed(t.title);
  await ask(bed);
  const [used, left] = [await bed.call('grants.page_code'), await bed.call('grants.page_code')];
  const { token } = await bed.call('grants.open_page', { code: used.code });
  bed.now -= DAY;
  bed.set -= DAY;
  bed.now += 70_000;
  t.is(await bed.failureCode('grants.open_page', { code: left.code }), 'GRANT_REQUIRED');
  bed.now += 5 * MINUTE;
  t.deepEqual((await bed.call('pairing.list')).requests, []);
  t.truthy(bed.pages.withToken(token));
  bed.now += DAY / 2;
  t.is(bed.pages.withToken(token), undefined);
});

test('what waits is bounded, and each has a code of its own', async (t) => {
  const bed = grantBed(t.title);
  const letters = [...'abcdefgh'];
  const codes: string[] = [];
  for (const letter of letters) codes.push(await codeOf(bed, extension(letter)));
  t.is(new Set(codes).size, letters.length);
  t.is(await bed.failureCode('pairing.request', { origin: extension('i') }), 'BUSY');
  t.is(await codeOf(bed), codes[0]!, 'those that wait are not hindered');
  await bed.call('pairing.refuse', { code: codes[1] });
  t.is((await ask(bed, extension('i'))).status, 'waiting', 'a refused one takes no space');
  bed.now += 5 * MINUTE;
  t.is((await ask(bed, extension('j'))).status, 'waiting');
});

test('of those that were refused the last 64 are remembered', async (t) => {
  const bed = grantBed(t.title);
  const letters = [...'abcdefghijklmnop'];
  const origins = letters.flatMap((one) =>
    [...'abcde'].map((other) => `chrome-extension://${`${one}${other}`.repeat(16)}`),
  );
  for (const origin of origins.slice(0, 65))
    await bed.call('pairing.refuse', { code: await codeOf(bed, origin) });
  t.is((await ask(bed, origins[64])).status, 'refused');
  t.is((await ask(bed, origins[1])).status, 'refused');
  t.is((await ask(bed, origins[0])).status, 'waiting');
});

test('pages, and names that could hide something, are refused', async (t) => {
  const bed = grantBed(t.title);
  for (const origin of [
    'https://example.org',
    'http://127.0.0.1:3000',
    'null',
    'chrome-extension://abc',
    `${OURS}/`,
    `${OURS}.example`,
    'moz-extension://not-a-uuid',
  ]) {
    t.is(await bed.failureCode('pairing.request', { origin }), 'INVALID_REQUEST', origin);
  }
  for (const name of ['', 'a\nb', 'a\u202eb', 'a\u0007', 'x'.repeat(65), '\u200bHelper']) {
    const code = await bed.failureCode('pairing.request', { origin: OURS, name });
    t.is(code, 'INVALID_REQUEST', JSON.stringify(name));
  }
  t.deepEqual((await bed.call('pairing.list')).requests, []);
});

test('what is no scope, no wallet or no number of days is not asked for', async (t) => {
  const bed = grantBed(t.title);
  for (const more of [
    { scopes: [] },
    { scopes: ['owner'] },
    { scopes: ['read', 'all'] },
    { wallets: [] },
    { wallets: ['Savings'] },
    { wallets: ['../default'] },
    { days: 0 },
    { days: 3651 },
    { days: 1.5 },
    { payment_zatoshi: 1 },
  ]) {
    const code = await bed.failureCode('pairing.request', { origin: OURS, ...more });
    t.is(code, 'INVALID_REQUEST', JSON.stringify(more));
  }
  t.deepEqual((await bed.call('pairing.list')).requests, []);
});

test('an extension asks for itself alone', async (t) => {
  const bed = grantBed(t.title);
  const asked = { origin: OURS };
  const from = (origin: string) => ({ ...WITHOUT_PASSWORD, origin });
  t.is(await bed.failureCode('pairing.request', asked, from(extension('b'))), 'ORIGIN_FORBIDDEN');
  t.deepEqual((await bed.call('pairing.list')).requests, []);
  t.is((await bed.call('pairing.request', asked, from(OURS))).status, 'waiting');
});

test('a request for nothing in particular asks for "admin" on every wallet, without an end', async (t) => {
  const bed = grantBed(t.title);
  await ask(bed);
  t.like((await bed.call('pairing.list')).requests, [{ scopes: ['admin'], wallets: ['*'], days: null }]);
  await letIn(bed);
  t.like(bed.book.withOrigin(OURS), {
    name: OURS,
    scopes: ['admin'],
    wallets: ['*'],
    expiresAt: null,
    limits: {},
  });
});

test('who names scopes and no wallet asks for the default wallet', async (t) => {
  const bed = grantBed(t.title);
  await ask(bed, OURS, { scopes: ['read', 'read'] });
  t.like((await bed.call('pairing.list')).requests, [{ scopes: ['read'], wallets: ['default'], days: null }]);
});

test('the person sees what is asked for, and an answer that names nothing allows that much', async (t) => {
  const bed = grantBed(t.title);
  const asked = { name: 'Shop', scopes: ['read', 'invoice'], wallets: ['shop', 'savings'] };
  await ask(bed, OURS, { ...asked, days: 30 });
  t.like((await bed.call('pairing.list')).requests, [{ ...asked, days: 30 }]);
  bed.now += MINUTE;
  await letIn(bed);
  // The days begin with the answer.
  t.like(bed.book.withOrigin(OURS), { ...asked, expiresAt: bed.now + 30 * DAY });
  t.deepEqual(bed.written(), bed.book.all);
});

test('what was asked first counts: asking again for more while it waits changes nothing', async (t) => {
  const bed = grantBed(t.title);
  const code = await codeOf(bed, OURS, { scopes: ['read'] });
  t.is(await codeOf(bed, OURS, { name: 'Trusted', scopes: ['admin'], wallets: ['*'] }), code);
  t.like((await bed.call('pairing.list')).requests, [{ name: null, scopes: ['read'], wallets: ['default'] }]);
  await bed.call('pairing.allow', { code });
  t.like(bed.book.withOrigin(OURS), { name: OURS, scopes: ['read'], wallets: ['default'] });
});

test('the person may allow less: fewer scopes, fewer wallets, fewer days', async (t) => {
  const bed = grantBed(t.title);
  const asked = { scopes: ['read', 'sync', 'send'], wallets: ['default', 'shop'], days: 30 };
  await letIn(bed, asked, { scopes: ['sync'], wallets: ['shop'], days: 7 });
  t.like(bed.book.withOrigin(OURS), { scopes: ['sync'], wallets: ['shop'], expiresAt: bed.now + 7 * DAY });
});

test('of "admin" any scope may be allowed, of every wallet any wallet, and of no end any number of days', async (t) => {
  const bed = grantBed(t.title);
  await letIn(bed, {}, { scopes: ['read', 'prepare'], wallets: ['savings'], days: 1 });
  t.like(bed.book.withOrigin(OURS), {
    scopes: ['read', 'prepare'],
    wallets: ['savings'],
    expiresAt: bed.now + DAY,
  });
});

test('more than was asked for cannot be allowed, and the question stays open', async (t) => {
  const bed = grantBed(t.title);
  const code = await codeOf(bed, OURS, { scopes: ['read', 'sync'], wallets: ['shop'], days: 7 });
  for (const [answer, path] of [
    [{ scopes: ['read', 'send'] }, 'scopes'],
    [{ scopes: ['admin'] }, 'scopes'],
    [{ wallets: ['shop', 'default'] }, 'wallets'],
    [{ wallets: ['*'] }, 'wallets'],
    [{ days: 8 }, 'days'],
  ] as const) {
    const refused = await bed.failure('pairing.allow', { code, ...answer });
    t.is(refused.code, 'INVALID_REQUEST', JSON.stringify(answer));
    t.deepEqual(
      refused.errors?.map((error) => error.path),
      [path],
    );
  }
  t.deepEqual(bed.book.all, []);
  t.is(await codeOf(bed), code);
  await bed.call('pairing.allow', { code, days: 7 });
  t.like(bed.book.withOrigin(OURS), { expiresAt: bed.now + 7 * DAY });
});

test('as many days as were asked for can be allowed, also while the clock goes on', async (t) => {
  const bed = grantBed(t.title);
  const code = await codeOf(bed, OURS, { days: 7 });
  let now = bed.now;
  Object.defineProperty(bed, 'now', { get: () => now++ });
  await bed.call('pairing.allow', { code, days: 7 });
  t.is(bed.book.all.length, 1);
});

test('an extension whose time is over may ask again, and has a new grant in the place of the old one', async (t) => {
  const bed = grantBed(t.title);
  await letIn(bed, { scopes: ['read', 'send'], days: 1 });
  const before = bed.book.withOrigin(OURS)!;
  bed.now += DAY - 1;
  t.is((await ask(bed)).status, 'allowed');
  bed.now += 1;
  const { status, code } = await ask(bed, OURS, { scopes: ['read'], days: 2 });
  t.is(status, 'waiting');
  t.is(bed.book.withOrigin(OURS)?.id, before.id, 'until it is let in, the old one stays');
  await bed.call('pairing.allow', { code });
  const [after, ...others] = bed.book.all;
  t.deepEqual(others, []);
  t.not(after?.id, before.id);
  t.like(after, { origin: OURS, scopes: ['read'], expiresAt: bed.now + 2 * DAY });
  t.deepEqual(bed.written(), bed.book.all);
});

test('an extension that learns that it was admitted may call, or may ask again', async (t) => {
  const bed = grantBed(t.title);
  await letIn(bed, { scopes: ['read'], days: 1 });
  bed.settings = { ...bed.settings, allowedOrigins: [OURS] };
  bed.now += DAY;
  const { status } = await ask(bed);
  t.is(status === 'allowed', bed.access.permitOf({ origin: OURS }).refusal === undefined);
});

test('two extensions may have one name, also that of a program, which keeps it', async (t) => {
  const bed = grantBed(t.title);
  await letIn(bed, { name: 'Shop' });
  await letIn(bed, { name: 'Till' }, {}, extension('b'));
  await bed.call('grants.create', { name: 'Books', scopes: ['read'] });
  await letIn(bed, { name: 'Books' }, {}, extension('c'));
  await letIn(bed, { name: 'Shop' }, {}, extension('d'));
  t.is(bed.book.all.length, 5);
  t.is(bed.book.named('Books').origin, null);
});

test('revoking ends the grant of an extension, and takes an origin out of config.json', async (t) => {
  const bare = extension('b');
  const both = extension('c');
  const bed = grantBed(t.title, { allowedOrigins: [bare] });
  await letIn(bed);
  await letIn(bed, {}, {}, both);
  bed.settings = { ...bed.settings, allowedOrigins: [bare, both] };
  t.deepEqual((await bed.call('pairing.list')).allowed_origins, [bare, both, OURS], 'each once');
  t.is((await ask(bed, bare)).status, 'allowed');

  const without = await bed.call('pairing.revoke', { origin: OURS });
  t.deepEqual(without.allowed_origins, [bare, both]);
  t.is(bed.book.withOrigin(OURS), undefined);
  t.deepEqual(bed.settings.allowedOrigins, [bare, both]);

  await bed.call('pairing.revoke', { origin: bare });
  t.deepEqual(bed.settings.allowedOrigins, [both]);
  t.is((await ask(bed, bare)).status, 'waiting');

  const last = await bed.call('pairing.revoke', { origin: both });
  t.deepEqual(last.allowed_origins, []);
  t.deepEqual([bed.book.all, bed.settings.allowedOrigins, bed.written()], [[], [], []]);
  t.deepEqual(bed.reported.at(-1), last);
  t.is(await bed.failureCode('pairing.revoke', { origin: both }), 'NOT_FOUND');
});

test('who cannot be let in because the file cannot be written waits on', async (t) => {
  let isFull = true;
  const bed = grantBed(t.title, {}, [], () => isFull);
  const code = await codeOf(bed);
  await t.throwsAsync(bed.call('pairing.allow', { code }), { message: 'no space' });
  t.deepEqual(bed.book.all, []);
  t.is(await codeOf(bed), code);
  isFull = false;
  t.deepEqual((await bed.call('pairing.allow', { code })).allowed_origins, [OURS]);
});

test('an extension that was revoked while the file could not be written is out all the same', async (t) => {
  let isFull = false;
  const bed = grantBed(t.title, {}, [], () => isFull);
  await letIn(bed);
  isFull = true;
  await t.throwsAsync(bed.call('pairing.revoke', { origin: OURS }), { message: 'no space' });
  t.false(bed.access.knowsOrigin(OURS));
});

test('an extension with a token of its own is no other program that names its origin', async (t) => {
  const bed = grantBed(t.title, { anonymousAccess: 'none' });
  const token = 'made by the extension, known to it alone';
  const token_hash = tokenHash(token);
  const mine = await ask(bed, OURS, { token_hash, scopes: ['read'] });
  // Another program asks under the same origin, before and after: its code is another, and so is what it would be given.
  const other = await ask(bed, OURS, { token_hash: tokenHash('of another program') });
  t.not(other.code, mine.code);
  t.is((await ask(bed, OURS, { token_hash })).code, mine.code);
  t.like((await bed.call('pairing.list')).requests, [{ has_token: true }, { has_token: true }]);
  await bed.call('pairing.allow', { code: mine.code });
  t.is((await ask(bed, OURS, { token_hash })).status, 'allowed');
  t.is((await ask(bed, OURS, { token_hash: tokenHash('of another program') })).status, 'waiting');
  t.is((await ask(bed)).status, 'waiting', 'nor without a token');

  const scopesOf = (credentials: object) => bed.access.permitOf(credentials).scopes;
  t.deepEqual(scopesOf({ origin: OURS, token }), ['read']);
  t.deepEqual(scopesOf({ origin: OURS }), []);
  t.deepEqual(scopesOf({ origin: OURS, token: 'of another program' }), []);
  t.deepEqual(scopesOf({ token }), [], 'a program has no use for the token of an extension');
  t.deepEqual(scopesOf({ origin: extension('b'), token }), []);
  t.regex(bed.access.permitOf({ origin: OURS }).refusal?.message ?? '', /token of its own/);
  t.is(await bed.failureCode('grants.rotate', { grant: OURS }), 'INVALID_REQUEST');
});

test('a refused extension cannot ask again with another token', async (t) => {
  const bed = grantBed(t.title);
  await bed.call('pairing.refuse', { code: await codeOf(bed, OURS, { token_hash: tokenHash('one') }) });
  t.is((await ask(bed, OURS, { token_hash: tokenHash('two') })).status, 'refused');
});

test('an extension in a browser is kept out by no program that names it, or others', async (t) => {
  const bed = grantBed(t.title);
  const inBrowser = (origin: string, more: object = {}) =>
    bed.call('pairing.request', { origin, ...more }, { ...WITHOUT_PASSWORD, origin });
  // One origin takes two places, however many tokens are made up for it.
  for (const token of ['one', 'two']) await ask(bed, OURS, { token_hash: tokenHash(token) });
  t.is(await bed.failureCode('pairing.request', { origin: OURS, token_hash: tokenHash('three') }), 'BUSY');
  for (const letter of 'bcdefg') await ask(bed, extension(letter));
  t.is(await bed.failureCode('pairing.request', { origin: extension('h') }), 'BUSY');
  const mine = await inBrowser(OURS, { token_hash: tokenHash('mine') });
  t.is(mine.status, 'waiting');
  t.is((await bed.call('pairing.list')).requests.length, 8, 'the earliest program has given way');
  // What is refused to the program is not refused to the extension.
  const [theirs] = (await bed.call('pairing.list')).requests.filter(({ origin }) => origin === OURS);
  await bed.call('pairing.refuse', { code: theirs!.code });
  t.is((await ask(bed, OURS, { token_hash: tokenHash('two') })).status, 'refused');
  t.is((await inBrowser(OURS, { token_hash: tokenHash('mine') })).code, mine.code);
  // The other way round it is.
  await bed.call('pairing.refuse', { code: mine.code });
  t.is((await inBrowser(OURS, { token_hash: tokenHash('mine') })).status, 'refused');
  t.is((await ask(bed, OURS)).status, 'refused');
});

test('the end of a grant never allows an extension more: its origin leaves config.json with it', async (t) => {
  const bed = grantBed(t.title, { anonymousAccess: 'none' });
  await letIn(bed, { scopes: ['sync'] });
  bed.settings = { ...bed.settings, allowedOrigins: [OURS] };
  t.deepEqual(bed.access.permitOf({ origin: OURS }).scopes, ['sync']);
  // Its wallet is gone: it has a grant still, with nothing in it, and may ask again.
  await bed.book.walletMoved('default', undefined);
  t.deepEqual(bed.access.permitOf({ origin: OURS }).wallets, []);
  t.is((await ask(bed)).status, 'waiting');
  await bed.call('grants.revoke', { grant: OURS });
  t.deepEqual(bed.settings.allowedOrigins, []);
  t.deepEqual(bed.access.permitOf({ origin: OURS }).scopes, []);
});
