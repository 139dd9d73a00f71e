// The commands that people are told to type next carry the options that say where, and one that is typed as it stands
// is about the same wallet.

import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { eventText } from '../../src/cli/eventText.ts';
import { showCommand } from '../../src/cli/shownCommand.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { failure, ok } from '../../src/protocol/result.ts';
import { CliProcess, secretFile, temporaryFolder } from '../helpers/cliProcess.ts';
import { until } from '../helpers/until.ts';

const WHERE = ['--wallet', 'savings', '--data-dir', "/tmp/a b's", '--config-dir', '/tmp/c'];
const FLAGS = "--wallet savings --config-dir /tmp/c --data-dir '/tmp/a b'\\''s'";

test('a payment says what is next for the wallet and the folders that were named', async (t) => {
  const cli = new CliProcess();
  const example = examples['payments.get'].output;
  const id = example.payment_id;
  cli.link.answerWith('payments.get', () => ok({ ...example, status: 'prepared' }));
  const { stdout } = await cli.run('pay', 'show', id, ...WHERE);
  const commands = [...stdout.matchAll(/wallet-companion .*$/gm)].map(([command]) => command);
  t.true(commands.includes(`wallet-companion pay discard ${id} ${FLAGS}`));
  for (const command of commands) t.true(command.endsWith(` ${FLAGS}`), command);
  // Without them it is as short as it was.
  const plain = await cli.run('pay', 'show', id);
  t.regex(plain.stdout, new RegExp(`wallet-companion pay discard ${id}$`, 'm'));
});

test('a payment that goes through a URL is next taken there', async (t) => {
  const cli = new CliProcess();
  const url = 'http://127.0.0.1:1';
  t.is(showCommand({ url })('pay list'), `wallet-companion pay list --url ${url}`);
  const { stderr, code } = await cli.run('pay', 'list', '--url', url, '--data-dir', '/tmp/d');
  t.not(code, 0);
  t.regex(stderr, /"wallet-companion serve --data-dir \/tmp\/d"/);
});

test('a companion that is to be started gets the folders, and no wallet', async (t) => {
  const cli = new CliProcess();
  cli.endsHere = true;
  const password = secretFile(temporaryFolder(t), 'password', 'hunter2');
  const unlocked = await cli.run('wallet', 'unlock', '--password-file', password, ...WHERE);
  t.regex(unlocked.stdout, /"wallet-companion serve --config-dir \/tmp\/c --data-dir '\/tmp\/a b'\\''s'"/);
  const log = await cli.run('log', '--data-dir', '/tmp/d');
  t.regex(log.stderr, /"wallet-companion serve --data-dir \/tmp\/d"/);
  t.true(log.code !== 0);
});

test('what is shown as it happens names the wallet, too', async (t) => {
  const cli = new CliProcess();
  const running = cli.run('watch', ...WHERE);
  await until(() => cli.link.subscriptions !== 0);
  cli.link.emit({ event: 'pairing.changed', data: { requests: [{}] } } as never, 'savings');
  cli.interrupt();
  const { stdout } = await running;
  const missed = eventText({ event: 'events.missed', data: {} }, showCommand({ wallet: 'savings' }));
  t.true(missed?.endsWith('see "wallet-companion transactions --wallet savings"'), missed);
  // Extensions are let in to all wallets, and the command refuses a name.
  t.true(stdout.includes(`"wallet-companion pair ${FLAGS.replace('--wallet savings ', '')}"`), stdout);
});

test('programs get the failure as HTTP has it', async (t) => {
  const cli = new CliProcess();
  cli.link.answerWith('payments.list', () =>
    failure(new CompanionError('BUSY', 'Try "wallet-companion pay list" later.')),
  );
  const asJson = await cli.run('pay', 'list', '--json', ...WHERE);
  t.is(JSON.parse(asJson.stdout).detail, 'Try "wallet-companion pay list" later.');
  const asText = await cli.run('pay', 'list', ...WHERE);
  t.true(asText.stderr.includes(`Try "wallet-companion pay list ${FLAGS}" later.`));
});
