// The password of `serve`: a file is read again, a descriptor's bytes are kept no longer than they must.
import { chmodSync, closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startPassword } from '../../src/cli/startPassword.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const fileOf = (t: ExecutionContext, text: string | Uint8Array): string => {
  const file = path.join(temporaryFolder(t), 'password');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};
const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

test('a file is read at each use, so what it says now counts', async (t) => {
  const file = fileOf(t, '\ufeffone\r\ntwo\n');
  const password = await startPassword({ file });
  t.is(text(await password?.read()), 'one');
  writeFileSync(file, 'next');
  password?.forget();
  t.is(text(await password?.read()), 'next');
  unlinkSync(file);
  await t.throwsAsync(password?.read() ?? Promise.resolve());
  await t.throwsAsync(startPassword({ file }));
});

test('what came from a descriptor is there until it is forgotten, whatever becomes of the copies', async (t) => {
  const fd = openSync(fileOf(t, 'päss\nmore'), 'r');
  t.teardown(() => closeSync(fd));
  const password = await startPassword({ fd: String(fd) });
  (await password?.read())?.fill(0);
  t.is(text(await password?.read()), 'päss');
  password?.forget();
  t.is(await password?.read(), undefined);
});

test('bytes that are no UTF-8 are the password that they were as text', async (t) => {
  const password = await startPassword({ file: fileOf(t, Uint8Array.of(0x61, 0xff, 0x0a)) });
  t.is(text(await password?.read()), 'a\ufffd');
  t.is(await startPassword({}), undefined);
});

test('a file that others can read is refused, and nothing of it is read', async (t) => {
  const file = fileOf(t, 'open to all');
  for (const mode of [0o640, 0o604, 0o622]) {
    chmodSync(file, mode);
    await t.throwsAsync(startPassword({ file }), { message: /readable by nobody else/ });
  }
  chmodSync(file, 0o400);
  t.truthy(await startPassword({ file }));
});
