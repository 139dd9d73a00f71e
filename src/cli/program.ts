// The operation table as a command line. Options for the target and the output belong to the root, and may come before
// or after the command's words; an operation's own fields are flags of its command.

import { checkedWallet, recipientIn } from '@wallet-companion/client/contract';
import { Command } from 'commander';
import { argumentName, ON_OFF } from '../protocol/argumentName.ts';
import { CompanionError } from '../protocol/errors.ts';
import { COMMANDS, type FieldShape } from '../protocol/generated/commands.ts';
import { NETWORKS, type Network } from '../protocol/network.ts';
import type { OperationName } from '../protocol/operations.ts';
import { SECRET_FIELDS } from '../protocol/secretFields.ts';
import { inputFields } from '../protocol/textInput.ts';
import { addBackup, type BackupCall } from './backupCommand.ts';
import type { LocalOptions, ScanWorkerOptions, SignerCall } from './cliEnvironment.ts';

import { completionScript, SHELLS } from './completion.ts';
import { addFile, badFlag } from './flags.ts';
import { addLiveCommands, type LiveActions } from './liveCommands.ts';
import { type LocalSettings, SETTING_COMMANDS, type SettingCommand } from './localSettings.ts';
import type { OutputFile } from './outputFile.ts';
import { addPay, type PayCall } from './payCommand.ts';
import { addScanWorker } from './scanWorkerCommand.ts';
import type { SecretSource } from './secrets.ts';
import { addBridge, addServe, addService, type ServeActions, type Whole } from './serveCommand.ts';
import { addSetup, type SetupCall } from './setupCommand.ts';
import { addSigner } from './signerCommand.ts';

/** What the text of an answer depends on, beside the answer. */
export interface ShownCall {
  readonly name: OperationName;
  readonly json: boolean;
  /** The URL of a running companion that receives the call. */
  readonly url: string | undefined;
  /** The name as the user typed it. */
  readonly wallet: string | undefined;
  readonly local: LocalOptions;
}

export interface OperationCall extends ShownCall {
  /** Fields from arguments and flags, still as text. */
  readonly text: readonly (readonly [string, string])[];
  readonly secrets: ReadonlyMap<string, SecretSource>;
  /** `sync` only: repeat until caught up. */
  readonly toTip: boolean;
  /** With `toTip`: scan in the order of heights. */
  readonly oldestFirst: boolean;
  /** For answers that can be files. */
  readonly output: OutputFile | undefined;
  /** `pay prepare` only: a CSV file with recipients. */
  readonly recipientsFile: string | undefined;
  /** `pay pczt` only: show QR codes on the screen. */
  readonly qr: boolean;
  /** Files with the QR codes of a device, for commands that take an account from them. */
  readonly scan: readonly string[];
}

export interface SettingCall {
  readonly change: (now: LocalSettings) => Partial<LocalSettings>;
  readonly json: boolean;
  readonly url: string | undefined;
  readonly local: LocalOptions;
}

export interface Actions extends LiveActions, ServeActions {
  /** `wallet` as the user typed it. */
  desktop(options: LocalOptions, password: SecretSource, wallet: string | undefined): Promise<void>;
  scanWorker(options: ScanWorkerOptions): Promise<void>;
  signer(call: SignerCall): Promise<void>;
  setup(call: SetupCall): Promise<void>;
  pay(call: PayCall): Promise<void>;
  backup(call: BackupCall): Promise<void>;
  operate(call: OperationCall): Promise<void>;
  set(call: SettingCall): Promise<void>;
  print(text: string): void;
}

interface RootOptions {
  readonly json?: true;
  readonly url?: string;
  readonly configDir?: string;
  readonly dataDir?: string;
  readonly network?: string;
  readonly nodeCookieFile?: string;
  readonly wallet?: string;
}

type CommandOptions = Readonly<Record<string, string | boolean | undefined>>;

type OperationOptions = CommandOptions & { readonly scan?: readonly string[] };

/** Fields that can also be read from a file descriptor (`-fd`). Phrases cannot: they come from paper or a file. */
const DESCRIPTOR_FIELDS: readonly string[] = ['password', 'new_password'];

/** Descriptions of words that are groups rather than operations. */
const GROUPS: Readonly<Record<string, string>> = {
  wallet: 'Make, open and keep the wallet',
  config: 'Read and change the configuration',
  accounts: 'ZIP 32 accounts of the wallet',
  grant: 'What programs and extensions may do',
  labels: 'What you call your addresses',
  contacts: 'Whom you pay, by name',
  invoices: 'Orders to be paid, each with an address of its own',
  till: 'A page left to a cashier, who makes invoices and reaches nothing else',
  day: 'Business days of a shop, each closed with a report',
  prices: 'What ZEC costs in money, by the source of config.json',
  receipt: 'Proofs of what was paid, for who was paid',
  statement: 'What was held, moved and gained in a period',
  service: 'Run unattended, under systemd',
  signer: 'A process of its own that has the phrase and signs within an allowance',
  bridge: "A shop's software, answered in its own words",
  follow: 'New blocks, scanned as they come while the wallet is unlocked',
  pay: 'Pay, step by step: prepared here, signed by others (PCZT), sent. Each step is a command, too',
  'payment-uri': 'Payment requests (ZIP 321), as links and QR codes',
  lwd: 'The compact-block server and the local store of its blocks',
};

const flagOf = (field: string): string => `--${field.replaceAll('_', '-')}`;
/** Where a time is meant: days, with or without their letter. */
const EXPIRES = '--expires';
/** `--wallet`, where a command is about several. */
const WALLETS_FIELD = 'wallets';

/** The member's own name, unless its row gives the flag another one. */
const flagName = (name: OperationName, field: string): string => COMMANDS[name].cli.flags?.[field] ?? field;
const optionKey = (field: string): string =>
  field.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export function buildProgram(version: string, actions: Actions): Command {
  const root = new Command('wallet-companion')
    .description('Local companion for a shielded Zcash wallet')
    .version(version, '-V, --version')
    .option('--json', 'print exactly the HTTP body')
    .option('--url <url>', 'go through the companion that runs there')
    .option('--config-dir <dir>', 'folder of config.json')
    .option('--data-dir <dir>', 'folder of the wallet and its notes')
    .option('--wallet <name>', 'another wallet than the default one; "wallet list" has them all')
    .option('--network <name>', 'main, test or regtest')
    .option('--node-cookie-file <file>', "the node's cookie file, when it asks for authentication")
    .option('--password-file <file>', 'read the wallet password from the first line of a file')
    .option('--password-fd <number>', 'read the wallet password from an open file descriptor')
    .configureHelp({ showGlobalOptions: true });
  const whole: Whole = {
    local: () => defaultWalletOptions(root.opts()),
    password: () => secretSource('password', root.opts()),
  };
  addServe(root, actions, whole);
  const where = () => {
    const { json, url, wallet, ...options }: RootOptions = root.opts();
    return { json: json === true, url, wallet, local: localOptions(options) };
  };
  addLiveCommands(root, actions, where);
  const withPassword = () => ({ ...where(), password: whole.password() });
  addSetup(root, (call) => actions.setup(call), withPassword);
  addBackup(
    root,
    (call) => actions.backup(call),
    () => {
      const { json, url }: RootOptions = root.opts();
      return { json: json === true, url, local: whole.local(), password: whole.password() };
    },
  );
  addPay(
    addFields(descend(root, ['pay']), 'payments.prepare'),
    (call) => actions.pay(call),
    withPassword,
    (options) => textFields('payments.prepare', [], [], options),
  );
  addService(descend(root, ['service']), actions, whole);
  addScanWorker(
    root,
    (options) => actions.scanWorker(options),
    () => localOptions(root.opts()),
  );
  addSigner(descend(root, ['signer']), (call) => actions.signer(call), withPassword);
  addBridge(descend(root, ['bridge']), actions, where);
  root
    .command('desktop')
    .description('Open a window with status, balance and sync; no port is opened (Linux with WebKitGTK)')
    .action(() => {
      const { local, wallet } = where();
      return actions.desktop(local, whole.password(), wallet);
    });
  for (const name of Object.keys(COMMANDS) as OperationName[]) addOperation(root, name, actions);
  for (const setting of SETTING_COMMANDS) addSetting(root, setting, actions);
  addCompletion(root, actions);
  return root;
}

function addOperation(root: Command, name: OperationName, actions: Actions): void {
  const { words, formerly } = COMMANDS[name].cli;
  for (const known of formerly === undefined ? [words] : [words, formerly])
    addCommand(root, name, known, actions);
}

function addCommand(root: Command, name: OperationName, words: readonly string[], actions: Actions): void {
  const { cli, summary } = COMMANDS[name];
  const command = addFields(descend(root, words).description(summary), name);
  const positional = cli.positional ?? [];
  if (cli.file !== undefined) {
    command.option('--output <file>', 'write it to a file, readable by you alone');
    command.option('--force', 'replace the file when it is there');
  }
  if (cli.file === 'pczt' || cli.file === 'batch')
    command.option(
      '--qr',
      'show it as moving QR codes (UR) until Ctrl-C; without a terminal, print their text',
    );
  if (cli.scans === true)
    command.option(
      '--scan <file>',
      'take the account and what signs for it from the QR codes (UR) of a device: their text, one on each line, or a picture (PNG, JPEG) of each; may be given once for each file',
      addFile,
    );
  command.action(async (...given: unknown[]) => {
    const options: OperationOptions = ownOptions(root, command, given[positional.length] as CommandOptions);
    const rootOptions: RootOptions = root.opts();
    const takesWallets = cli.takesWallets === true;
    if (!COMMANDS[name].isOfWallet && !takesWallets) refuseWallet(rootOptions);
    const text = textFields(name, positional, given, options);
    const { wallet } = rootOptions;
    await actions.operate({
      name,
      text: takesWallets && wallet !== undefined ? [...text, [WALLETS_FIELD, wallet]] : text,
      secrets: secretSources(name, root.opts(), options),
      json: rootOptions.json === true,
      url: rootOptions.url,
      wallet: takesWallets ? undefined : wallet,
      local: localOptions(rootOptions),
      toTip: options['toTip'] === true,
      oldestFirst: options['oldestFirst'] === true,
      output: outputFile(options),
      recipientsFile: textOrAbsent(options['recipientsFile']),
      qr: options['qr'] === true,
      scan: options['scan'] ?? [],
    });
  });
}

function addFields(command: Command, name: OperationName): Command {
  const { cli } = COMMANDS[name];
  const positional = cli.positional ?? [];
  const fields = inputFields(name);
  for (const field of fields) {
    const text = helpOf(field);
    const flag = flagOf(flagName(name, field.name));
    if (cli.takesWallets === true && field.name === WALLETS_FIELD) continue;
    if (cli.files?.includes(field.name) === true)
      command.argument(`<${field.name}-file>`, `${text}: a file, bytes or text; - reads standard input`);
    else if (positional.includes(field.name)) command.argument(`<${argumentName(fields, field.name)}>`, text);
    else if (SECRET_FIELDS.includes(field.name)) addSecretOptions(command, field.name, text);
    else if (field.type === 'boolean') command.option(flag, text);
    else if (field.type === 'array' && field.members === undefined)
      command.option(`${flag} <names>`, text, addName);
    else if (flag === EXPIRES) command.option(`${flag} <days>`, `${text}: days, such as 30d`);
    else command.option(`${flag} ${placeholderOf(field)}`, text);
  }
  if (cli.takesRecipient === true)
    command
      .option('--to <recipient>', 'an address, the name of a contact, or a payment request (zcash:)')
      .option(
        '--recipients-file <file>',
        'several, from a CSV file with the columns address or contact, amount, memo',
      );
  if (cli.repeated === true) {
    command
      .option('--to-tip', 'repeat until nothing is left to scan, the newest blocks first')
      .option('--oldest-first', 'with --to-tip: in the order of heights');
  }
  return command;
}

function helpOf({ description, choices, members, type }: FieldShape): string {
  const several = type === 'array' ? '; several with commas' : '';
  const allowed = choices === undefined ? '' : ` (${choices.join(', ')}${several})`;
  const json = members === undefined ? '' : `: JSON, [{"${members[0]!.name}": ...}]`;
  return description + allowed + json;
}

const placeholderOf = ({ type }: FieldShape): string =>
  type === 'integer' ? '<number>' : `<${type === 'string' ? 'text' : type === 'array' ? 'json' : 'value'}>`;

/** A list may be given in one flag or in several. */
const addName = (name: string, before?: string): string =>
  before === undefined ? name : `${before},${name}`;

function addSetting(root: Command, setting: SettingCommand, actions: Actions): void {
  const { word, argument, summary, removeFlag } = setting;
  const command = descend(root, ['config', word]).description(summary);
  command.argument(argument);
  if (removeFlag !== undefined) command.option('--remove', removeFlag);
  command.action(async (given: string | undefined, options: CommandOptions) => {
    const rootOptions: RootOptions = root.opts();
    await actions.set({
      change: (now) => setting.change(given, options['remove'] === true, now),
      json: rootOptions.json === true,
      url: rootOptions.url,
      local: defaultWalletOptions(rootOptions),
    });
  });
}

function addCompletion(root: Command, actions: Actions): void {
  root
    .command('completion')
    .description(
      `Print the completion script of a shell (${SHELLS.join(', ')}); its first lines say how to load it`,
    )
    .argument('<shell>')
    .action((text: string) => {
      const shell = SHELLS.find((known) => known === text);
      if (shell === undefined) {
        throw new CompanionError('INVALID_REQUEST', `The shell must be one of ${SHELLS.join(', ')}.`);
      }
      actions.print(completionScript(shell, root));
    });
}

/** The command for these words; missing groups are created. */
function descend(root: Command, words: readonly string[]): Command {
  return words.reduce((group, word) => {
    const known = group.commands.find((command) => command.name() === word);
    return (
      known ??
      group
        .command(word)
        .description(GROUPS[word] ?? '')
        .allowExcessArguments(false)
    );
  }, root);
}

function addSecretOptions(command: Command, field: string, text: string): void {
  // The root has the flags for the password, because operations that need a session take them too.
  if (field === 'password') return;
  command.option(`${flagOf(field)}-file <file>`, `${text}, from the first line of a file`);
  if (DESCRIPTOR_FIELDS.includes(field)) {
    command.option(`${flagOf(field)}-fd <number>`, `${text}, from an open file descriptor`);
  }
}

const ON_OFF_VALUES: ReadonlyMap<string, string> = new Map([
  ['on', 'true'],
  ['off', 'false'],
]);

/** A group that is also an operation, as `balance` is for `balance at`, receives the flags that both have. */
function ownOptions(root: Command, command: Command, options: CommandOptions): CommandOptions {
  const group = command.parent;
  return group === null || group === root ? options : { ...group.opts(), ...options };
}

function textFields(
  name: OperationName,
  positional: readonly string[],
  given: readonly unknown[],
  options: CommandOptions,
): [string, string][] {
  const fromArguments = positional.map((field, place): [string, string] => {
    const text = String(given[place]);
    return [
      field,
      argumentName(inputFields(name), field) === ON_OFF ? (ON_OFF_VALUES.get(text) ?? text) : text,
    ];
  });
  const fromFlags = inputFields(name).flatMap((field): [string, string][] => {
    const flag = flagName(name, field.name);
    const value = options[optionKey(flag)];
    if (positional.includes(field.name) || value === undefined) return [];
    const text = String(value);
    return [[field.name, flagOf(flag) === EXPIRES ? text.replace(/^(\d+)d$/, '$1') : text]];
  });
  return [...fromArguments, ...fromFlags, ...recipientFields(name, options)];
}

/** `--to` beside the flag of its field would hide what that one says. */
function recipientFields(name: OperationName, { to, ...others }: CommandOptions): [string, string][] {
  if (COMMANDS[name].cli.takesRecipient !== true || typeof to !== 'string') return [];
  const fields = Object.entries(recipientIn(to));
  if (fields.some(([field]) => others[field] !== undefined))
    throw badFlag('to', 'cannot be given beside another way to say whom to pay');
  return fields;
}

function secretSources(
  name: OperationName,
  rootOptions: CommandOptions,
  options: CommandOptions,
): ReadonlyMap<string, SecretSource> {
  const fields = new Set(['password', ...inputFields(name).map((field) => field.name)]);
  const sourceOf = (field: string): SecretSource =>
    secretSource(field, field === 'password' ? rootOptions : options);
  return new Map(
    [...fields].filter((field) => SECRET_FIELDS.includes(field)).map((field) => [field, sourceOf(field)]),
  );
}

const secretSource = (field: string, options: CommandOptions): SecretSource => ({
  file: textOrAbsent(options[`${optionKey(field)}File`]),
  fd: textOrAbsent(options[`${optionKey(field)}Fd`]),
});

const outputFile = ({ output, force }: CommandOptions): OutputFile | undefined =>
  typeof output === 'string' ? { path: output, force: force === true } : undefined;

const textOrAbsent = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

function localOptions({ configDir, dataDir, network, nodeCookieFile }: RootOptions): LocalOptions {
  return {
    ...(configDir === undefined ? {} : { configDir }),
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(network === undefined ? {} : { network: checkedNetwork(network) }),
    ...(nodeCookieFile === undefined ? {} : { nodeCookieFile }),
  };
}

/** For a command about the whole companion: a wallet name without effect would mislead. */
function defaultWalletOptions(options: RootOptions): LocalOptions {
  refuseWallet(options);
  return localOptions(options);
}

function refuseWallet({ wallet }: RootOptions): void {
  if (checkedWallet(wallet) !== undefined)
    throw badFlag('wallet', 'is for commands about one wallet; this one is about all of them');
}

function checkedNetwork(text: string): Network {
  const network = NETWORKS.find((known) => known === text);
  if (network === undefined) throw badFlag('network', `must be one of ${NETWORKS.join(', ')}`);
  return network;
}
