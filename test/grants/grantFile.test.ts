// grants.json on a real disk: for its owner alone, read as it was written, and left as it was where it is refused.

import fs from 'node:fs';
import path from 'node:path';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { fingerprintsOf, permissions, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import type { Grant } from '../../src/grants/grant.ts';
import { GrantBook } from '../../src/grants/grantBook.ts';
import { grantFile } from '../../src/storage/files/grantFile.ts';
import { seededRandom } from '../helpers/seededRandom.ts';

const NAME = 'grants.json';
const NOW = Date.UTC(2026, 0, 1, 12, 30, 15, 123);

const PROGRAM: Grant = {
  id: '0123456789abcdef',
  name: 'Shop “Zürich”',
  origin: null,
  tokenHash: 'ab'.repeat(32),
  scopes: ['read', 'invoice', 'prepare'],
  wallets: ['default', 'shop'],
  expiresAt: NOW + 86_400_000,
  limits: {
    payment_zatoshi: 0,
    day_zatoshi: 2_100_000_000_000_000,
    payees: ['u1a', 'u1b'],
    calls_per_minute: 60,
  },
  createdAt: NOW,
  lastUsedAt: NOW + 1,
  pin: { salt: '5a'.repeat(16), hash: 'cd'.repeat(32), wrongTries: 2 },
};
const EXTENSION: Grant = {
  id: 'fedcba9876543210',
  name: 'helper',
  origin: `chrome-extension://${'a'.repeat(32)}`,
  tokenHash: null,
  scopes: ['admin'],
  wallets: ['*'],
  expiresAt: null,
  limits: {},
  createdAt: NOW,
  lastUsedAt: null,
};

const placeOf = (folder: string): string => path.join(folder, NAME);
const textIn = (folder: string): string => fs.readFileSync(placeOf(folder), 'utf8');

const bookIn = (folder: string, seed: string): GrantBook =>
  new GrantBook({
    file: grantFile(folder),
    now: () => NOW,
    elapsed: () => 0,
    randomBytes: seededRandom(seed),
  });

/** A folder with a file that is right. */
async function writtenFolder(t: ExecutionContext): Promise<string> {
  const folder = temporaryFolder(t);
  await grantFile(folder).write([PROGRAM, EXTENSION]);
  return folder;
}

/** Reading fails, names no folder, and leaves the file and its neighbours as they were. */
async function isRefused(t: ExecutionContext, folder: string, what = 'damaged'): Promise<void> {
  const before = fingerprintsOf(folder);
  const mode = fs.lstatSync(placeOf(folder)).mode;
  const refused = await failureOf(t, 'INVALID_REQUEST', () => grantFile(folder).read());
  t.regex(refused.message, /^grants\.json .* It was left as it is\.$/, what);
  t.deepEqual(fingerprintsOf(folder), before, what);
  t.is(fs.lstatSync(placeOf(folder)).mode, mode, what);
}

test('without a file there are no grants, and nothing is created', (t) => {
  const folder = path.join(temporaryFolder(t), 'not', 'there');
  t.deepEqual(grantFile(folder).read(), []);
  t.false(fs.existsSync(folder));
});

test('what is written is read again, every field of it', async (t) => {
  const folder = await writtenFolder(t);
  t.deepEqual(grantFile(folder).read(), [PROGRAM, EXTENSION]);
  await grantFile(folder).write([EXTENSION]);
  t.deepEqual(grantFile(folder).read(), [EXTENSION]);
  await grantFile(folder).write([]);
  t.deepEqual(grantFile(folder).read(), []);
  t.deepEqual(fs.readdirSync(folder), [NAME], 'nothing else stays in the folder');
});

test('a person can read the file', async (t) => {
  const folder = await writtenFolder(t);
  const { version, grants } = JSON.parse(textIn(folder));
  t.is(version, 1);
  t.like(grants[0], {
    token_hash: 'ab'.repeat(32),
    expires_at: '2026-01-02T12:30:15.123Z',
    last_used_at: '2026-01-01T12:30:15.124Z',
  });
  t.like(grants[1], { token_hash: null, expires_at: null, created_at: '2026-01-01T12:30:15.123Z' });
  t.true(textIn(folder).endsWith('\n}\n'));
});

test('no token is in the file, only what recognises it', async (t) => {
  const folder = temporaryFolder(t);
  const book = bookIn(folder, t.title);
  const wanted = { scopes: ['read'], expiresAt: null, limits: {} } as const;
  const first = await book.create({ ...wanted, name: 'shop' });
  const second = await book.rotate(first.grant.id);
  const other = await book.create({ ...wanted, name: 'other' });
  const text = textIn(folder);
  for (const token of [first.token, second.token, other.token]) {
    t.false(text.includes(token));
    t.false(text.includes(Buffer.from(token, 'base64url').toString('hex')));
  }
  const again = bookIn(folder, 'again');
  t.is(again.withToken(first.token), undefined);
  t.is(again.withToken(second.token)?.name, 'shop');
  t.is(again.withToken(other.token)?.name, 'other');
});

test('the folder is made for its owner alone where it is missing', async (t) => {
  const folder = path.join(temporaryFolder(t), 'config', 'deep');
  await grantFile(folder).write([PROGRAM]);
  t.deepEqual(grantFile(folder).read(), [PROGRAM]);
  if (process.platform !== 'win32') {
    t.is(permissions(folder), 0o700);
    t.is(permissions(placeOf(folder)), 0o600);
  }
});

const row = (change: object): string => {
  const { tokenHash, expiresAt: _e, createdAt: _c, lastUsedAt: _l, pin, ...rest } = PROGRAM;
  const whole = {
    ...rest,
    token_hash: tokenHash,
    expires_at: null,
    created_at: '2026-01-01T00:00:00.000Z',
    last_used_at: null,
    pin: { salt: pin?.salt, hash: pin?.hash, wrong_tries: pin?.wrongTries },
  };
  return JSON.stringify({ version: 1, grants: [{ ...whole, ...change }] });
};

test('the row that the damages below begin with is a good one', (t) => {
  const folder = temporaryFolder(t);
  fs.writeFileSync(placeOf(folder), row({}), { mode: 0o600 });
  t.deepEqual(grantFile(folder).read(), [
    { ...PROGRAM, expiresAt: null, createdAt: Date.UTC(2026, 0, 1), lastUsedAt: null },
  ]);
});

const DAMAGES: Readonly<Record<string, string | Uint8Array>> = {
  'an empty file': '',
  'a cut file': row({}).slice(0, -10),
  'zeros where the power failed': new Uint8Array(4_096),
  'no JSON': 'grants',
  'a list': '[]',
  null: 'null',
  'no version': '{"grants": []}',
  'another version': '{"version": 2, "grants": []}',
  'a version that is no number': '{"version": "1", "grants": []}',
  'no grants': '{"version": 1}',
  'an unknown member': '{"version": 1, "grants": [], "more": 1}',
  'an unknown member of a grant': row({ admin: true }),
  'an unknown limit': row({ limits: { hour_zatoshi: 1 } }),
  'a limit that is no number': row({ limits: { payment_zatoshi: '5' } }),
  'a limit below zero': row({ limits: { day_zatoshi: -1 } }),
  'a limit of no calls': row({ limits: { calls_per_minute: 0 } }),
  'a limit that is null': row({ limits: { payees: null } }),
  'an unknown scope': row({ scopes: ['read', 'owner'] }),
  'scopes that are no list': row({ scopes: 'read' }),
  'another id': row({ id: '0123456789ABCDEF' }),
  'another hash': row({ token_hash: 'ab' }),
  'a time that is none': row({ expires_at: 'soon' }),
  'a time in the past form': row({ expires_at: 1_767_225_600_000 }),
  'a day that is none': row({ created_at: '2026-02-30T00:00:00.000Z' }),
  'a missing member': row({ wallets: undefined }),
};

for (const [what, bytes] of Object.entries(DAMAGES))
  test(`a file with ${what} is refused, and admits or locks out no caller`, async (t) => {
    const folder = temporaryFolder(t);
    fs.writeFileSync(placeOf(folder), bytes, { mode: 0o600 });
    await isRefused(t, folder, what);
    await t.throwsAsync(async () => bookIn(folder, t.title), { code: 'INVALID_REQUEST' });
  });

test('a file of more than four megabytes is refused', async (t) => {
  const folder = await writtenFolder(t);
  fs.appendFileSync(placeOf(folder), ' '.repeat(4 * 1024 * 1024));
  await isRefused(t, folder);
});

test('what could not be read again is not written, and what was there stays', async (t) => {
  const folder = temporaryFolder(t);
  const payees = Array.from({ length: 256 }, (_, n) => `u1${String(n).padStart(200, 'q')}`);
  const grants = Array.from({ length: 256 }, (_, n) => ({
    ...PROGRAM,
    id: n.toString(16).padStart(16, '0'),
    limits: { payees },
  }));
  await grantFile(folder).write(grants.slice(0, 64));
  await t.throwsAsync(grantFile(folder).write(grants), { code: 'INVALID_REQUEST', message: /too large/ });
  t.is(grantFile(folder).read().length, 64);
});

test('a folder in the place of the file is refused', async (t) => {
  const folder = temporaryFolder(t);
  fs.mkdirSync(placeOf(folder));
  await isRefused(t, folder);
});

test('a file that cannot be written fails as one, and what was there stays', async (t) => {
  const folder = temporaryFolder(t);
  fs.writeFileSync(path.join(folder, 'config'), 'in the way');
  await failureOf(t, 'STORAGE_FAILED', () => grantFile(path.join(folder, 'config')).write([PROGRAM]));
  fs.mkdirSync(path.join(folder, NAME));
  fs.writeFileSync(path.join(folder, NAME, 'inside'), '');
  const before = fingerprintsOf(folder);
  await failureOf(t, 'STORAGE_FAILED', () => grantFile(folder).write([PROGRAM]));
  t.deepEqual(fingerprintsOf(folder), before, 'no half-written file stays beside it');
});

if (process.platform !== 'win32') {
  test('only the owner can read the file, also where others could before', async (t) => {
    const folder = await writtenFolder(t);
    t.is(permissions(placeOf(folder)), 0o600);
    fs.chmodSync(placeOf(folder), 0o666);
    await grantFile(folder).write([EXTENSION]);
    t.is(permissions(placeOf(folder)), 0o600);
  });

  for (const mode of [0o640, 0o604, 0o620, 0o602, 0o610, 0o666])
    test(`a file of mode ${mode.toString(8)} is refused`, async (t) => {
      const folder = await writtenFolder(t);
      fs.chmodSync(placeOf(folder), mode);
      await isRefused(t, folder);
      fs.chmodSync(placeOf(folder), 0o600);
      t.is(grantFile(folder).read().length, 2);
    });

  test('a link in the place of the file is not followed, be it that it leads to a good file or to none', async (t) => {
    for (const target of ['elsewhere.json', 'nothing.json']) {
      const folder = await writtenFolder(t);
      fs.renameSync(placeOf(folder), path.join(folder, 'elsewhere.json'));
      fs.symlinkSync(target, placeOf(folder));
      await isRefused(t, folder, target);
      t.true(fs.lstatSync(placeOf(folder)).isSymbolicLink());
    }
  });

  if (process.getuid?.() === 0)
    test('a file of another user is refused', async (t) => {
      const folder = await writtenFolder(t);
      fs.chownSync(placeOf(folder), 12_345, 12_345);
      await isRefused(t, folder);
    });
}
