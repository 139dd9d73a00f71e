// Guessing through commands, each in a process of its own as far as the companion can tell: a connection to the private
// socket each.
import path from 'node:path';
import test from 'ava';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { serveSocket } from '../../src/ipc/socketServer.ts';
import type { Link } from '../../src/protocol/link.ts';
import { CliProcess, secretFile, temporaryFolder } from '../helpers/cliProcess.ts';
import { startHttpFront } from '../helpers/httpFront.ts';
import { countOpenings, PASSWORD, startWallet } from '../helpers/walletHarness.ts';

const WALLET = { mnemonic: `${'abandon '.repeat(11)}about`, password: PASSWORD, birthday_height: 1000 };
/** The longest that a wrong password of somebody else can make the owner wait. */
const LONGEST_WAIT_MS = 5_000;

test('forty wrong passwords at once derive one key at a time, end with exit code 3, and keep the owner waiting for the decided time at most', async (t) => {
  const { openings, watchOpen } = countOpenings();
  const config = { network: 'regtest', node_url: 'http://127.0.0.1:9' } as const;
  const wallet = await startWallet(t, { config, watchOpen });
  await wallet.call('wallet.restore', WALLET);
  await wallet.call('wallet.lock');
  const file = socketPath(wallet.folder);
  t.is(path.dirname(file), wallet.folder);
  const serving = await serveSocket({ link: wallet.link, path: file, requestId: () => 'x' });
  t.teardown(() => serving.close());
  const password = secretFile(temporaryFolder(t), 'password', 'wrong');
  const throughSocket = async (...words: string[]) => {
    const behind = createSocketLink(file);
    try {
      return await new CliProcess({ behind }).run(...words);
    } finally {
      behind.close();
    }
  };
  const ends = await Promise.all(
    Array.from({ length: 40 }, () => throughSocket('wallet', 'unlock', '--password-file', password)),
  );
  t.true(ends.every(({ code, stdout }) => code === 3 && stdout === ''));
  const sentences = ends.map(({ stderr }) => stderr);
  const wrong = 'error: The password is wrong. Check it and try again. (WRONG_PASSWORD)\n';
  const wait = 'error: Wait 1 s before the next password attempt. (TOO_MANY_ATTEMPTS)\n';
  t.is(sentences.filter((sentence) => sentence === wrong).length, 3);
  t.is(sentences.filter((sentence) => sentence === wait).length, 37);
  t.deepEqual(openings, { derivations: 3, most: 1 });

  // Guesses that go on for as long as they like, whenever they are let in.
  for (let round = 0; round < 6; round += 1) {
    wallet.clock.advance(LONGEST_WAIT_MS);
    t.is((await throughSocket('wallet', 'unlock', '--password-file', password)).stderr, wrong);
  }
  const owner = async () => {
    const behind = createSocketLink(file);
    const cli = new CliProcess({ terminal: true, behind });
    cli.type(`${PASSWORD}\r`);
    const end = await cli.run('wallet', 'unlock');
    behind.close();
    return end;
  };
  const refused = await owner();
  t.is(refused.code, 3);
  t.true(refused.stderr.includes('Wait 5 s before the next password attempt.'));
  wallet.clock.advance(LONGEST_WAIT_MS);
  t.is((await owner()).code, 0);
  t.true((await wallet.call('wallet.status')).unlocked);
});

test('who guesses over HTTP keeps the command line and the dashboard waiting for nothing', async (t) => {
  const config = { network: 'regtest', node_url: 'http://127.0.0.1:9' } as const;
  const wallet = await startWallet(t, { config });
  await wallet.call('wallet.restore', WALLET);
  await wallet.call('wallet.lock');
  const front = await startHttpFront({ behind: wallet.link });
  t.teardown(() => front.close());
  const file = socketPath(wallet.folder);
  // As `serve` has it.
  const link: Link = {
    ...wallet.link,
    dispatch: (name, input, context) => wallet.link.dispatch(name, input, { ...context, byOwner: true }),
  };
  const serving = await serveSocket({ link, path: file, requestId: () => 'x' });
  t.teardown(() => serving.close());
  const unlock = async (password: string, headers = {}) =>
    (await front.post('/api/wallet/unlock', { password }, headers)).status;
  for (const status of [401, 401, 401, 429]) t.is(await unlock('wrong'), status);
  t.is(await unlock(PASSWORD), 429);
  t.is(await unlock(PASSWORD, { origin: front.url }), 200, 'the page that the companion serves itself');
  await wallet.call('wallet.lock');
  const behind = createSocketLink(file);
  const password = secretFile(temporaryFolder(t), 'password', PASSWORD);
  const { code } = await new CliProcess({ behind }).run('wallet', 'unlock', '--password-file', password);
  behind.close();
  t.is(code, 0);
  t.is(await unlock(PASSWORD), 429);
});
