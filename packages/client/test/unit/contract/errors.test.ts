import test from 'ava';
import { toErrorRecord } from '../../../src/contract/errors.ts';

test('what cannot be loaded is told apart from other faults, without its path', (t) => {
  const path = '/home/me/lib/node_modules/engine/engine.node';
  const coded = (code: string): Error => Object.assign(new Error(`${path}: wrong ELF class`), { code });
  const failures = [
    ...['ERR_DLOPEN_FAILED', 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].map(coded),
    new Error('Cannot find native binding. npm has a bug'),
  ];
  for (const failure of failures) {
    const { code, detail } = toErrorRecord(failure);
    t.is(code, 'INTERNAL');
    t.regex(detail, /^A part of the program cannot be loaded here.*Install the program again/);
    t.false(detail.includes(path));
  }
  t.regex(toErrorRecord(coded('ENOENT')).detail, /^An unexpected fault was logged/);
});
