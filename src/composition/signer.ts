// `signer ...`: an allowance signer in this process, from its folder and its password to the signal that ends it.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { systemAfter, systemClocks } from '@wallet-companion/base/async';
import { wipe } from '@wallet-companion/base/bytes';
import { timeText } from '@wallet-companion/base/values';
import { errnoOf } from '@wallet-companion/disk/files';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import { networkParameters } from '@wallet-companion/zcash/network';
import type { OpenWallet, WalletSecrets } from '../actors/wallet/ports/walletFile.ts';
import { draftFromPhrase, utf8, validMnemonic } from '../actors/wallet/session/walletDraft.ts';
import { AllowanceSigner } from '../allowance/allowanceSigner.ts';
import { Confirmations } from '../allowance/confirmations.ts';
import { Journal } from '../allowance/journal.ts';
import { type Policy, policySchema, receiversOf } from '../allowance/policy.ts';
import { answerRequest, type Report } from '../allowance/requests.ts';
import { serveSigner } from '../allowance/signerSocket.ts';
import { SignerStore } from '../allowance/signerStore.ts';
import { logText, logView } from '../allowance/signerText.ts';
import { SteadyClock } from '../allowance/steadyClock.ts';
import type { SignerAction, SignerCall } from '../cli/cliEnvironment.ts';
import { isSecretGiven, readSecret, readSecretLine, type SecretSource } from '../cli/secrets.ts';
import { badField, CompanionError } from '../protocol/errors.ts';
import { askSigner } from '../service/programs/askSigner.ts';
import { createDataDirectory, tidyDirectories } from '../storage/files/directories.ts';
import { walletFolder } from '../storage/files/walletFolders.ts';
import { createWalletFile } from '../storage/wallet/walletFile.ts';
import { LineWriter } from '../terminal/lineWriter.ts';
import { Prompt } from '../terminal/prompt.ts';
import type { Terminal, TerminalOutput } from '../terminal/streams.ts';
import { seedOf } from '../workers/paymentSigner.ts';
import { directoriesFor } from './directories.ts';
import { endRequested } from './stopping.ts';

const SOCKET_FILE = 'signer.sock';

type Streams = Terminal & { readonly stdout: TerminalOutput };
type Of<K extends SignerAction['kind']> = SignerCall & { readonly kind: K };

export async function signer(call: SignerCall, streams: Streams): Promise<number> {
  const folder = path.resolve(call.folder ?? `${directoriesFor(call.local).dataDir}-signer`);
  switch (call.kind) {
    case 'init':
      return init(call, folder, streams);
    case 'policy':
      return policy(call, folder, streams);
    case 'run':
      return run(call, folder, streams);
    case 'log':
      return log(call, folder, streams);
    case 'cancel':
      return cancel(call, folder, streams);
  }
}

async function init(call: Of<'init'>, folder: string, streams: Streams): Promise<number> {
  createDataDirectory(folder);
  return whileLocked(folder, async () => {
    const file = createWalletFile({ dataDir: folder, randomBytes });
    if (file.exists())
      throw new CompanionError('WALLET_EXISTS', 'There is a signer, or a wallet, in this folder already.');
    const { header, secrets } = call.fromWallet
      ? await fromWallet(call, streams)
      : await fromPhrase(call, streams);
    const password = await passwordOf('password', call.password, streams, true);
    try {
      const made = await file.create(header, secrets, { accounts: [], nextDiversifierIndex: {} }, password);
      await storeOf(folder, made).create();
    } finally {
      wipe(password, secrets.mnemonic ?? undefined, secrets.bip39Passphrase);
    }
    streams.stdout.write(
      `Made a signer in ${folder}. It signs nothing yet: write its policy ("signer policy" shows the form), then "signer run".\n`,
    );
    return 0;
  });
}

async function fromPhrase({ mnemonic, bip39Passphrase, local }: Of<'init'>, streams: Streams) {
  const prompt = new Prompt(streams);
  const phrase = {
    mnemonic: validMnemonic(await readSecret('mnemonic', mnemonic, prompt, false)),
    passphrase: isSecretGiven(bip39Passphrase)
      ? await readSecret('bip39_passphrase', bip39Passphrase, prompt, false)
      : '',
    isNew: true,
  };
  return draftFromPhrase(phrase, networkParameters(local.network ?? 'main'), 0, systemClocks);
}

async function fromWallet({ local, wallet, walletPassword }: Of<'init'>, streams: Streams) {
  const dataDir = walletFolder(directoriesFor(local).dataDir, wallet ?? 'default');
  const file = createWalletFile({ dataDir, randomBytes });
  const header = file.header();
  if (header === undefined)
    throw new CompanionError('NO_WALLET', 'There is no wallet to take the phrase of.');
  streams.stderr.write('First the password of the wallet, then a new one for the signer.\n');
  const password = await passwordOf('password', walletPassword, streams, false);
  try {
    return await file.withSecrets(password, (secrets) => {
      seedOf(secrets).fill(0);
      return { header, secrets: copyOf(secrets) };
    });
  } finally {
    wipe(password);
  }
}

const copyOf = ({ mnemonic, bip39Passphrase }: WalletSecrets): WalletSecrets => ({
  mnemonic: mnemonic && Uint8Array.from(mnemonic),
  bip39Passphrase: Uint8Array.from(bip39Passphrase),
});

async function policy(call: Of<'policy'>, folder: string, streams: Streams): Promise<number> {
  const { from } = call;
  const show = (shown: Policy): number => {
    streams.stdout.write(`${JSON.stringify(shown, undefined, 2)}\n`);
    return 0;
  };
  if (from === undefined) return show((await opened(call, folder, streams)).store.read().policy);
  return whileLocked(folder, async () => {
    const { store, params } = await opened(call, folder, streams);
    const next = policyIn(from);
    receiversOf(next, params);
    store.read();
    await store.storePolicy(next);
    return show(next);
  });
}

function policyIn(file: string): Policy {
  let json: unknown;
  try {
    json = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (cause) {
    const why = errnoOf(cause) === undefined ? 'is not JSON' : 'cannot be read';
    throw badField('from', why, `The file of the policy ${why}.`);
  }
  const read = policySchema.safeParse(json);
  if (read.success) return read.data;
  const [{ path: at, message }] = read.error.issues as [(typeof read.error.issues)[0]];
  throw badField(at.join('.') || 'from', message, `The policy is not valid: ${at.join('.')} ${message}.`);
}

async function run(call: Of<'run'>, folder: string, streams: Streams): Promise<number> {
  return whileLocked(folder, async () => {
    tidyDirectories({ configDir: folder, dataDir: folder });
    const { store, params, seed } = await opened(call, folder, streams);
    const { policy: now, journal: state } = store.read();
    await store.catchUp();
    if (now.confirm !== null && streams.stdin.isTTY !== true)
      throw new CompanionError(
        'INVALID_REQUEST',
        'The policy wants a yes for payments, and there is no terminal to ask on. Run the signer at a terminal, or take "confirm" out of the policy.',
      );
    const lines = new LineWriter(streams.stderr);
    const report: Report = (event, fields = {}) =>
      lines.write(`${JSON.stringify({ time: timeText(Date.now()), event, ...fields })}\n`);
    const journal = new Journal(state, (next) => store.storeJournal(next));
    const clock = new SteadyClock(systemClocks, state.at);
    let ask: Confirmations['ask'] = () => {};
    const signing = new AllowanceSigner({
      ...{
        seed,
        params,
        policy: now,
        journal,
        randomBytes: (length) => Uint8Array.from(randomBytes(length)),
      },
      clock,
      onUnconfirmed: (payment) => ask(payment),
    });
    wipe(seed);
    const { confirm } = now;
    if (confirm !== null) {
      const confirmations = new Confirmations(streams, signing);
      ask = (payment) => confirmations.ask(payment);
      for (const payment of state.payments)
        if (payment.state === 'waiting' && payment.total > confirm.above_zatoshi) ask(payment);
    }
    const endReason = endRequested();
    const socket = path.resolve(call.socket ?? path.join(folder, SOCKET_FILE));
    const group = call.group === undefined ? undefined : groupNumber(call.group);
    const stop = await serveSigner({
      path: socket,
      group,
      answer: (request) => answerRequest(signing, request, report),
      after: systemAfter,
    });
    new LineWriter(streams.stdout).write(`The signer listens on ${socket}\n`);
    await endReason;
    stop();
    signing.close();
    store.close();
    streams.stdin.pause();
    return 0;
  });
}

async function log(call: Of<'log'>, folder: string, streams: Streams): Promise<number> {
  const { store } = await opened(call, folder, streams);
  const { journal, policy: now } = store.read();
  const view = logView(journal, now, Date.now());
  streams.stdout.write(call.json ? `${JSON.stringify(view)}\n` : logText(view));
  return 0;
}

async function cancel({ txid, socket }: Of<'cancel'>, folder: string, streams: Streams): Promise<number> {
  const file = path.resolve(socket ?? path.join(folder, SOCKET_FILE));
  const answer = await askSigner(file, utf8(JSON.stringify({ cancel: txid })), new AbortController().signal);
  const { failed } = JSON.parse(new TextDecoder().decode(answer)) as { failed?: string };
  if (failed !== undefined) throw new CompanionError('NOT_FOUND', failed);
  streams.stdout.write(`The signer never signs ${txid}.\n`);
  return 0;
}

/** The caller wipes the seed. */
async function opened({ password: source }: SignerCall, folder: string, streams: Streams) {
  const file = createWalletFile({ dataDir: folder, randomBytes });
  const header = file.header();
  if (header === undefined)
    throw new CompanionError('NO_WALLET', 'There is no signer in this folder. Make one with "signer init".');
  const password = await passwordOf('password', source, streams, false);
  try {
    const store = storeOf(folder, await file.open(password));
    const seed = await file.withSecrets(password, seedOf);
    return { store, seed, params: networkParameters(header.network) };
  } finally {
    wipe(password);
  }
}

function storeOf(folder: string, { masterKey }: OpenWallet): SignerStore {
  try {
    return new SignerStore(folder, masterKey, randomBytes);
  } finally {
    wipe(masterKey);
  }
}

async function passwordOf(
  name: string,
  source: SecretSource,
  streams: Streams,
  isNew: boolean,
): Promise<Uint8Array> {
  return isSecretGiven(source)
    ? readSecretLine(name, source)
    : utf8(await readSecret(name, source, new Prompt(streams), isNew));
}

async function whileLocked(folder: string, act: () => Promise<number>): Promise<number> {
  if (!fs.existsSync(folder))
    throw new CompanionError('NO_WALLET', 'There is no signer in this folder. Make one with "signer init".');
  const lock = await acquireDirectoryLock(folder);
  if (lock.state === 'held')
    throw new CompanionError('BUSY', 'The signer of this folder is running. Stop it first.');
  try {
    return await act();
  } finally {
    lock.release();
  }
}

/** Node knows no groups by name. */
function groupNumber(name: string): number {
  if (/^\d{1,9}$/.test(name)) return Number(name);
  const lines = fs.readFileSync('/etc/group', 'utf8').split('\n');
  const [, , number] = lines.map((line) => line.split(':')).find(([known]) => known === name) ?? [];
  if (number === undefined) throw badField('socket-group', 'is not a group of this machine');
  return Number(number);
}
