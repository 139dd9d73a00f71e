// Where the queue may be, and which files its secrets may be in.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CompanionError } from '@wallet-companion/client/contract';
import test, { type ExecutionContext } from 'ava';
import { readFleetKey, readRedisPassword } from '../src/fleet/files/secretFile.ts';
import { missingPackage } from '../src/fleet/queue/missingPackage.ts';
import { loadQueuePackages } from '../src/fleet/queue/queuePackages.ts';
import { redisAddress } from '../src/fleet/queue/redisAddress.ts';

const DIGITS = '0123456789abcdef'.repeat(4);
const onUnix = process.getuid === undefined ? test.skip : test;

function temporaryFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const fileWith = (t: ExecutionContext, text: string, mode = 0o600): string => {
  const file = path.join(temporaryFolder(t), 'secret');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};

const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'none';
  } catch (error) {
    return error instanceof CompanionError ? error.code : String(error);
  }
};

test('Redis is on this machine, or reached over TLS', (t) => {
  const local = { host: '127.0.0.1', port: 6379, db: 0, tls: false };
  t.deepEqual(redisAddress('redis://127.0.0.1'), local);
  t.deepEqual(redisAddress('redis://[::1]:7000/3'), { ...local, host: '::1', port: 7000, db: 3 });
  t.deepEqual(redisAddress('rediss://queue.example'), { ...local, host: 'queue.example', tls: true });
  for (const url of [
    'redis://queue.example',
    'redis://10.0.0.1:6379',
    'redis://127.0.0.1.example',
    'redis://:secret@127.0.0.1',
    'rediss://user@queue.example',
    'http://127.0.0.1',
    'redis://127.0.0.1?password=x',
    'redis://127.0.0.1/queue',
    'rediss://',
    '127.0.0.1:6379',
    '',
  ])
    t.is(
      codeOf(() => redisAddress(url)),
      'INVALID_URL',
      url,
    );
});

test('the key is 64 hexadecimal digits, with or without a line break', (t) => {
  t.is(Buffer.from(readFleetKey(fileWith(t, `${DIGITS}\n`))).toString('hex'), DIGITS);
  t.is(Buffer.from(readFleetKey(fileWith(t, DIGITS))).toString('hex'), DIGITS);
  for (const text of ['', 'x'.repeat(64), DIGITS.slice(1), `${DIGITS}00`, `${DIGITS}\n\n\n`])
    t.is(
      codeOf(() => readFleetKey(fileWith(t, text))),
      'INVALID_REQUEST',
      text,
    );
});

onUnix('a file that others can read, a folder and one that is not there are refused', (t) => {
  for (const mode of [0o640, 0o604, 0o660])
    t.is(
      codeOf(() => readFleetKey(fileWith(t, DIGITS, mode))),
      'INVALID_REQUEST',
    );
  const folder = path.join(temporaryFolder(t), 'folder');
  mkdirSync(folder, { mode: 0o700 });
  t.is(
    codeOf(() => readFleetKey(folder)),
    'INVALID_REQUEST',
  );
  t.is(
    codeOf(() => readFleetKey(path.join(folder, 'none'))),
    'INVALID_REQUEST',
  );
  t.is(readRedisPassword(fileWith(t, 'a word\n')), 'a word');
  t.is(
    codeOf(() => readRedisPassword(fileWith(t, 'a word', 0o644))),
    'INVALID_REQUEST',
  );
  t.is(
    codeOf(() => readRedisPassword(fileWith(t, '\n'))),
    'INVALID_REQUEST',
  );
});

test('without the packages it says what to install', (t) => {
  const error = missingPackage('bullmq', new Error('not there'));
  t.is(error.code, 'INVALID_REQUEST');
  t.regex(error.message, /bullmq.*npm install -g bullmq ioredis/);
});

test('a package that cannot be loaded is the failure of the command that needs a fleet', async (t) => {
  const thrown = await t.throwsAsync(
    loadQueuePackages((name) => Promise.reject(missingPackage(name, new Error('not there')))),
  );
  t.regex(thrown?.message ?? '', /npm install/);
});
