// Every operation as a subcommand: --json is the HTTP body to the letter, in this process and through a companion.

import type { Problem } from '@wallet-companion/client/contract';
import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { argumentName } from '../../src/protocol/argumentName.ts';
import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts';
import { operationNames, operations } from '../../src/protocol/operations.ts';
import { inputFields } from '../../src/protocol/textInput.ts';
import { CliProcess, sampleCommandLine, secretFile, temporaryFolder } from '../helpers/cliProcess.ts';
import { startHttpFront } from '../helpers/httpFront.ts';

/** Files of rows, of a statement, or of lines. */
const JSON_FILES: readonly string[] = [
  'transactions.export',
  'days.get',
  'statement.get',
  'statement.gains',
  'labels.export',
];

for (const name of operationNames) {
  const words = operations[name].cli.words.join(' ');

  test(`${words} --json prints the HTTP body`, async (t) => {
    const cli = new CliProcess();
    const { code, stdout, stderr } = await cli.run(...sampleCommandLine(name, temporaryFolder(t)), '--json');
    t.is(stderr, '');
    t.is(code, 0);
    t.is(stdout, `${JSON.stringify(examples[name].output)}\n`);
    t.deepEqual(
      cli.link.calls.map((call) => [call.name, call.input]),
      [[name, examples[name].input]],
    );
    t.is(cli.closed, 1);
    t.is(cli.listeners, 0);
  });

  test(`${words} --url gives the same through a running companion`, async (t) => {
    const front = await startHttpFront();
    t.teardown(() => front.close());
    const cli = new CliProcess();
    const line = sampleCommandLine(name, temporaryFolder(t));
    const { code, stdout } = await cli.run('--url', front.url, ...line, '--json');
    t.is(code, 0);
    t.is(stdout, `${JSON.stringify(examples[name].output)}\n`);
    t.deepEqual(front.link.calls, [
      { name, input: examples[name].input, context: { requestId: 'cli-request' } },
    ]);
    t.is(cli.opened.length, 0);
  });

  test(`${words} without --json prints text for people`, async (t) => {
    const cli = new CliProcess();
    const { code, stdout } = await cli.run(...sampleCommandLine(name, temporaryFolder(t)));
    t.is(code, 0);
    t.true(stdout.endsWith('\n') && stdout.length > 4);
    // What is asked for as json comes as JSON.
    const unfit = JSON_FILES.includes(name) ? /undefined|\[object/ : /[{}"]|undefined|\[object/;
    t.false(unfit.test(stdout), stdout);
  });

  test(`${words} --help describes the command and offers every field`, async (t) => {
    const { code, stdout } = await new CliProcess().run(...operations[name].cli.words, '--help');
    t.is(code, 0);
    const plain = stdout.replaceAll(/\s+/g, ' ');
    t.true(plain.includes(operations[name].summary));
    const { flags = {}, takesWallets } = operations[name].cli;
    for (const field of Object.keys(examples[name].input)) {
      const flag = takesWallets === true && field === 'wallets' ? 'wallet' : (flags[field] ?? field);
      t.true(
        plain.includes(`--${flag.replaceAll('_', '-')}`) ||
          plain.includes(`<${argumentName(inputFields(name), field)}>`) ||
          (operations[name].cli.files?.includes(field) === true && plain.includes(`<${field}-file>`)),
        field,
      );
    }
  });
}

for (const code of Object.keys(ERRORS) as ErrorCode[]) {
  test(`${code} ends with exit code ${ERRORS[code].exit}, in words or as a problem`, async (t) => {
    const cli = new CliProcess();
    cli.link.failWith('config.get', { code, detail: 'What happened.', lastScanHeight: 5 });
    const words = await cli.run('config', 'get');
    t.is(words.code, ERRORS[code].exit);
    t.is(words.stdout, '');
    t.is(words.stderr, `error: What happened. (${code})\n`);
    const json = await cli.run('config', 'get', '--json');
    t.is(json.code, ERRORS[code].exit);
    const problem = JSON.parse(json.stdout) as Problem;
    t.is(problem.code, code);
    t.is(problem.status, ERRORS[code].status);
    t.is(problem.last_scan_height, 5);
    t.is(cli.closed, 2);
  });
}

test('a failure that came through a companion keeps its code, fields and height', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  front.link.failWith('sync.run', {
    code: 'NODE_UNREACHABLE',
    detail: 'Gone.',
    lastScanHeight: 640,
    errors: [{ path: 'node_url', message: 'does not answer' }],
  });
  const { code, stdout } = await new CliProcess().run('sync', '--url', front.url, '--json');
  t.is(code, 6);
  const problem = JSON.parse(stdout) as Problem;
  t.is(problem.code, 'NODE_UNREACHABLE');
  t.is(problem.last_scan_height, 640);
  t.deepEqual(problem.errors, [{ path: 'node_url', message: 'does not answer', code: 'NODE_UNREACHABLE' }]);
  t.is(problem.request_id, 'cli-request');
});

test('no companion, or something else, at the URL is distinguished from a failing one', async (t) => {
  const front = await startHttpFront();
  const { url } = front;
  const elsewhere = await new CliProcess().run('config', 'get', '--url', `${url}/somewhere`);
  t.is(elsewhere.code, ERRORS.NOT_FOUND.exit);
  await front.close();
  const gone = await new CliProcess().run('config', 'get', '--url', url);
  t.is(gone.code, 6);
  t.true(gone.stderr.includes('COMPANION_UNREACHABLE'));
  t.is((await new CliProcess().run('config', 'get', '--url', 'localhost:3000')).code, 2);
});

test('bad input is refused with the field and exit code 2', async (t) => {
  const cli = new CliProcess();
  for (const [line, code, field] of [
    [['config', 'theme', 'purple'], 'INVALID_THEME', 'theme'],
    [['sync', '--start-height', 'soon'], 'INVALID_REQUEST', 'start_height'],
    [['sync', '--start-height', '6', '--end-height', '5'], 'INVALID_RANGE', 'start_height'],
    [['config', 'node-url', 'ftp://x'], 'INVALID_URL', 'url'],
  ] as const) {
    const { code: exit, stdout } = await cli.run(...line, '--json');
    const problem = JSON.parse(stdout) as Problem;
    t.is(exit, 2);
    t.is(problem.code, code);
    t.is(problem.errors?.[0]?.path, field);
  }
});

test('what is not a command is exit code 2, with a problem when JSON was asked for', async (t) => {
  for (const line of [
    [],
    ['nope'],
    ['wallet'],
    ['wallet', 'nope'],
    ['sync', 'nope'],
    ['config', 'theme'],
    ['balance', '--nope'],
  ]) {
    const words = await new CliProcess().run(...line);
    t.is(words.code, 2, line.join(' '));
    t.not(words.stderr, '');
    const json = await new CliProcess().run(...line, '--json');
    t.is(json.code, 2);
    t.is((JSON.parse(json.stdout) as Problem).code, 'INVALID_REQUEST');
  }
});

test('a secret is never taken from an argument', async (t) => {
  for (const line of [
    ['wallet', 'unlock', '--password', 'hunter2'],
    ['wallet', 'unlock', 'hunter2'],
    ['wallet', 'restore', '--mnemonic', 'hunter2'],
    ['wallet', 'restore', '--bip39-passphrase', 'hunter2'],
    ['wallet', 'change-password', '--new-password', 'hunter2'],
  ]) {
    const cli = new CliProcess();
    t.is((await cli.run(...line)).code, 2);
    t.is(cli.link.calls.length, 0);
  }
});

test('--version and --help are not failures', async (t) => {
  t.deepEqual(await new CliProcess().run('--version'), { code: 0, stdout: '1.2.3\n', stderr: '' });
  const help = await new CliProcess().run('--help');
  t.is(help.code, 0);
  t.true(help.stdout.includes('serve'));
});

test('the flags of the folders, the network and the cookie go to the call that opens the companion', async (t) => {
  const cli = new CliProcess();
  await cli.run(
    '--config-dir',
    'c',
    'config',
    'get',
    '--data-dir',
    'd',
    '--network',
    'regtest',
    '--node-cookie-file',
    'k',
  );
  t.deepEqual(cli.opened, [{ configDir: 'c', dataDir: 'd', network: 'regtest', nodeCookieFile: 'k' }]);
  t.is((await cli.run('config', 'get', '--network', 'moon')).code, 2);
});

test('a companion of another network than --network says does nothing', async (t) => {
  const cli = new CliProcess();
  t.is((await cli.run('config', 'theme', 'dark', '--network', 'main')).code, 0);
  const refused = await cli.run('config', 'theme', 'light', '--network', 'regtest', '--json');
  t.is(refused.code, 5);
  t.is(JSON.parse(refused.stdout).code, 'NETWORK_MISMATCH');
  t.deepEqual(
    cli.link.calls.filter(({ name }) => name === 'config.theme').map(({ input }) => input),
    [{ theme: 'dark' }],
  );
});

test('an empty secret file is an empty password', async (t) => {
  const file = secretFile(temporaryFolder(t), 'password', '');
  const { code, stdout } = await new CliProcess().run('wallet', 'unlock', '--password-file', file, '--json');
  t.is(code, 2);
  t.is((JSON.parse(stdout) as Problem).code, 'INVALID_PASSWORD_FORMAT');
});

test('unlock in a process of its own says that nothing stays open, and what to do instead', async (t) => {
  const password = secretFile(temporaryFolder(t), 'password', 'hunter2');
  const cli = new CliProcess({ terminal: true, columns: 60 });
  cli.endsHere = true;
  const alone = await cli.run('wallet', 'unlock', '--password-file', password);
  t.is(alone.code, 0);
  t.regex(
    alone.stdout.replaceAll('\n', ' '),
    /nothing stays open.*"wallet-companion serve".*--password-file/,
  );
  t.notRegex(alone.stdout, /expires at|unlocked +yes/);
  t.true(alone.stdout.split('\n').every((line) => line.length <= 60));
  const json = await cli.run('wallet', 'unlock', '--password-file', password, '--json');
  t.deepEqual(JSON.parse(json.stdout), examples['wallet.unlock'].output);
  cli.endsHere = false;
  const through = await cli.run('wallet', 'unlock', '--password-file', password);
  t.regex(through.stdout, /^unlocked +yes$/m);
});

test('a wallet that a process of its own restored is not called unlocked', async (t) => {
  const folder = temporaryFolder(t);
  const password = secretFile(folder, 'password', 'hunter2');
  const phrase = secretFile(folder, 'phrase', 'abandon about');
  const words = ['wallet', 'restore', '--password-file', password, '--mnemonic-file', phrase];
  const cli = new CliProcess();
  cli.endsHere = true;
  const { stdout } = await cli.run(...words);
  t.regex(stdout, /^birthday height +/m);
  t.notRegex(stdout, /unlocked/);
  t.deepEqual(JSON.parse((await cli.run(...words, '--json')).stdout), examples['wallet.restore'].output);
  cli.endsHere = false;
  t.regex((await cli.run(...words)).stdout, /^unlocked +yes$/m);
});

test('without a terminal, a locked wallet names the flags for its password', async (t) => {
  const cli = new CliProcess();
  const locked = { code: 'WALLET_LOCKED', detail: 'The wallet is locked. Unlock it first.' } as const;
  cli.link.failWith('balance.get', locked);
  const { code, stderr } = await cli.run('balance');
  t.is(code, 3);
  t.regex(stderr, /--password-file or --password-fd/);
  const json = await cli.run('balance', '--json');
  t.is((JSON.parse(json.stdout) as Problem).detail, locked.detail, 'as over HTTP');
});

test('help says of every command and every group what it does', async (t) => {
  const { stdout } = await new CliProcess().run('--help');
  t.regex(stdout, /^ {2}labels {2,}\w/m);
  t.notRegex(stdout, /^ {2}[a-z-]+(?: \[options\])?$/m);
});
