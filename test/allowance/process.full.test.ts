// The allowance signer as a process: made, given a policy, asked over its socket, killed, started again, and shouted at.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import test from 'ava';
import { makePayment, ZEC } from '../helpers/allowanceBed.ts';
import { makeSigner } from '../helpers/signerProcess.ts';

/** Of nobody, on every Linux. */
const OTHER_USER = 65_534;

test('it signs within its policy, counts across a kill, and nothing that comes ends it', async (t) => {
  const { ask, command, folder, socket, start } = await makeSigner(t, { day_zatoshi: ZEC });
  const child = await start();
  t.is(statSync(folder).mode & 0o777, 0o700);
  t.is(statSync(socket).mode & 0o777, 0o600);
  const first = makePayment({ zatoshi: 0.6 * ZEC });
  t.true((await ask(first.bytes)).signatures!.length > 0);
  t.regex((await ask(makePayment({ zatoshi: 0.6 * ZEC }).bytes)).refused!, /in 24 hours/);
  t.truthy((await ask('{"cancel":1}')).failed);
  t.truthy((await ask('{')).failed);
  t.truthy((await ask(first.bytes.subarray(0, 900))).refused);
  t.truthy((await ask(new Uint8Array(0))).refused);
  await t.throwsAsync(ask(new Uint8Array(3 * 1024 * 1024)));
  const silent = Array.from({ length: 3 }, () => createConnection(socket));
  t.true((await ask(first.bytes)).signatures!.length > 0);
  for (const each of silent) each.destroy();
  await t.throwsAsync(command('run'), { message: /is running/ });
  await t.throwsAsync(command('policy', '--from', path.join(folder, 'none')), { message: /is running/ });
  const log = JSON.parse(await command('log', '--json'));
  t.is(log.day_zatoshi, 0.6 * ZEC + 10_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const again = await start();
  t.regex((await ask(makePayment({ zatoshi: 0.6 * ZEC }).bytes)).refused!, /in 24 hours/);
  t.true((await ask(first.bytes)).signatures!.length > 0);
  again.kill('SIGTERM');
  t.deepEqual(await once(again, 'exit'), [0, null]);
});

test('a waiting payment is cancelled by the command, and a policy that wants a yes needs a terminal', async (t) => {
  const { ask, command, folder, start } = await makeSigner(t, { delay: { above_zatoshi: 0, seconds: 3600 } });
  const child = await start();
  const { bytes } = makePayment();
  t.is((await ask(bytes)).waits_for!.kind, 'delay');
  const { payments } = JSON.parse(await command('log', '--json'));
  t.regex(await command('cancel', payments[0].txid), /never signs/);
  t.regex((await ask(bytes)).refused!, /cancelled/);
  t.regex(await command('log'), /cancelled {2}0.5001 ZEC/);
  child.kill('SIGTERM');
  await once(child, 'exit');
  const shown = JSON.parse(await command('policy'));
  t.is(shown.delay.seconds, 3600);
  const asks = path.join(path.dirname(folder), 'asks');
  writeFileSync(asks, JSON.stringify({ ...shown, confirm: { above_zatoshi: 0 } }));
  await command('policy', '--from', asks);
  await t.throwsAsync(command('run'), { message: /no terminal to ask on/ });
  writeFileSync(asks, JSON.stringify({ ...shown, fee: 1 }));
  await t.throwsAsync(command('policy', '--from', asks), { message: /policy is not valid/ });
});

test('it takes the phrase of a wallet, under a password of its own, and an older journal is noticed', async (t) => {
  const { command, folder, password } = await makeSigner(t, {});
  const [other, another] = ['other', 'another'].map((name) => path.join(path.dirname(folder), name)) as [
    string,
    string,
  ];
  writeFileSync(another, 'another password\n', { mode: 0o600 });
  const of = ['--signer-dir', other, '--password-file', another];
  await command('init', '--from-wallet', '--data-dir', folder, '--wallet-password-file', password, ...of);
  t.regex(await command('log', ...of), /24 hours: 0 of 0 ZEC/);
  await t.throwsAsync(command('log', '--signer-dir', other), { message: /password is wrong/i });
  await t.throwsAsync(command('init', '--from-wallet', '--data-dir', folder, ...of), { message: /already/ });
  writeFileSync(path.join(other, 'journal.sealed'), readFileSync(path.join(folder, 'journal.sealed')));
  await t.throwsAsync(command('run', ...of), {
    message: /journal of the signer is damaged, or of another signer/,
  });
});

const isRoot = process.getuid?.() === 0;
(isRoot ? test : test.skip)(
  'as another user it is reached by its group alone, and the companion cannot read its files (needs root)',
  async (t) => {
    const other = await makeSigner(t, {}, OTHER_USER);
    const shared = path.join(path.dirname(other.folder), 'shared');
    mkdirSync(shared);
    chownSync(shared, OTHER_USER, OTHER_USER);
    chmodSync(shared, 0o750);
    const socket = path.join(shared, 'signer.sock');
    await other.start('--socket', socket, '--socket-group', String(OTHER_USER));
    t.is(statSync(socket).mode & 0o777, 0o660);
    t.is(statSync(other.folder).uid, OTHER_USER);
    const { bytes } = makePayment();
    const payment = path.join(shared, 'payment');
    writeFileSync(payment, bytes, { mode: 0o644 });
    chmodSync(path.dirname(other.folder), 0o711);
    const ask = `
      const s = require('net').createConnection({ path: ${JSON.stringify(socket)}, allowHalfOpen: true });
      let text = '';
      s.on('data', (part) => { text += part; }).on('end', () => console.log(text)).on('error', (e) => console.log(e.code));
      s.end(require('fs').readFileSync(0));
      try { require('fs').readFileSync(${JSON.stringify(path.join(other.folder, 'wallet.dat'))}); console.log('read'); } catch (e) { console.log(e.code); }`;
    const asked = async (uid: number, gid: number): Promise<string> => {
      const child = spawn(process.execPath, ['-e', ask], { uid, gid });
      child.stdin.end(readFileSync(payment));
      let text = '';
      child.stdout.on('data', (part: Buffer) => {
        text += part.toString();
      });
      await once(child, 'close');
      return text;
    };
    const member = await asked(12_345, OTHER_USER);
    t.regex(member, /EACCES/);
    t.regex(member, /"signatures":\[\{/);
    t.notRegex(await asked(12_346, 12_346), /signatures|read/);
  },
);
