import { textOf } from '@wallet-companion/client/contract';
import test from 'ava';
import fc from 'fast-check';
import { examples } from '../../scripts/generate/examples.ts';
import { CompanionError, type ErrorCode } from '../../src/protocol/errors.ts';
import { encodeJson, parseJsonBody } from '../../src/protocol/jsonCalls.ts';
import { type OperationName, operationNames, parseInput } from '../../src/protocol/operations.ts';
import { inputFromText } from '../../src/protocol/textInput.ts';

function refusal(name: OperationName, input: unknown): CompanionError {
  try {
    parseInput(name, input);
  } catch (thrown) {
    if (thrown instanceof CompanionError) return thrown;
    throw thrown;
  }
  throw new Error('was accepted');
}

const cases: readonly [string, OperationName, unknown, ErrorCode, string][] = [
  ['an empty password', 'wallet.unlock', { password: '' }, 'INVALID_PASSWORD_FORMAT', 'password'],
  ['1,025 bytes', 'wallet.unlock', { password: 'a'.repeat(1025) }, 'INVALID_PASSWORD_FORMAT', 'password'],
  ['a lone surrogate', 'wallet.unlock', { password: 'a\ud800' }, 'INVALID_PASSWORD_FORMAT', 'password'],
  ['undecodable bytes', 'wallet.unlock', { password: 'a\ufffd' }, 'INVALID_PASSWORD_FORMAT', 'password'],
  ['a numeric password', 'wallet.unlock', { password: 5 }, 'INVALID_REQUEST', 'password'],
  ['no password', 'wallet.unlock', {}, 'INVALID_REQUEST', 'password'],
  ['a null password', 'wallet.unlock', { password: null }, 'INVALID_REQUEST', 'password'],
  [
    'a bad new password',
    'wallet.change_password',
    { password: 'a', new_password: '' },
    'INVALID_PASSWORD_FORMAT',
    'new_password',
  ],
  ['13 words', 'wallet.create', { password: 'a', word_count: 13 }, 'INVALID_REQUEST', 'word_count'],
  ['an empty phrase', 'wallet.restore', { password: 'a', mnemonic: ' ' }, 'INVALID_MNEMONIC', 'mnemonic'],
  ['an unknown theme', 'config.theme', { theme: 'blue' }, 'INVALID_THEME', 'theme'],
  ['a theme of the wrong type', 'config.theme', { theme: 1 }, 'INVALID_REQUEST', 'theme'],
  ['an ftp URL', 'config.node_url', { url: 'ftp://127.0.0.1' }, 'INVALID_URL', 'url'],
  ['a URL with credentials', 'config.node_url', { url: 'http://u:p@127.0.0.1' }, 'INVALID_URL', 'url'],
  ['no URL at all', 'config.node_url', { url: 'node' }, 'INVALID_URL', 'url'],
  ['a probe that is text', 'config.node_url', { url: 'http://a', probe: 'true' }, 'INVALID_REQUEST', 'probe'],
  ['a foreign bare address', 'config.compact_server_url', { url: 'a.example:9067' }, 'INVALID_URL', 'url'],
  ['a URL with a line end', 'config.node_url', { url: 'http://127.0.0.1:8232\n' }, 'INVALID_URL', 'url'],
  [
    'a bare address that is none',
    'config.compact_server_url',
    { url: '127.0.0.999:9067' },
    'INVALID_URL',
    'url',
  ],
  ['port 0', 'config.compact_server_url', { url: 'localhost:0' }, 'INVALID_URL', 'url'],
  [
    'a compact URL with a path',
    'lwd.info',
    { compact_server_url: 'http://a/b' },
    'INVALID_URL',
    'compact_server_url',
  ],
  ['an empty path', 'lwd.info', { db_path: '' }, 'INVALID_DB_PATH', 'db_path'],
  ['a path with NUL', 'lwd.info', { db_path: 'a\0b' }, 'INVALID_DB_PATH', 'db_path'],
  ['a negative height', 'sync.run', { start_height: -1 }, 'INVALID_REQUEST', 'start_height'],
  ['a fractional height', 'sync.run', { end_height: 1.5 }, 'INVALID_REQUEST', 'end_height'],
  ['a height of 2^31', 'sync.run', { end_height: 2 ** 31 }, 'INVALID_REQUEST', 'end_height'],
  ['a height as text', 'sync.run', { end_height: '5' }, 'INVALID_REQUEST', 'end_height'],
  ['a reversed range', 'sync.run', { start_height: 6, end_height: 5 }, 'INVALID_RANGE', 'start_height'],
  [
    'a reversed compact range',
    'lwd.sync_compact',
    { start_height: 6, end_height: 5 },
    'INVALID_RANGE',
    'start_height',
  ],
  ['an unknown source', 'sync.run', { source: 'both' }, 'INVALID_REQUEST', 'source'],
  ['an unknown field', 'sync.run', { start_hight: 5 }, 'INVALID_REQUEST', 'start_hight'],
  ['an unknown field that is null', 'sync.run', { '': null }, 'INVALID_REQUEST', ''],
  ['a page of 1,001', 'notes.list', { limit: 1001 }, 'INVALID_REQUEST', 'limit'],
  [
    'an index of 2^88',
    'address.get',
    { diversifier_index: String(2n ** 88n) },
    'INVALID_REQUEST',
    'diversifier_index',
  ],
];

for (const [title, name, input, code, path] of cases) {
  test(`${name} refuses ${title} with ${code}`, (t) => {
    const error = refusal(name, input);
    t.is(error.code, code);
    t.deepEqual(
      error.errors?.map((field) => field.path),
      [path],
    );
    t.true(error.message.includes(path));
  });
}

for (const value of ['5', 1.5, true, Number.POSITIVE_INFINITY, -Number.MAX_VALUE]) {
  test(`a height of ${value} is refused as no integer, or as too low, in one sentence`, (t) => {
    const error = refusal('sync.run', { start_height: value });
    t.is(error.errors?.length, 1);
    t.regex(error.message, /^start_height must be (an integer|at least 0)\.$/);
  });
}

test('several bad fields of different kinds are one INVALID_REQUEST that names all', (t) => {
  const error = refusal('sync.run', { password: '', start_height: -1, extra: 1 });
  t.is(error.code, 'INVALID_REQUEST');
  t.deepEqual(error.errors?.map((field) => field.path).sort(), ['extra', 'password', 'start_height']);
});

test('anything but an object is refused; nothing at all counts as an empty object', (t) => {
  for (const input of [[], 'text', 5, true]) t.is(refusal('sync.run', input).code, 'INVALID_REQUEST');
  t.deepEqual(parseInput('sync.run', undefined), {});
  t.deepEqual(parseInput('sync.run', null), {});
});

test('null counts as absent for optional fields', (t) => {
  const input = { password: 'a', word_count: null, birthday_height: null };
  t.deepEqual(parseInput('wallet.create', input), { password: 'a' });
});

test('passwords are normalised to NFKC, and measured after it', (t) => {
  t.is(parseInput('wallet.unlock', { password: 'e\u0301\ufb01' }).password, '\u00e9fi');
  t.is(parseInput('wallet.unlock', { password: 'a'.repeat(1024) }).password.length, 1024);
  t.is(refusal('wallet.unlock', { password: '\u00e9'.repeat(513) }).code, 'INVALID_PASSWORD_FORMAT');
});

test('refusals do not repeat what was given', (t) => {
  const secret = 'hunter2-hunter2';
  const error = refusal('config.theme', { theme: secret });
  t.false(JSON.stringify(error.toRecord()).includes(secret));
  t.false(refusal('wallet.create', { password: 'a', word_count: secret }).message.includes(secret));
});

test('a member called __proto__ or constructor is an unknown field', (t) => {
  t.is(refusal('sync.run', JSON.parse('{"__proto__": {"start_height": 5}}')).code, 'INVALID_REQUEST');
  t.is(refusal('sync.run', { constructor: 5 }).code, 'INVALID_REQUEST');
});

for (const name of operationNames) {
  test(`${name} takes its sample, and the same from text`, (t) => {
    const { input } = examples[name];
    t.deepEqual(parseInput(name, input) as object, input);
    const text = Object.entries(input).map(([key, value]) => [key, textOf(value)] as const);
    t.deepEqual(parseInput(name, inputFromText(name, text)) as object, input);
  });

  test(`${name} answers any JSON with an input or a CompanionError`, (t) => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          parseInput(name, value);
        } catch (thrown) {
          return thrown instanceof CompanionError;
        }
        return true;
      }),
      { numRuns: 50 },
    );
    t.pass();
  });
}

const COPIED = [
  'address',
  'cursor',
  'diversifier_index',
  'invoice_id',
  'mnemonic',
  'payees',
  'payment_id',
  'payment_ids',
];
COPIED.push('pczt', 'seed_fingerprint', 'since', 'token_hash', 'txid', 'uri', 'viewing_key');
const HEX = ['invoice_id', 'payment_id', 'payment_ids', 'seed_fingerprint', 'token_hash', 'txid'];

const around = (value: unknown, change: (text: string) => string): unknown =>
  Array.isArray(value) ? value.map((one) => change(String(one))) : change(String(value));

test('copied text loses what is around it on every operation, and its capitals where they mean nothing', (t) => {
  const seen = new Set<string>();
  for (const name of operationNames) {
    const { input } = examples[name];
    for (const [key, value] of Object.entries(input).filter(([one]) => COPIED.includes(one))) {
      if (typeof value === 'number') continue;
      seen.add(key);
      const readAs = (given: unknown): unknown =>
        (parseInput(name, { ...input, [key]: given }) as Readonly<Record<string, unknown>>)[key];
      const messy = around(value, (text) => `\ufeff\u00a0\u200b ${text}\u2060\u200e\r\n`);
      t.deepEqual(readAs(messy), value, `${name} ${key}`);
      const capitals = around(messy, (text) => text.toUpperCase());
      if (HEX.includes(key) || ['address', 'payees', 'viewing_key'].includes(key))
        t.deepEqual(readAs(capitals), value, `${name} ${key}`);
    }
  }
  t.deepEqual([...seen].sort(), [...COPIED].sort());
  const [{ address }] = parseInput('payments.prepare', { recipients: [{ address: ' U1ABC\n', zatoshi: 1 }] })
    .recipients as [{ address: string }];
  t.is(address, 'u1abc');
  t.is(parseInput('grants.revoke', { grant: ' 8F14E45FCEEA167A\n' }).grant, '8f14e45fceea167a');
  t.is(refusal('contacts.set', { name: 'a', address: '\u200b' }).errors?.[0]?.path, 'address');
});

test('an empty value in text counts as absent, and text of the wrong kind is named', (t) => {
  t.deepEqual(parseInput('notes.list', inputFromText('notes.list', [['account', '']])), {});
  for (const [key, value] of [
    ['acount', ''],
    ['account', '1e1'],
    ['account', '0x1'],
    ['unspent', 'yes'],
    ['limit', ' 5'],
  ] as const) {
    const error = refusal('notes.list', inputFromText('notes.list', [[key, value]]));
    t.deepEqual(
      error.errors?.map((field) => field.path),
      [key],
    );
  }
});

const changed: readonly [string, string][] = [
  ['{"order":{"number":9007199254740993}}', 'metadata.order.number'],
  ['{"list":[1,1e400]}', 'metadata.list.1'],
  ['{"__proto__":{"a":1}}', 'metadata.__proto__'],
  ['{"a":{"__proto__":1}}', 'metadata.a.__proto__'],
];
for (const [metadata, path] of changed) {
  test(`metadata that would come back changed is refused with its place: ${path}`, (t) => {
    const body = parseJsonBody(new TextEncoder().encode(`{"metadata":${metadata}}`));
    const flag = inputFromText('invoices.create', [['metadata', metadata]]);
    for (const input of [body, flag])
      t.like(refusal('invoices.create', input), { code: 'INVALID_REQUEST', errors: [{ path }] });
  });
}

test('metadata is read as it is, and refused where it is too deep to be written', (t) => {
  const metadata = {
    n: 9007199254740992,
    text: '9007199254740993 and 1e400',
    tiny: 5e-324,
    list: [-0.1, null],
  };
  t.deepEqual(parseInput('invoices.create', parseJsonBody(encodeJson({ metadata }))), { metadata });
  const deep = parseJsonBody(
    new TextEncoder().encode(`{"metadata":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`),
  );
  t.like(refusal('invoices.create', deep), { code: 'INVALID_REQUEST', errors: [{ path: 'metadata' }] });
});
