// One suite for every surface: each operation with its example, with each failure that it can answer, and with input
// that is refused, gives the same values, problems and codes everywhere.

import { toProblem } from '@wallet-companion/client/contract';
import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { type ErrorCode, type ErrorRecord, toErrorRecord } from '../../src/protocol/errors.ts';
import { COMMON_ERRORS } from '../../src/protocol/operation.ts';
import { type OperationName, operationNames, operations, parseInput } from '../../src/protocol/operations.ts';
import { ok, type Result } from '../../src/protocol/result.ts';
import { FakeLink } from '../helpers/fakeLink.ts';
import { type Surface, surfaces } from './surfaces.ts';

const closers: (() => unknown)[] = [];

/** With every optional field, to see that each passes. */
const recordOf = (code: ErrorCode): ErrorRecord => ({
  code,
  detail: 'What happened, and what to do: "quoted", \u00e9, \u{1f916}.',
  errors: [{ path: 'field', message: 'says what is wrong' }],
  lastScanHeight: 640,
});

function problemOf(record: ErrorRecord): object {
  const { request_id: _, ...rest } = toProblem(record, 'any');
  return rest;
}

/** Input that every surface can express, and what it is refused with. */
const refused: readonly (readonly [OperationName, object, ErrorCode, string])[] = [
  ['config.theme', { theme: 'purple' }, 'INVALID_THEME', 'theme'],
  ['config.node_url', { url: 'ftp://example.org' }, 'INVALID_URL', 'url'],
  ['config.node_url', { url: 'http://user:secret@127.0.0.1' }, 'INVALID_URL', 'url'],
  ['lwd.info', { compact_server_url: 'gopher' }, 'INVALID_URL', 'compact_server_url'],
  ['sync.run', { start_height: 9, end_height: 5 }, 'INVALID_RANGE', 'start_height'],
  ['lwd.sync_compact', { start_height: 9, end_height: 5 }, 'INVALID_RANGE', 'start_height'],
  ['lwd.prune', {}, 'INVALID_REQUEST', 'keep'],
  ['sync.run', { end_height: 2 ** 31 }, 'INVALID_REQUEST', 'end_height'],
  ['notes.list', { limit: 1001 }, 'INVALID_REQUEST', 'limit'],
  ['notes.list', { pool: 'sprout' }, 'INVALID_REQUEST', 'pool'],
  ['address.get', { diversifier_index: `${2n ** 88n}` }, 'INVALID_REQUEST', 'diversifier_index'],
  ['transactions.export', { format: 'xlsx' }, 'INVALID_REQUEST', 'format'],
  ['balance.at', { date: 'yesterday' }, 'INVALID_REQUEST', 'date'],
  ['payment_uri.create', { zatoshi: 2_100_000_000_000_001 }, 'INVALID_REQUEST', 'zatoshi'],
  ['payment_uri.qr', { memo: 'a'.repeat(513) }, 'INVALID_REQUEST', 'memo'],
  ['pczt.inspect', { pczt: 'not.base64' }, 'INVALID_PCZT', 'pczt'],
  ['payments.get', { payment_id: 'x' }, 'INVALID_REQUEST', 'payment_id'],
  ['payments.discard', { payment_id: 'a/b?c' }, 'INVALID_REQUEST', 'payment_id'],
  ['payments.prepare', { privacy: ['memos'] }, 'INVALID_REQUEST', 'privacy.0'],
  ['payments.prepare', { pools: ['ironwood', 'sprout'] }, 'INVALID_REQUEST', 'pools.1'],
  ['payments.prepare', { recipients: [{ amount: '1' }] }, 'INVALID_REQUEST', 'recipients.0.address'],
  [
    'payments.prepare',
    { recipients: [{ address: 'u1', amount: '1,5' }] },
    'INVALID_REQUEST',
    'recipients.0.amount',
  ],
  [
    'payments.prepare',
    { recipients: [{ address: 'u1', memos: [] }] },
    'INVALID_REQUEST',
    'recipients.0.memos',
  ],
  ['payments.prepare', { recipients: [] }, 'INVALID_REQUEST', 'recipients'],
  ['payments.prepare', { recipients: 'u1' }, 'INVALID_REQUEST', 'recipients'],
  ['balance.get', { account: 2 ** 31 }, 'INVALID_REQUEST', 'account'],
  ['wallet.unlock', { password: 'a'.repeat(1025) }, 'INVALID_PASSWORD_FORMAT', 'password'],
  ['wallet.create', { password: 'x', word_count: 13 }, 'INVALID_REQUEST', 'word_count'],
  [
    'invoices.create',
    JSON.parse('{"metadata":{"a":{"__proto__":1}}}'),
    'INVALID_REQUEST',
    'metadata.a.__proto__',
  ],
  [
    'invoices.create',
    { metadata: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) },
    'INVALID_REQUEST',
    'metadata',
  ],
];

for (const kind of surfaces) {
  if (kind.missing !== undefined) {
    test.skip(`${kind.name} (skipped: ${kind.missing})`, () => {});
    continue;
  }
  const link = new FakeLink();
  let surface: Surface;
  test.before(async () => {
    surface = await kind.open({ teardown: (close) => closers.push(close) }, link);
  });

  for (const name of operationNames) {
    const { input, output } = examples[name];

    test.serial(`${kind.name}: ${name} passes its input in and its output out`, async (t) => {
      link.calls.length = 0;
      t.deepEqual(await surface.call(name, input), { ok: true, value: output });
      t.deepEqual(
        link.calls.map((call) => [call.name, call.input]),
        [[name, input]],
      );
    });

    test.serial(`${kind.name}: ${name} passes on each of its failures`, async (t) => {
      for (const code of new Set<ErrorCode>([...operations[name].errors, ...COMMON_ERRORS])) {
        const record = recordOf(code);
        link.failWith(name, record);
        t.deepEqual(await surface.call(name, input), { ok: false, problem: problemOf(record) }, code);
      }
      link.answerWith(name, () => ok(output) as Result<never>);
    });
  }

  for (const [name, input, code, field] of refused) {
    test.serial(`${kind.name}: ${name} refuses ${JSON.stringify(input).slice(0, 60)}`, async (t) => {
      const record = refusalOf(name, input);
      t.is(record.code, code);
      t.deepEqual(
        record.errors?.map(({ path }) => path),
        [field],
      );
      t.deepEqual(await surface.call(name, input), { ok: false, problem: problemOf(record) });
    });
  }
}

function refusalOf(name: OperationName, input: object): ErrorRecord {
  try {
    parseInput(name, input);
  } catch (thrown) {
    return toErrorRecord(thrown);
  }
  throw new Error('the input is not refused');
}

test.after.always(async () => {
  for (const close of closers.reverse()) await close();
});
