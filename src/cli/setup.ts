// `setup`: the first ten minutes, from no wallet to a dashboard. It is one more client of a companion: of the one that runs,
// or of one in this process, and calls the same operations as every other command.

import path from 'node:path';
import { DEFAULT_PORT, DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { CompanionError } from '../protocol/errors.ts';
import type { AnonymousAccess } from '../protocol/grants.ts';
import { NETWORKS, type Network } from '../protocol/network.ts';
import type { OperationName } from '../protocol/operations.ts';
import { Interrupted } from '../terminal/prompt.ts';
import { terminalQuestions } from '../terminal/questions.ts';
import { widthOf, wrapText } from '../terminal/terminalText.ts';
import type { CliEnvironment, ServeOptions } from './cliEnvironment.ts';
import { duration } from './progressBar.ts';
import { chosenAccess } from './serviceQuestions.ts';
import type { SetupCall } from './setupCommand.ts';
import { SetupLink } from './setupLink.ts';
import { chooseServers, megabytesText, type SetupContext } from './setupServers.ts';
import { makeWallet, type NewWallet } from './setupWallet.ts';
import { showCommand, withOptions } from './shownCommand.ts';
import { startPassword } from './startPassword.ts';

const EXIT_OK = 0;

/** `show` prints an answer as the operation's command does. Resolves with the exit code. */
export async function runSetup(
  call: SetupCall,
  show: (name: OperationName, answer: unknown) => void,
  environment: CliEnvironment,
): Promise<number> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const deafen = environment.onInterrupt(abort);
  environment.stdin.once('end', abort);
  try {
    const isAsked = environment.stdin.isTTY === true && !call.yes && !call.json;
    const ask = isAsked ? await terminalQuestions(environment, stop) : undefined;
    const link = await SetupLink.open(await withCookie(call, environment), call.wallet, environment);
    const where = () => ({ url: call.url, wallet: call.wallet, ...link.local });
    const print = (text: string): void => {
      const lines = wrapText(
        withOptions(text, where()),
        widthOf(environment.stderr) ?? Number.POSITIVE_INFINITY,
      );
      if (!call.json) environment.stderr.write(`${lines.join('\n')}\n`);
    };
    const setup: SetupContext = { call, environment, link, ask, print };
    const begin = await steps(setup, stop.signal, show).finally(() => link.close());
    deafen();
    return await begin();
  } finally {
    deafen();
    environment.stdin.off('end', abort);
  }
}

/** The cookie file of the flag is kept: `serve` needs it as well. */
async function withCookie(call: SetupCall, environment: CliEnvironment): Promise<SetupCall> {
  const { nodeCookieFile, ...local } = call.local;
  if (nodeCookieFile === undefined || call.url !== undefined) return call;
  await environment.changeSettings(local, () => ({ node_cookie_file: path.resolve(nodeCookieFile) }));
  return { ...call, local };
}

/** Resolves with what is left to do when nobody holds the files any more. */
async function steps(
  setup: SetupContext,
  stopped: AbortSignal,
  show: (name: OperationName, answer: unknown) => void,
): Promise<() => Promise<number>> {
  const { call, ask, link, print } = setup;
  const goOn = (): void => {
    if (stopped.aborted) throw new Interrupted();
  };
  const exists = await walletExists(setup);
  while ((await chooseServers(setup, !exists && mayChooseNetwork(setup))) === 'another network') {
    goOn();
    await chooseNetwork(setup);
  }
  goOn();
  if (exists) print('There is a wallet already; it stays as it is.');
  else printWallet(setup, await makeWallet(setup), show);
  goOn();
  await printEstimate(setup);
  await chooseFollowing(setup);
  if (link.running !== undefined) {
    const { url } = link.running;
    return async () => {
      print(url === undefined ? 'All is set up, and the companion runs.' : `The dashboard: ${url}/`);
      return EXIT_OK;
    };
  }
  const service = call.service ?? (await wantsService(setup));
  const serve =
    !service && (call.serve ?? (await ask?.agrees('Start it now? It runs until Ctrl-C')) ?? false);
  const access = call.anonymousAccess ?? (service && ask !== undefined ? await chosenAccess(ask) : undefined);
  return () => (service ? install(setup, access) : serve ? serveNow(setup) : printStart(setup));
}

async function walletExists({ call, link }: SetupContext): Promise<boolean> {
  const { wallets } = await link.answer('wallets.list');
  const exists = wallets.some(({ name, exists }) => exists && name === (call.wallet ?? DEFAULT_WALLET));
  if (exists && call.kind !== undefined)
    throw new CompanionError(
      'WALLET_EXISTS',
      'A wallet exists already and was left untouched. Leave the flags for a new one out, or name another wallet with --wallet.',
    );
  return exists;
}

const NETWORK_HINTS: Readonly<Record<Network, string>> = {
  main: 'real funds',
  test: 'funds without value',
  regtest: 'a chain of your own',
};

const mayChooseNetwork = ({ call, ask, link }: SetupContext): boolean =>
  ask !== undefined && call.local.network === undefined && link.running === undefined;

async function chooseNetwork(setup: SetupContext): Promise<void> {
  const { ask, link } = setup;
  if (ask === undefined || !mayChooseNetwork(setup)) return;
  const { network: now } = await link.answer('config.get');
  const others = NETWORKS.filter((network) => network !== now && network !== 'regtest');
  const network = await ask.choose<Network>(
    'Which network?',
    [now, ...others].map((value) => ({ value, label: value, hint: NETWORK_HINTS[value] })),
  );
  if (network !== now) await link.openAgain({ network });
}

/** A person has seen the phrase by now; a program gets the answer as from the operation's own command. */
function printWallet(
  { ask, print }: SetupContext,
  { operation, answer }: NewWallet,
  show: (name: OperationName, answer: unknown) => void,
): void {
  if (ask === undefined) {
    show(operation, answer);
    return;
  }
  print(`The wallet is made. Its first address: ${answer.unified_address}`);
  if (answer.warning !== undefined) print(answer.warning);
}

/** Before anything is scanned. A server that is silent now keeps nobody from the rest. */
async function printEstimate({ ask, link, print }: SetupContext): Promise<void> {
  if (ask === undefined) return;
  const estimate = await link.call('sync.estimate');
  if (!estimate.ok) {
    // Peers have no trees for a wallet so old: nothing would be scanned.
    if (estimate.error.code === 'PEERS_BAD_RESPONSE')
      print(`${estimate.error.detail} "wallet-companion setup" asks again where blocks come from.`);
    return;
  }
  const { blocks, megabytes, seconds } = estimate.value;
  const received = megabytes === null ? '' : `, about ${megabytesText(megabytes)} to receive`;
  print(
    `To scan: ${blocks.toLocaleString('en-US')} blocks${received}, and about ${duration(seconds)} of computing here; a slow line or server adds to it.`,
  );
}

async function chooseFollowing({ call, ask, link }: SetupContext): Promise<void> {
  const enabled =
    call.follow ?? (await ask?.agrees('Scan new blocks as they come, while the wallet is open?'));
  if (enabled === undefined) return;
  await link.answer('follow.set', { enabled });
}

/** Elsewhere `service install` fails, or prints a text to adapt, which is no answer to a question. */
const wantsService = async ({ ask, environment }: SetupContext): Promise<boolean> =>
  environment.hasSystemd &&
  (await ask?.agrees('Have systemd run it, from now on and after each login?')) === true;

const serveOptions = ({ call, link }: SetupContext): ServeOptions => ({
  ...link.local,
  port: call.port,
  follow: false,
});

const dashboard = ({ call }: SetupContext): string => `http://127.0.0.1:${call.port}/`;

async function install(setup: SetupContext, access: AnonymousAccess | undefined): Promise<number> {
  const { call, ask, environment, print } = setup;
  const { file } = call.secrets.password;
  let code: number;
  try {
    code = await environment.installService(
      serveOptions(setup),
      { print: false, namespaces: true, anonymousAccess: access },
      file,
    );
  } catch (error) {
    // A person has a wallet by now, and is not left without a companion.
    if (ask === undefined || !(error instanceof CompanionError)) throw error;
    print(`There is no service: ${error.message} The companion runs here instead.`);
    return serveNow(setup);
  }
  const isOpen = access === undefined || access === 'full';
  const page = isOpen ? dashboard(setup) : '"wallet-companion dashboard" prints a link that opens it';
  print(`The dashboard: ${page}${file === undefined ? ' (open the wallet there)' : ''}`);
  return code;
}

async function serveNow(setup: SetupContext): Promise<number> {
  const { call, environment, print } = setup;
  const { password } = call.secrets;
  print(`The dashboard, in a browser: ${dashboard(setup)} Ctrl-C ends the companion.`);
  return environment.serve(serveOptions(setup), await startPassword({ file: password.file }));
}

async function printStart(setup: SetupContext): Promise<number> {
  const { call, link, print } = setup;
  const port = call.port === DEFAULT_PORT ? '' : ` --port ${call.port}`;
  print(`Start it: ${showCommand(link.local)(`serve${port}`)}`);
  print(`Then open the dashboard in a browser: ${dashboard(setup)}`);
  return EXIT_OK;
}
