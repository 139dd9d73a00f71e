import { closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { ok } from '../../src/protocol/result.ts';
import { LineEditor, Prompt } from '../../src/terminal/prompt.ts';
import { CliProcess, secretFile, temporaryFolder } from '../helpers/cliProcess.ts';

test('a password is asked for on the terminal, unseen, with the question on stderr', async (t) => {
  const cli = new CliProcess({ terminal: true });
  cli.type('hunter2\r');
  const { code, stdout, stderr } = await cli.run('wallet', 'unlock', '--json');
  t.is(code, 0);
  t.deepEqual(cli.link.calls[0]?.input, { password: 'hunter2' });
  t.deepEqual(cli.keyboard.rawModes, [true, false]);
  t.is(stderr, 'Password: \n');
  t.false(stdout.includes('hunter2'));
});

test('a new wallet asks twice, and nothing happens when the answers differ', async (t) => {
  const agreed = new CliProcess({ terminal: true });
  agreed.type('hunter22\rhunter22\r');
  t.is((await agreed.run('wallet', 'create')).code, 0);
  t.deepEqual(agreed.link.calls[0]?.input, { password: 'hunter22' });
  const differed = new CliProcess({ terminal: true });
  differed.type('hunter22\rhunter33\r');
  const { code, stderr } = await differed.run('wallet', 'create');
  t.is(code, 2);
  t.false(stderr.includes('hunter'));
  t.is(differed.link.calls.length, 0);
  const short = new CliProcess({ terminal: true });
  short.type('hunter2\rhunter2\r');
  const refused = await short.run('wallet', 'create');
  t.is(refused.code, 2);
  t.regex(refused.stderr, /at least 8 characters: a shorter one/);
  t.is(short.link.calls.length, 0);
});

test('after a phrase was shown three of its words are asked for, again after a wrong one, and skip is an answer', async (t) => {
  const cli = new CliProcess({ terminal: true });
  const { output } = examples['wallet.status'];
  cli.link.answerWith('wallet.status', () => ok({ ...output, phrase_confirmed: false }));
  let tries = 0;
  cli.link.answerWith('wallet.confirm_phrase', (input) => {
    if (!('words' in (input as object))) return ok({ confirmed: false, numbers: [3, 11, 20] });
    tries += 1;
    const error = { code: 'INVALID_MNEMONIC', detail: 'Word 11 of the phrase is another one.' } as const;
    return tries === 1 ? { ok: false, error } : ok({ confirmed: true, numbers: [3, 11, 20] });
  });
  const ending = cli.run('wallet', 'create');
  await cli.talk([
    ['Password: ', 'hunter22\r'],
    ['Password again: ', 'hunter22\r'],
    ['Word 3 of your phrase', 'river\r'],
    ['Word 11 of your phrase', 'stome\r'],
    ['Word 20 of your phrase', 'wall\r'],
    ['Word 11 of the phrase is another one', ''],
    ['Word 3 of your phrase', 'later\r'],
    ['Word 11 of your phrase', 'stone\r'],
    ['Word 20 of your phrase', 'wall\r'],
    ['The words are right', ''],
  ]);
  const { code, stdout } = await ending;
  t.is(code, 0);
  t.regex(stdout, /abandon/);
  t.deepEqual(cli.link.calls.at(-1)?.input, { password: 'hunter22', words: '3 later 11 stone 20 wall' });

  const later = cli.run('wallet', 'confirm-phrase');
  await cli.talk([
    ['Password: ', 'hunter22\r'],
    ['Word 3 of your phrase', 'skip\r'],
    ['confirm-phrase" asks again', ''],
  ]);
  t.like(await later, { code: 0, stdout: '' });
  t.deepEqual(cli.link.calls.at(-1)?.input, { password: 'hunter22' });
});

test('changing the password asks for the old one once and the new one twice', async (t) => {
  const cli = new CliProcess({ terminal: true });
  cli.type('old\rnew horse\rnew horse\r');
  t.is((await cli.run('wallet', 'change-password')).code, 0);
  t.deepEqual(cli.link.calls[0]?.input, { password: 'old', new_password: 'new horse' });
});

test('a restore asks for the phrase and the password, not for the optional passphrase', async (t) => {
  const cli = new CliProcess({ terminal: true });
  cli.type('abandon about\rhunter22\rhunter22\r');
  t.is((await cli.run('wallet', 'restore')).code, 0);
  t.deepEqual(cli.link.calls[0]?.input, { mnemonic: 'abandon about', password: 'hunter22' });
});

test('what is typed is unseen from the moment of the question on', async (t) => {
  const keyboard = new PassThrough();
  const order: string[] = [];
  const stdin = Object.assign(keyboard, {
    isTTY: true,
    setRawMode: (on: boolean) => order.push(on ? 'unseen' : 'seen'),
  });
  const stderr = new PassThrough().on('data', (text) => order.push(String(text)));
  keyboard.write('hunter2\r');
  t.is(await new Prompt({ stdin, stderr }).hidden('Password: ', ''), 'hunter2');
  t.deepEqual(order.slice(0, 2), ['unseen', 'Password: ']);
});

test('Ctrl-C at the question ends with 130 and the terminal as it was', async (t) => {
  const cli = new CliProcess({ terminal: true });
  cli.type('hunt\u0003');
  t.is((await cli.run('wallet', 'unlock')).code, 130);
  t.deepEqual(cli.keyboard.rawModes, [true, false]);
  t.is(cli.link.calls.length, 0);
});

test('without a terminal the error names the flags to use', async (t) => {
  const { code, stderr } = await new CliProcess().run('wallet', 'unlock');
  t.is(code, 2);
  t.true(stderr.includes('--password-file') && stderr.includes('--password-fd'));
});

test('a password comes from the first line of an open descriptor', async (t) => {
  const fd = openSync(secretFile(temporaryFolder(t), 'password', 'hunter2\nsecond line'), 'r');
  t.teardown(() => closeSync(fd));
  const cli = new CliProcess();
  t.is((await cli.run('wallet', 'unlock', '--password-fd', String(fd))).code, 0);
  t.deepEqual(cli.link.calls[0]?.input, { password: 'hunter2' });
});

for (const [title, content] of [
  ['without a line break', 'hunter2'],
  ['with a Windows line break', 'hunter2\r\n'],
  ['with a byte order mark', '\ufeffhunter2\n'],
  ['with further lines', 'hunter2\nnotes\n'],
] as const) {
  test(`a password file ${title} holds the same password`, async (t) => {
    const file = path.join(temporaryFolder(t), 'password');
    writeFileSync(file, content);
    const cli = new CliProcess();
    t.is((await cli.run('wallet', 'unlock', '--password-file', file)).code, 0);
    t.deepEqual(cli.link.calls[0]?.input, { password: 'hunter2' });
  });
}

test('a phrase may stand on several lines of its file', async (t) => {
  const folder = temporaryFolder(t);
  const phrase = secretFile(folder, 'phrase', 'abandon\nabout');
  const password = secretFile(folder, 'password', 'hunter2');
  const cli = new CliProcess();
  t.is((await cli.run('wallet', 'restore', '--mnemonic-file', phrase, '--password-file', password)).code, 0);
  t.deepEqual(cli.link.calls[0]?.input, { mnemonic: 'abandon\nabout', password: 'hunter2' });
});

test('a secret that cannot be read is reported without its path', async (t) => {
  const folder = temporaryFolder(t);
  const huge = secretFile(folder, 'huge', 'a'.repeat(20_000));
  for (const flags of [
    ['--password-file', path.join(folder, 'nowhere')],
    ['--password-file', huge],
    ['--password-fd', 'x'],
    ['--password-fd', '999999'],
  ]) {
    const { code, stderr } = await new CliProcess().run('wallet', 'unlock', ...flags);
    t.is(code, 2);
    t.false(stderr.includes(folder));
  }
});

test('a locked wallet is unlocked on the way, and the operation done', async (t) => {
  const cli = new CliProcess({ terminal: true });
  let unlocked = false;
  cli.link.answerWith('balance.get', () =>
    unlocked
      ? ok(examples['balance.get'].output)
      : { ok: false, error: { code: 'WALLET_LOCKED', detail: 'Unlock.' } },
  );
  cli.link.answerWith('wallet.unlock', () => {
    unlocked = true;
    return ok(examples['wallet.unlock'].output);
  });
  cli.type('hunter2\r');
  const { code, stdout } = await cli.run('balance', '--json');
  t.is(code, 0);
  t.is(stdout, `${JSON.stringify(examples['balance.get'].output)}\n`);
  t.deepEqual(
    cli.link.calls.map((call) => call.name),
    ['balance.get', 'wallet.unlock', 'balance.get'],
  );
});

test('a sync of a locked wallet takes the password along', async (t) => {
  const cli = new CliProcess({ terminal: true });
  cli.link.answerWith('sync.run', ({ password }) =>
    password === undefined
      ? { ok: false, error: { code: 'WALLET_LOCKED', detail: 'Unlock.' } }
      : ok(examples['sync.run'].output),
  );
  cli.type('hunter2\r');
  t.is((await cli.run('sync')).code, 0);
  t.deepEqual(cli.link.calls.at(-1)?.input, { password: 'hunter2' });
});

test('a locked wallet without anyone to ask is exit code 3', async (t) => {
  const cli = new CliProcess();
  cli.link.failWith('balance.get', { code: 'WALLET_LOCKED', detail: 'Unlock.' });
  t.is((await cli.run('balance')).code, 3);
  t.is(cli.link.calls.length, 1);
});

test('a wrong password on the way is the error that is shown', async (t) => {
  const cli = new CliProcess({ terminal: true });
  cli.link.failWith('balance.get', { code: 'WALLET_LOCKED', detail: 'Unlock.' });
  cli.link.failWith('wallet.unlock', { code: 'WRONG_PASSWORD', detail: 'No.' });
  cli.type('hunter2\r');
  const { code, stderr } = await cli.run('balance');
  t.is(code, 3);
  t.true(stderr.includes('WRONG_PASSWORD'));
});

test('the line editor knows backspace, line clearing and arrow keys', (t) => {
  t.deepEqual(new LineEditor().feed('ab\u007fc\r'), { line: 'ac', rest: '' });
  t.deepEqual(new LineEditor().feed('a\u{1f916}\bb\n'), { line: 'ab', rest: '' });
  t.deepEqual(new LineEditor().feed('abc\u0015d\rnext'), { line: 'd', rest: 'next' });
  t.deepEqual(new LineEditor().feed('a\u001b[A\u001b[1;5Cb\t\r'), { line: 'ab', rest: '' });
  t.is(new LineEditor().feed('\u0004'), 'interrupted');
  const editor = new LineEditor();
  t.is(editor.feed('a'), undefined);
  t.deepEqual(editor.feed('\u0004b\r'), { line: 'ab', rest: '' });
});
