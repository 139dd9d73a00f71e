// `signer`: a process that has the phrase and signs payments within its policy, for a companion that has none.

import type { Command } from 'commander';
import type { SignerAction, SignerCall } from './cliEnvironment.ts';

type Options = Readonly<Record<string, string | true | undefined>>;

export function addSigner(
  group: Command,
  run: (call: SignerCall) => Promise<void>,
  where: () => Omit<SignerCall, 'kind' | 'folder'>,
): void {
  const add = (name: string, summary: string, actionOf: (options: Options) => SignerAction): Command =>
    group
      .command(name)
      .description(summary)
      .option('--signer-dir <dir>', 'its own folder (default: beside the data directory, with -signer)')
      .action((...given: readonly unknown[]) => {
        const options = given.at(-2) as Options;
        const txid = typeof given[0] === 'string' ? { txid: given[0] } : {};
        const action = { ...actionOf(options), ...txid } as SignerAction;
        return run({ ...action, ...where(), folder: textIn(options['signerDir']) });
      });
  const socket = (options: Options) => ({ socket: textIn(options['socket']) });
  add(
    'init',
    'Make a signer with a phrase and a password of its own; its first policy signs nothing',
    (options) => ({
      kind: 'init',
      mnemonic: { file: textIn(options['mnemonicFile']) },
      bip39Passphrase: { file: textIn(options['bip39PassphraseFile']) },
      fromWallet: options['fromWallet'] === true,
      walletPassword: { file: textIn(options['walletPasswordFile']) },
    }),
  )
    .option('--mnemonic-file <file>', 'recovery phrase, from a file')
    .option('--bip39-passphrase-file <file>', 'BIP-39 passphrase, from the first line of a file')
    .option('--from-wallet', "take the phrase of the companion's wallet")
    .option('--wallet-password-file <file>', "with --from-wallet: that wallet's password, from a file");
  add('policy', 'Show what it may sign, or change that; not while it runs', (options) => ({
    kind: 'policy',
    from: textIn(options['from']),
  })).option('--from <file>', 'take the policy from this JSON file');
  add('run', 'Sign for the companion whose config.json names its socket, until told to end', (options) => ({
    kind: 'run',
    ...socket(options),
    group: textIn(options['socketGroup']),
  }))
    .option('--socket <path>', 'where it listens (default: signer.sock in its folder)')
    .option('--socket-group <name>', 'a group whose users may connect as well');
  add('log', 'What it signed in 30 days, what waits, and what it refused last', () => ({ kind: 'log' }));
  add('cancel', 'Never sign a payment that waits for its delay or for a yes', (options) => ({
    kind: 'cancel',
    txid: '',
    ...socket(options),
  }))
    .argument('<txid>')
    .option('--socket <path>', 'where the signer listens');
}

const textIn = (value: string | true | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
