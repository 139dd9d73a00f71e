// `setup` as a command: each of its questions has a flag, so that a script can answer them all.

import { DEFAULT_PORT } from '@wallet-companion/client/contract';
import type { Command } from 'commander';
import { CompanionError } from '../protocol/errors.ts';
import type { AnonymousAccess } from '../protocol/grants.ts';
import { accessLevel, wholeNumber } from './flags.ts';
import type { Target } from './openedLink.ts';
import type { SecretSource } from './secrets.ts';

export type WalletKind = 'create' | 'restore' | 'watch';

export type SetupSecret = 'password' | 'mnemonic' | 'bip39_passphrase' | 'viewing_key';

/** The options of the root command. */
export interface SetupPlace extends Target {
  readonly json: boolean;
  readonly wallet: string | undefined;
  readonly password: SecretSource;
}

/** Undefined: asked for, or left as it is where nobody can be asked. */
export interface SetupCall extends SetupPlace {
  readonly yes: boolean;
  readonly nodeUrl: string | undefined;
  readonly compactServerUrl: string | undefined;
  /** Blocks come from peers of the network. */
  readonly peers: boolean;
  readonly kind: WalletKind | undefined;
  readonly secrets: Readonly<Record<SetupSecret, SecretSource>>;
  /** A device's accounts. */
  readonly scan: string | undefined;
  /** Fields of the operation that makes the wallet, still as text. */
  readonly text: readonly (readonly [string, string])[];
  readonly follow: boolean | undefined;
  readonly service: boolean | undefined;
  /** For a service. */
  readonly anonymousAccess: AnonymousAccess | undefined;
  readonly serve: boolean | undefined;
  readonly port: number;
}

type Options = Readonly<Record<string, string | boolean | undefined>>;

const MAX_PORT = 65_535;

export function addSetup(
  root: Command,
  run: (call: SetupCall) => Promise<void>,
  where: () => SetupPlace,
): void {
  root
    .command('setup')
    .description('Ask what the first start needs: where blocks come from, the wallet, follow mode, a service')
    .option('--compact-server-url <url>', 'read blocks from this compact-block server, if it answers')
    .option('--node-url <url>', 'read blocks from this node, if it answers')
    .option('--peers', 'read blocks from peers of the network: no server, no node')
    .option('--create', 'make a new wallet')
    .option('--word-count <number>', 'words in its recovery phrase: 12, or 24 (default)')
    .option('--mnemonic-file <file>', 'restore a wallet from the recovery phrase in a file')
    .option('--bip39-passphrase-file <file>', "the phrase's BIP-39 passphrase, from the first line of a file")
    .option('--viewing-key-file <file>', 'watch with the viewing key in a file')
    .option(
      '--scan <file>',
      "watch an account of a device: its QR codes' text, a picture, or a folder of pictures",
    )
    .option('--account-index <number>', 'which account of the device')
    .option('--birthday <text>', 'date before which the wallet held nothing: 2021, 2021-06 or 2021-06-15')
    .option('--birthday-height <number>', 'block height below which the wallet held nothing')
    .option('--follow', 'scan new blocks as they come while the wallet is open')
    .option('--no-follow', 'scan when asked to')
    .option('--service', 'have systemd run it from now on, with --password-file unlocked')
    .option('--no-service', 'set up no service')
    .option(
      '--anonymous-access <level>',
      'what callers over HTTP may do without a grant, for a service: full, read or none (recommended)',
    )
    .option('--serve', 'serve at the end, until Ctrl-C')
    .option('--no-serve', 'end when all is set up')
    .option('--port <number>', 'port of the service or of serve', String(DEFAULT_PORT))
    .option('--yes', 'ask nothing, on a terminal too; what no flag tells stays as it is')
    .action((options: Options) => run(setupCall(options, where())));
}

function setupCall(options: Options, place: SetupPlace): SetupCall {
  const text = (key: string): string | undefined => {
    const value = options[key];
    return typeof value === 'string' ? value : undefined;
  };
  const choice = (key: string): boolean | undefined => options[key] as boolean | undefined;
  const file = (key: string): SecretSource => ({ file: text(key) });
  const given = (field: string, key: string): [string, string][] => {
    const value = text(key);
    return value === undefined ? [] : [[field, value]];
  };
  return {
    ...place,
    yes: options['yes'] === true,
    nodeUrl: text('nodeUrl'),
    compactServerUrl: text('compactServerUrl'),
    peers: options['peers'] === true,
    kind: kindOf(options),
    secrets: {
      password: place.password,
      mnemonic: file('mnemonicFile'),
      bip39_passphrase: file('bip39PassphraseFile'),
      viewing_key: file('viewingKeyFile'),
    },
    scan: text('scan'),
    text: [
      ...given('word_count', 'wordCount'),
      ...given('birthday', 'birthday'),
      ...given('birthday_height', 'birthdayHeight'),
      ...given('account_index', 'accountIndex'),
    ],
    follow: choice('follow'),
    service: choice('service'),
    anonymousAccess: accessLevel(options['anonymousAccess']),
    serve: choice('serve'),
    port: wholeNumber('port', text('port'), 0, MAX_PORT),
  };
}

function kindOf({ create, mnemonicFile, viewingKeyFile, scan }: Options): WalletKind | undefined {
  const flags = [
    ['create', create],
    ['restore', mnemonicFile],
    ['watch', viewingKeyFile],
    ['watch', scan],
  ] as const;
  const [given, another] = flags.filter(([, flag]) => flag !== undefined);
  if (another === undefined) return given?.[0];
  throw new CompanionError(
    'INVALID_REQUEST',
    'Give one of --create, --mnemonic-file, --viewing-key-file and --scan: a setup makes one wallet.',
  );
}
