// The token's file, and the flags of the command.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { isSame, tokenIn } from '../../src/bridge/server/token.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { CliProcess } from '../helpers/cliProcess.ts';
import { PROGRAM } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

test('the token is made once, for its owner alone, and is refused where others can read it', async (t) => {
  const file = path.join(temporaryFolder(t), 'btcpay.token');
  const [first, second] = await Promise.all([tokenIn(file), tokenIn(file)]);
  t.is(first.text, second.text);
  t.is(Buffer.from(first.text, 'base64url').length, 32);
  t.deepEqual([first.isNew, second.isNew].sort(), [false, true]);
  t.is(statSync(file).mode & 0o777, 0o600);
  t.is(readFileSync(file, 'utf8'), `${first.text}\n`);
  t.true(isSame(first.text, second.text));
  t.false(isSame(first.text, `${second.text.slice(1)}A`));
  chmodSync(file, 0o640);
  const open = await t.throwsAsync(tokenIn(file), { instanceOf: CompanionError });
  t.is(open.code, 'INVALID_REQUEST');
  t.false(open.message.includes(first.text) || open.message.includes(file));
  const short = path.join(temporaryFolder(t), 'short');
  writeFileSync(short, 'abc\n', { mode: 0o600 });
  await t.throwsAsync(tokenIn(short), { instanceOf: CompanionError });
  const missing = path.join(temporaryFolder(t), 'missing', 'token');
  const failed = await t.throwsAsync(tokenIn(missing), { instanceOf: CompanionError });
  t.is(failed.code, 'STORAGE_FAILED');
  t.false(failed.message.includes('missing'));
});

test('a start that fails makes no token: the next one has it to show', async (t) => {
  const folder = temporaryFolder(t);
  // Nobody has leave to listen there.
  const where = ['--url', 'http://127.0.0.1:1', '--config-dir', folder, '--port', '0'];
  const child = untilTestEnds(t, spawn(process.execPath, [PROGRAM, 'bridge', 'btcpay', ...where]));
  const [output] = await Promise.all([text(child.stderr), once(child, 'close')]);
  t.true(output.includes('COMPANION_UNREACHABLE'), output);
  t.deepEqual(readdirSync(folder), []);
});

test('bridge btcpay: its flags', async (t) => {
  const cli = new CliProcess();
  const usual = { url: undefined, wallet: undefined, local: {}, port: 3001 };
  t.is((await cli.run('bridge', 'btcpay')).code, 0);
  const given = ['--url', 'http://127.0.0.1:3005', '--wallet', 'shop', '--data-dir', '/data'];
  const flags = ['--port', '0', '--callback', 'https://pay.example/shop', '--token-file', 'token'];
  t.is((await cli.run(...given, 'bridge', 'btcpay', ...flags)).code, 0);
  t.like(cli.shows, [
    { bridge: { ...usual, callback: undefined, tokenFile: undefined } },
    {
      bridge: {
        url: 'http://127.0.0.1:3005',
        wallet: 'shop',
        local: { dataDir: '/data' },
        port: 0,
        callback: 'https://pay.example/shop',
        tokenFile: 'token',
      },
    },
  ]);
  for (const wrong of [
    ['--port', '65536'],
    ['--port', '-1'],
    ['--callback', 'ftp://pay.example'],
    ['--callback', 'https://a:b@pay.example'],
    ['--callback', 'https://pay.example/?a=1'],
  ])
    t.is((await cli.run('bridge', 'btcpay', ...wrong)).code, 2, wrong.join(' '));
});
