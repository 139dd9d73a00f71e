import test from 'ava';
import { toErrorRecord } from '../../../src/contract/errors.ts';

test('a failed load has its own error, without the path', (t) => {
  const path = '/home/me/lib/node_modules/engine/engine.node';
  const coded = (code: string): Error => Object.assign(new Error(`${path}: wrong ELF class`), { code });
  const failures = [
    ...['ERR_DLOPEN_FAILED', 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].map(coded),
    new Error('Cannot find native binding. npm has a bug'),
  ];
  for (const failure of failures) {
    const { code, detail } = toErrorRecord(failure);
    t.is(code, 'STORAGE_FAILED');
    t.regex(detail, /: a part of the program is missing.*Install it again/);
    t.false(detail.includes(path));
  }
});

test('what the machine refuses is reported in its own words, without the path; only the rest is an internal error', (t) => {
  for (const [code, of, words] of [
    [
      'EMFILE',
      'STORAGE_FAILED',
      /^This cannot be done here \(EMFILE\): this process may have no more files open\./,
    ],
    ['ERR_ACCESS_DENIED', 'STORAGE_FAILED', /permission model forbids it/],
    ['EADDRNOTAVAIL', 'INVALID_REQUEST', /no such address/],
    ['ERR_INVALID_ARG_TYPE', 'INTERNAL', /^An unexpected fault was logged/],
  ] as const) {
    const record = toErrorRecord(Object.assign(new Error('open /home/me/file'), { code }));
    t.is(record.code, of);
    t.regex(record.detail, words);
    t.notRegex(record.detail, /home/);
  }
});
