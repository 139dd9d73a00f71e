// What is checked before a companion with a fleet starts.

import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { checkFleet } from '../../src/composition/fleet.ts';
import type { CompanionError } from '../../src/protocol/errors.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const DIGITS = '0123456789abcdef'.repeat(4);

const fileWith = (t: ExecutionContext, text: string): string => {
  const file = path.join(temporaryFolder(t), 'secret');
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  return file;
};

test('what is missing is named, and nothing of a file is repeated', (t) => {
  const settings = { fleet_redis_url: 'redis://127.0.0.1', fleet_redis_password_file: null };
  const error = t.throws<CompanionError>(() => checkFleet({ ...settings, fleet_key_file: null }));
  t.deepEqual(
    error?.errors?.map(({ path: key }) => key),
    ['fleet_key_file'],
  );
  const wrong = fileWith(t, 'a secret that is no key');
  const refused = t.throws<CompanionError>(() => checkFleet({ ...settings, fleet_key_file: wrong }));
  t.false(refused?.message.includes('a secret') ?? true);
  t.false(refused?.message.includes(wrong) ?? true);
  t.is(checkFleet({ ...settings, fleet_key_file: fileWith(t, DIGITS) }).address.port, 6379);
});
