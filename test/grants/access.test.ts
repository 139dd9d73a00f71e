// The one check of every call: each caller against each operation and route, and what is limited, written down and renewed.

import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { dispatchMessage } from '../../src/protocol/dispatch.ts';
import { type Asked, type Credentials, type Permit, SCOPES, type Scope } from '../../src/protocol/grants.ts';
import {
  type HandlerContext,
  type Handlers,
  isOfWallet,
  type OperationName,
  operationNames,
  operations,
} from '../../src/protocol/operations.ts';
import { inputFields } from '../../src/protocol/textInput.ts';
import { failureOf } from '../helpers/failureOf.ts';
import { type GrantBed, grantBed } from '../helpers/grantBed.ts';
import { grantedInput } from '../helpers/grantedInput.ts';
import {
  ALL_SCOPES,
  askedFor,
  type Holder,
  isOfAWallet,
  knownNames,
  reachedNames,
  verdict,
} from './reached.ts';

const ANONYMOUS_ACCESS = ['full', 'read', 'none'] as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EXTENSION = `chrome-extension://${'a'.repeat(32)}`;
const BARE = `chrome-extension://${'b'.repeat(32)}`;
const STRANGER = `chrome-extension://${'c'.repeat(32)}`;

const withoutPassword = ({ password: _, ...input }: { readonly password?: string }): object => input;

const READ: Asked = { name: 'balance.get', reach: ['read'], wallet: 'default' };
const ANYONE: Asked = { name: 'system.version', reach: 'anyone', wallet: null };

const create = async (bed: GrantBed, more: object = {}, name = 'shop'): Promise<string> =>
  (await bed.call('grants.create', { name, scopes: ['read'], ...more })).token;

const letIn = (bed: GrantBed, scopes: readonly Scope[], wallets: readonly string[], origin = EXTENSION) =>
  bed.book.letIn(origin, { name: 'helper', scopes, wallets, expiresAt: null, limits: {} });

const openPage = async (bed: GrantBed): Promise<string> => {
  const { code } = await bed.call('grants.page_code');
  return (await bed.call('grants.open_page', { code })).token;
};

/** `ok`, or the code of the refusal, before which nothing was done. */
async function outcome(bed: GrantBed, credentials: Credentials, asked: Asked): Promise<string> {
  let isDone = false;
  const permit = bed.access.permitOf(credentials);
  const work = async () => {
    isDone = true;
  };
  const code = await bed.access.during(permit, asked, work).then(
    () => 'ok',
    (error: { readonly code: string }) => error.code,
  );
  if (isDone !== (code === 'ok')) throw new Error(`${asked.name}: ${code}, done: ${isDone}`);
  return code;
}

test('the table of this test has every operation and every other route', (t) => {
  t.deepEqual([...reachedNames].sort(), [...knownNames()].sort());
  t.deepEqual([...SCOPES], ALL_SCOPES);
  for (const name of reachedNames)
    t.is(askedFor(name, 'savings').wallet, isOfAWallet(name) ? 'savings' : null, name);
});

/** Calls everything in two wallets, and compares with the table. */
async function differences(
  bed: GrantBed,
  credentials: Credentials,
  holder: Holder,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of reachedNames)
    for (const wallet of ['savings', 'default']) {
      const expected = verdict(holder, name, wallet);
      const was = await outcome(bed, credentials, askedFor(name, wallet));
      if (was !== expected) found.push(`${name} of ${wallet}: ${was}, not ${expected}`);
    }
  return found;
}

for (const anonymousAccess of ANONYMOUS_ACCESS) {
  const settings = { anonymousAccess, allowedOrigins: [BARE] };

  for (const scope of ALL_SCOPES)
    test(`a grant of "${scope}" reaches what the table says, with "${anonymousAccess}" for others`, async (t) => {
      for (const wallets of [['savings'], ['default'], ['*'], ['savings', 'default']]) {
        const bed = grantBed(t.title, settings);
        const holder: Holder = { is: 'grant', scopes: [scope], wallets };
        const token = await create(bed, { scopes: [scope], wallets });
        t.deepEqual(await differences(bed, { token }, holder), []);
        t.deepEqual(await differences(bed, { token, origin: BARE }, holder), [], 'the token counts');
        await letIn(bed, [scope], wallets);
        t.deepEqual(await differences(bed, { origin: EXTENSION }, holder), []);
      }
    });

  test(`who shows nothing may do what "${anonymousAccess}" says`, async (t) => {
    const bed = grantBed(t.title, settings);
    await create(bed, { scopes: ['admin'], wallets: ['*'] });
    const holder: Holder =
      anonymousAccess === 'full' ? { is: 'owner' } : { is: 'nobody', reads: anonymousAccess === 'read' };
    t.deepEqual(await differences(bed, {}, holder), []);
    t.deepEqual(await differences(bed, { origin: STRANGER }, holder), [], 'the guard has let it through');
  });

  test(`an origin in config.json has "admin" on every wallet, with "${anonymousAccess}" for others`, async (t) => {
    const holder: Holder = { is: 'grant', scopes: ['admin'], wallets: ['*'] };
    t.deepEqual(await differences(grantBed(t.title, settings), { origin: BARE }, holder), []);
  });

  test(`the owner's page may do everything, with "${anonymousAccess}" for others`, async (t) => {
    const bed = grantBed(t.title, settings);
    const token = await openPage(bed);
    t.deepEqual(await differences(bed, { token }, { is: 'owner' }), []);
    t.deepEqual(await differences(bed, { token, origin: 'http://127.0.0.1:3000' }, { is: 'owner' }), []);
  });

  test(`a grant whose time is over reaches what anyone does, with "${anonymousAccess}" for others`, async (t) => {
    const bed = grantBed(t.title, settings);
    const token = await create(bed, { scopes: ['admin'], wallets: ['*'], days: 1 });
    await bed.book.letIn(EXTENSION, {
      name: 'helper',
      scopes: ['admin'],
      wallets: ['*'],
      expiresAt: bed.now + DAY,
      limits: {},
    });
    bed.now += DAY - 1;
    t.is(await outcome(bed, { token }, READ), 'ok');
    t.is(await outcome(bed, { origin: EXTENSION }, READ), 'ok');
    bed.now += 1;
    t.deepEqual(await differences(bed, { token }, { is: 'over' }), []);
    t.deepEqual(await differences(bed, { origin: EXTENSION }, { is: 'over' }), []);
    t.true(bed.access.knowsOrigin(EXTENSION), 'it has to be told why');
  });

  test(`a token that holds nowhere is less than none, with "${anonymousAccess}" for others`, async (t) => {
    const bed = grantBed(t.title, settings);
    const holder: Holder = { is: 'nobody', reads: false };
    const old = await create(bed, { scopes: ['admin'], wallets: ['*'] });
    await bed.call('grants.rotate', { grant: 'shop' });
    const page = await openPage(bed);
    bed.now += 12 * HOUR;
    for (const token of ['', 'unknown', old, page]) {
      t.deepEqual(await differences(bed, { token }, holder), []);
      t.deepEqual(await differences(bed, { token, origin: BARE }, holder), []);
    }
    t.deepEqual(
      [...new Set(bed.log.lines(100_000).map(({ grant, result }) => `${grant} ${result}`))],
      ['unknown GRANT_REQUIRED'],
    );
  });
}

/** What the actor answers to a grant of this scope: the code and the member that it is about. */
async function answered(
  name: OperationName,
  input: object,
  caller: Partial<HandlerContext>,
): Promise<string> {
  const handlers = { [name]: () => ({}) } as unknown as Handlers<'wallet'>;
  const result = await dispatchMessage(
    operations[name].actor as 'wallet',
    handlers,
    { name, input, requestId: 'test', ...caller },
    {
      logFault: (where) => {
        throw new Error(where);
      },
      checkPassword: async () => true,
      keeper: { isSet: () => false, requireOwn: () => undefined },
    },
  );
  return result.ok ? 'ok' : `${result.error.code} ${result.error.errors?.map(({ path }) => path).join()}`;
}

test('what leads elsewhere needs "admin", and a password one of the scopes that open the wallet, with every operation', async (t) => {
  const found: string[] = [];
  for (const name of operationNames)
    for (const scope of ALL_SCOPES)
      for (const wallets of [['default'], ['savings']]) {
        const grant = { id: 'a', scopes: [scope], wallets, limits: {} };
        const password = 'correct horse';
        const input = grantedInput(name);
        const plain = inputFields(name).some((field) => field.name === 'password' && field.required)
          ? { ...input, password }
          : withoutPassword(input);
        const expect = async (more: object, expected: string): Promise<void> => {
          const was = await answered(name, { ...plain, ...more }, { grant });
          if (was !== expected) found.push(`${name} ${scope} ${Object.keys(more).join()}: ${was}`);
        };
        await expect({}, operations[name].access === 'owner_or_password' ? NEEDS_PASSWORD : 'ok');
        for (const [field, value] of Object.entries(examples[name].input))
          if (['node_url', 'compact_server_url', 'db_path', 'verify_with'].includes(field))
            await expect({ [field]: value }, scope === 'admin' ? 'ok' : `GRANT_SCOPE ${field}`);
        if (operations[name].checksPassword !== true) continue;
        // The till ends for all who have the password.
        const isLeave = name === 'till.end';
        const opens = isLeave || scope !== 'invoice';
        const isItsWallet = isLeave || isOfWallet(name) || wallets.includes('default');
        const refused = opens ? 'GRANT_SCOPE wallet' : 'GRANT_SCOPE password';
        await expect({ password }, opens && isItsWallet ? 'ok' : refused);
      }
  t.deepEqual(found, []);
});

const NEEDS_PASSWORD = 'INVALID_REQUEST password';

test('grants are made and taken by the owner, and by who gives the password', async (t) => {
  const asked: string[] = [];
  for (const name of operationNames.filter((each) => operations[each].checksPassword === true)) {
    const input = withoutPassword(grantedInput(name));
    if ((await answered(name, input, {})) === NEEDS_PASSWORD) asked.push(name);
    else continue;
    t.is(await answered(name, input, { byOwner: true }), 'ok', name);
    t.is(await answered(name, { ...input, password: 'correct horse' }, {}), 'ok', name);
  }
  const taking = ['grants.narrow', 'grants.rotate', 'grants.revoke', 'pairing.revoke'];
  t.deepEqual(
    asked.sort(),
    ['grants.create', 'grants.page_code', 'pairing.allow', 'till.start', 'till.end', ...taking].sort(),
  );
});

test('every operation that names a payment or an invoice says so in its row', (t) => {
  for (const name of operationNames) {
    const names = new Set(inputFields(name).map((field) => field.name));
    const payment = names.has('payment_id') || names.has('payment_ids') ? 'payment' : undefined;
    t.is(operations[name].owns, names.has('invoice_id') ? 'invoice' : payment, name);
  }
});

test('the refusal says what is missing', async (t) => {
  const bed = grantBed(t.title, { anonymousAccess: 'none' });
  const token = await create(bed, { wallets: ['savings'] });
  const admin = await create(bed, { scopes: ['admin'], wallets: ['savings'] }, 'admin');
  const refusal = (credentials: Credentials, asked: Asked) =>
    failureOf(bed.access.during(bed.access.permitOf(credentials), asked, async () => undefined));

  const lacks = await refusal({ token }, askedFor('payments.combine', 'savings'));
  t.is(lacks.message, 'The grant lacks the scope "prepare" or "send". Ask the owner for one that has it.');
  t.deepEqual(lacks.errors, [{ path: 'scope', message: 'needs "prepare" or "send"' }]);
  const other = await refusal({ token }, askedFor('balance.get', 'default'));
  t.deepEqual(other.errors, [{ path: 'wallet', message: 'is none that the grant is for' }]);
  const every = await refusal({ token: admin }, askedFor('config.theme', 'default'));
  t.deepEqual(every.errors, [{ path: 'wallet', message: 'needs every wallet' }]);
  const owner = await refusal({ token: admin }, askedFor('wallet.backup', 'savings'));
  t.deepEqual(owner.errors, [{ path: 'scope', message: 'is open to the owner alone' }]);
  t.regex((await refusal({}, READ)).message, /^Nothing is open here without a grant\./);
  t.regex((await refusal({ token: 'x' }, READ)).message, /^This token holds no more, or never did\./);
  bed.settings = { ...bed.settings, anonymousAccess: 'read' };
  const send = await refusal({}, askedFor('payments.broadcast', 'default'));
  t.regex(send.message, /^Without a grant only reading is open here\./);
});

/** How many of so many calls at once go through. */
async function passing(bed: GrantBed, credentials: Credentials, calls: number): Promise<number> {
  const codes: string[] = [];
  for (let n = 0; n < calls; n += 1) codes.push(await outcome(bed, credentials, READ));
  const passed = codes.filter((code) => code === 'ok').length;
  if (codes.some((code) => code !== 'ok' && code !== 'RATE_LIMITED')) throw new Error(codes.join());
  return passed;
}

test('a grant makes as many calls in a minute as it may, and then learns how long to wait', async (t) => {
  const bed = grantBed(t.title);
  const token = await create(bed, { calls_per_minute: 6 });
  t.is(await passing(bed, { token }, 20), 6);
  const limited = await failureOf(
    bed.access.during(bed.access.permitOf({ token }), READ, async () => undefined),
  );
  t.is(limited.code, 'RATE_LIMITED');
  const seconds = limited.retryAfterSeconds ?? 0;
  t.true(seconds >= 1 && seconds <= 60);
  bed.now += seconds * 1_000;
  t.true((await passing(bed, { token }, 1)) === 1, 'when it waited, it is let through');
  bed.now += 2 * MINUTE;
  t.is(await passing(bed, { token }, 20), 6);
});

test('what grants and extensions do is written down with its result, and never what it was about', async (t) => {
  const bed = grantBed(t.title, { anonymousAccess: 'read', allowedOrigins: [BARE] });
  const token = await create(bed, { calls_per_minute: 2 });
  const [{ id } = { id: '' }] = bed.book.all;
  const helper = await letIn(bed, ['sync'], ['savings']);
  await outcome(bed, { token }, READ);
  await outcome(bed, { token }, askedFor('payments.broadcast', 'default'));
  await outcome(bed, { token }, ANYONE);
  await outcome(bed, { token }, READ);
  await outcome(bed, { origin: EXTENSION }, askedFor('sync.run', 'savings'));
  await outcome(bed, { origin: BARE }, askedFor('config.theme', 'default'));
  await outcome(bed, {}, READ);
  await outcome(bed, {}, askedFor('payments.broadcast', 'savings'));
  const failing = bed.access.during(bed.access.permitOf({ origin: BARE }), READ, async () => {
    throw new Error('the phrase is abandon abandon');
  });
  await t.throwsAsync(failing);
  const at = '2026-01-01T00:00:00.000Z';
  t.deepEqual(
    bed.log.lines(100).toReversed(),
    [
      [id, 'shop', 'balance.get', 'default', 'ok'],
      [id, 'shop', 'payments.broadcast', 'default', 'GRANT_SCOPE'],
      [id, 'shop', 'system.version', null, 'ok'],
      [id, 'shop', 'balance.get', 'default', 'RATE_LIMITED'],
      [helper.id, 'helper', 'sync.run', 'savings', 'ok'],
      [BARE, BARE, 'config.theme', null, 'ok'],
      ['anonymous', 'anonymous', 'balance.get', 'default', 'ok'],
      ['anonymous', 'anonymous', 'payments.broadcast', 'savings', 'GRANT_REQUIRED'],
      [BARE, BARE, 'balance.get', 'default', 'INTERNAL'],
    ].map(([grant, name, operation, wallet, result]) => ({
      at,
      grant,
      name,
      operation,
      wallet,
      result,
    })) as never,
  );
  t.deepEqual((await bed.call('grants.log', { grant: 'shop', limit: 1 })).lines, bed.log.lines(1, id));
});

test('a refusal by the operation itself is written down by its code, and reaches the caller', async (t) => {
  const bed = grantBed(t.title);
  const token = await create(bed);
  const permit = bed.access.permitOf({ token });
  const locked = Object.assign(new Error('locked'), { code: 'WALLET_LOCKED' });
  t.is(await t.throwsAsync(bed.access.during(permit, READ, () => Promise.reject(locked))), locked);
  const limit = await bed.failure('grants.revoke', { grant: 'nobody' });
  t.is(await t.throwsAsync(bed.access.during(permit, READ, () => Promise.reject(limit))), limit);
  t.is(await bed.access.during(permit, READ, async () => 7), 7);
  t.deepEqual(
    bed.log.lines(3).map(({ result }) => result),
    ['ok', 'NOT_FOUND', 'INTERNAL'],
  );
});

test('nothing is written down of the owner, of the owner’s page and of what anyone may do without a grant', async (t) => {
  const bed = grantBed(t.title);
  const page = await openPage(bed);
  for (const name of reachedNames) {
    await outcome(bed, {}, askedFor(name, 'default'));
    await outcome(bed, { token: page }, askedFor(name, 'default'));
  }
  for (const anonymousAccess of ['read', 'none'] as const) {
    bed.settings = { ...bed.settings, anonymousAccess };
    await outcome(bed, {}, ANYONE);
    await outcome(bed, { token: 'unknown' }, ANYONE);
  }
  t.deepEqual(bed.log.lines(10), []);
});

test('a call that is refused is no use of the grant', async (t) => {
  const bed = grantBed(t.title);
  const token = await create(bed, { calls_per_minute: 1 });
  const lastUse = () => bed.book.withToken(token)?.lastUsedAt;
  await outcome(bed, { token }, askedFor('sync.run', 'default'));
  t.is(lastUse(), null);
  await outcome(bed, { token }, READ);
  const used = bed.now;
  t.is(lastUse(), used);
  bed.now += 1_000;
  t.is(await outcome(bed, { token }, READ), 'RATE_LIMITED');
  t.is(lastUse(), used);
});

/** What an open stream goes on with; undefined where it ends. */
function goesOn(bed: GrantBed, permit: Permit) {
  const { id, scopes, wallets, limits, refusal } = bed.access.renewed(permit);
  if (scopes !== 'all' && scopes.length === 0) {
    if (refusal === undefined) throw new Error('it is not told why');
    return undefined;
  }
  return { id, scopes, wallets, limits };
}

const shape = ({ id, scopes, wallets, limits }: Permit) => ({ id, scopes, wallets, limits });

test('an extension that is let in anew does not go on with its earlier permit', async (t) => {
  const bed = grantBed(t.title);
  await letIn(bed, ['admin'], ['*']);
  const before = bed.access.permitOf({ origin: EXTENSION });
  await letIn(bed, ['read'], ['default']);
  t.is(goesOn(bed, before), undefined);
});

test('the permit of a token that holds nowhere is not renewed into one that reads', (t) => {
  for (const before of ANONYMOUS_ACCESS)
    for (const after of ANONYMOUS_ACCESS) {
      const bed = grantBed(t.title, { anonymousAccess: before });
      const permit = bed.access.permitOf({ token: 'unknown' });
      bed.settings = { ...bed.settings, anonymousAccess: after };
      t.is(goesOn(bed, permit), undefined);
    }
});

test('the extensions that are known are those with a grant and those of config.json', async (t) => {
  const bed = grantBed(t.title, { allowedOrigins: [BARE] });
  await letIn(bed, ['read'], ['default']);
  t.true(bed.access.knowsOrigin(EXTENSION));
  t.true(bed.access.knowsOrigin(BARE));
  t.false(bed.access.knowsOrigin(STRANGER));
  t.false(bed.access.knowsOrigin(`${EXTENSION}/`));
});

test('a page is opened once with each code', async (t) => {
  const bed = grantBed(t.title, { anonymousAccess: 'none' });
  const { code, expires_at } = await bed.call('grants.page_code');
  t.is(expires_at, '2026-01-01T00:01:00.000Z');
  t.regex(code, /^[A-Za-z0-9_-]{43}$/);
  t.is(bed.access.permitOf({ token: code }).refusal?.code, 'GRANT_REQUIRED', 'the code is no token');
  const { token } = await bed.call('grants.open_page', { code });
  t.not(token, code);
  t.is(await bed.failureCode('grants.open_page', { code }), 'GRANT_REQUIRED');
  t.is(await bed.failureCode('grants.open_page', { code: token }), 'GRANT_REQUIRED');
  t.is(await bed.failureCode('grants.open_page', { code: 'unknown' }), 'GRANT_REQUIRED');
  t.is(bed.access.permitOf({ token }).scopes, 'all');
  t.false(JSON.stringify(bed.access.permitOf({ token })).includes(token));
  t.is(bed.writes(), 0, 'neither is written');
});

test('a code holds for a minute, and the page for twelve hours', async (t) => {
  const bed = grantBed(t.title, { anonymousAccess: 'none' });
  const [early, late] = [await bed.call('grants.page_code'), await bed.call('grants.page_code')];
  bed.now += MINUTE - 1;
  const { token } = await bed.call('grants.open_page', { code: early.code });
  bed.now += 1;
  t.is(await bed.failureCode('grants.open_page', { code: late.code }), 'GRANT_REQUIRED');
  const permit = bed.access.permitOf({ token });
  bed.now += 12 * HOUR - 2;
  t.is(bed.access.permitOf({ token }).scopes, 'all');
  t.deepEqual(goesOn(bed, permit), shape(permit));
  bed.now += 1;
  t.is(bed.access.permitOf({ token }).refusal?.code, 'GRANT_REQUIRED');
  t.is(goesOn(bed, permit), undefined);
});

test('at most 16 codes and 16 pages are open; the earliest gives way', async (t) => {
  const bed = grantBed(t.title, { anonymousAccess: 'none' });
  const codes: string[] = [];
  for (let n = 0; n < 17; n += 1) codes.push((await bed.call('grants.page_code')).code);
  t.is(await bed.failureCode('grants.open_page', { code: codes[0] }), 'GRANT_REQUIRED');
  const tokens: string[] = [];
  for (const code of codes.slice(1)) tokens.push((await bed.call('grants.open_page', { code })).token);
  t.is(new Set(tokens).size, 16);
  for (const token of tokens) t.is(bed.access.permitOf({ token }).scopes, 'all');
  const first = bed.access.permitOf({ token: tokens[0]! });
  const last = await openPage(bed);
  t.is(bed.access.permitOf({ token: tokens[0]! }).refusal?.code, 'GRANT_REQUIRED');
  t.is(goesOn(bed, first), undefined);
  for (const token of [...tokens.slice(1), last]) t.is(bed.access.permitOf({ token }).scopes, 'all');
});

test('codes that have expired take no space', async (t) => {
  const bed = grantBed(t.title);
  for (let n = 0; n < 16; n += 1) await bed.call('grants.page_code');
  bed.now += MINUTE;
  const { code } = await bed.call('grants.page_code');
  for (let n = 0; n < 15; n += 1) await bed.call('grants.page_code');
  await t.notThrowsAsync(bed.call('grants.open_page', { code }));
});
