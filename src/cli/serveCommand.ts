// Commands that run the companion or answer for it until they are stopped: `serve`, the same under systemd (`service`), and
// `bridge btcpay`, which answers a shop's software in its own words.

import { checkedWallet, DEFAULT_PORT } from '@wallet-companion/client/contract';
import type { Command } from 'commander';
import type {
  BridgeOptions,
  LocalOptions,
  ServeOptions,
  ServiceAction,
  ServiceInstall,
} from './cliEnvironment.ts';
import { accessLevel, addFile, badFlag, wholeNumber } from './flags.ts';
import type { SecretSource } from './secrets.ts';

export interface ServeActions {
  serve(options: ServeOptions, password: SecretSource): Promise<void>;
  installService(options: ServeOptions, password: SecretSource, more: ServiceInstall): Promise<void>;
  manageService(action: ServiceAction): Promise<void>;
  bridge(options: BridgeOptions): Promise<void>;
}

/** What the root command was given, for the whole companion. */
export interface Whole {
  local(): LocalOptions;
  password(): SecretSource;
}

const MAX_PORT = 65_535;
const BRIDGE_PORT = 3001;

type ServeFlags = Readonly<Record<string, string | boolean | undefined>> & {
  readonly walletPasswordFile?: readonly string[];
};

export function addServe(root: Command, actions: ServeActions, whole: Whole): void {
  const command = root
    .command('serve')
    .description(
      'Run the companion: HTTP on the loopback interface; with --password-file or --password-fd unlocked from the start',
    );
  command
    .option('--end-with-stdin', 'end when standard input does: for a program that holds a pipe to it')
    .option('--log-json', 'on a terminal too: the log as lines of JSON, as it is in a pipe and in the file');
  addServeOptions(command).action(async (options: ServeFlags) => {
    await actions.serve(await serveOptions(whole, options), whole.password());
  });
}

export function addService(group: Command, actions: ServeActions, whole: Whole): void {
  const install = group
    .command('install')
    .description(
      'Have systemd run it for this user, from now on and after each login; takes what serve takes',
    );
  addServeOptions(install)
    .option('--print', 'show the unit and change nothing')
    .option('--without-namespaces', 'for kernels that refuse user namespaces: a weaker sandbox')
    .option(
      '--anonymous-access <level>',
      'what callers over HTTP may do without a grant: full, read or none (recommended); asked for where it is left out',
    )
    .action(async (options: ServeFlags) => {
      const more = {
        print: options['print'] === true,
        namespaces: options['withoutNamespaces'] !== true,
        anonymousAccess: accessLevel(options['anonymousAccess']),
      };
      const source = whole.password();
      await actions.installService(await serveOptions(whole, options), source, more);
    });
  for (const [action, summary] of SERVICE_ACTIONS)
    group
      .command(action)
      .description(summary)
      .action(() => actions.manageService(action));
}

const SERVICE_ACTIONS: readonly (readonly [ServiceAction, string])[] = [
  ['status', 'What systemd says of the service'],
  ['logs', 'The last 200 lines of its log'],
  ['uninstall', 'Stop it and remove the unit; the wallet stays'],
];

/** The service that runs `serve` has the same options. */
const addServeOptions = (command: Command): Command =>
  command
    .option('--port <number>', 'port; 0 picks a free one', String(DEFAULT_PORT))
    .option('--host <address>', 'loopback address to bind (default: 127.0.0.1 and ::1)')
    .option('--node-url <url>', 'chain node, for this run')
    .option('--compact-server-url <url>', 'compact-block server, for this run')
    .option('--follow', 'scan new blocks as they come while unlocked; this alone does not keep it unlocked')
    .option('--keep-open', 'never lock after idling, for this run')
    .option(
      '--wallet-password-file <name=file>',
      'unlock another wallet, too; may be given once for each',
      addFile,
    )
    .option('--no-http', 'listen on the private socket alone, not on a port')
    .option('--no-log-file', 'write the log to stderr alone, not into the data directory as well');

async function serveOptions(whole: Whole, options: ServeFlags): Promise<ServeOptions> {
  const walletPasswordFiles = passwordFiles(options.walletPasswordFile ?? []);
  const { host, nodeUrl: node, compactServerUrl: compact } = options;
  return {
    ...whole.local(),
    port: wholeNumber('port', options['port'], 0, MAX_PORT),
    follow: options['follow'] === true,
    ...(options['keepOpen'] === true ? { keepOpen: true } : {}),
    ...(options['logFile'] === false ? { noLogFile: true } : {}),
    ...(options['logJson'] === true ? { logJson: true } : {}),
    ...(options['http'] === false ? { noHttp: true } : {}),
    ...(options['endWithStdin'] === true ? { endWithStdin: true } : {}),
    ...(walletPasswordFiles.size === 0 ? {} : { walletPasswordFiles }),
    ...(typeof host === 'string' ? { host } : {}),
    ...(typeof node === 'string' ? { nodeUrl: await checkedUrl('node-url', node) } : {}),
    ...(typeof compact === 'string'
      ? { compactServerUrl: await checkedUrl('compact-server-url', compact) }
      : {}),
  };
}

/** Each entry has the form `NAME=FILE`. */
function passwordFiles(given: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const text of given) {
    const [, name = '', file = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
    const wallet = file === '' ? undefined : checkedWallet(name);
    if (wallet === undefined || files.has(wallet))
      throw badFlag('wallet-password-file', 'must be NAME=FILE, once for each wallet beside the default one');
    files.set(wallet, file);
  }
  return files;
}

/** The schemas are loaded when they are needed: they take a while. */
async function checkedUrl(flag: 'node-url' | 'compact-server-url', text: string): Promise<string> {
  const { compactServerUrl, nodeUrl } = await import('../protocol/fields.ts');
  const parsed = (flag === 'node-url' ? nodeUrl : compactServerUrl).safeParse(text);
  if (!parsed.success) throw badFlag(flag, parsed.error.issues[0]?.message ?? 'is not valid', 'INVALID_URL');
  return parsed.data;
}

export function addBridge(
  group: Command,
  actions: ServeActions,
  where: () => Pick<BridgeOptions, 'url' | 'wallet' | 'local'>,
): void {
  group
    .command('btcpay')
    .description("Answer BTCPay Server's Zcash plugin from the companion that runs (docs/btcpay.md)")
    .option('--port <number>', 'port on 127.0.0.1; 0 picks a free one', String(BRIDGE_PORT))
    .option('--callback <url>', "BTCPay's address, to tell it of payments and blocks")
    .option('--token-file <file>', 'where the token is kept (default: btcpay.token beside config.json)')
    .action(({ port, callback, tokenFile }: Readonly<Record<string, string | undefined>>) =>
      actions.bridge({
        ...where(),
        port: wholeNumber('port', port, 0, MAX_PORT),
        callback: callback === undefined ? undefined : callbackOf(callback),
        tokenFile,
      }),
    );
}

function callbackOf(text: string): string {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.search + url.hash + url.username + url.password === '';
  if (isPlain) return url.href;
  throw badFlag('callback', 'must be an http or https URL without a query and without a password');
}
