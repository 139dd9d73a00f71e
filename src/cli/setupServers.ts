// Where blocks come from: a node, peers of the network, a public compact-block server of the list, or another one, asked when it is
// chosen. After one that does not answer the person chooses again: another address, the other kind, another network.

import path from 'node:path';
import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import type { Output } from '../protocol/operations.ts';
import { ok, type Result } from '../protocol/result.ts';
import type { Choice, Questions } from '../terminal/questions.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import { duration } from './progressBar.ts';
import type { SetupCall } from './setupCommand.ts';
import type { SetupLink } from './setupLink.ts';

type Source = 'compact' | 'node';
type Kind = 'node' | 'peers' | 'public' | 'address' | 'another network';
type Next = 'address' | 'source' | 'another network';

const BACK = 'back';

const PEERS_NOTICE =
  'Peers are computers of the network. They give whole blocks, each held against the chain with the most work, so that none of them is believed. They see your network address, and nothing of what is yours. Proofs and double spends are not checked: for a till a node of your own is better.';
/** Trees of main's blocks come with the program from the end of May 2025 on. */
const ON_MAIN =
  'A wallet from before June 2025 cannot be read from peers: read it from a server first. To pay, older parts of the trees are needed that peers do not give: name a server or a node with --source for a payment that asks for it.';

/** `mayChangeNetwork`: no wallet and no flag has fixed the network yet. */
export async function chooseServers(
  setup: SetupContext,
  mayChangeNetwork: boolean,
): Promise<'chosen' | 'another network'> {
  const { call, ask } = setup;
  const given = { compact: call.compactServerUrl, node: call.nodeUrl };
  const flags = (['compact', 'node'] as const).filter((source) => given[source] !== undefined);
  for (const source of flags) {
    const next = await settle(setup, source, given[source], mayChangeNetwork);
    if (next === 'another network') return next;
    if (next === 'source') return chooseKind(setup, mayChangeNetwork);
  }
  if (call.peers) await usePeers(setup);
  return flags.length > 0 || call.peers || ask === undefined ? 'chosen' : chooseKind(setup, mayChangeNetwork);
}

async function chooseKind(
  setup: SetupContext,
  mayChangeNetwork: boolean,
): Promise<'chosen' | 'another network'> {
  for (;;) {
    const list = await setup.link.answer('lwd.servers');
    const { network, peers } = await setup.link.answer('system.status', { known: true });
    const choices: readonly Choice<Kind>[] = [
      { value: 'node', label: 'A node of my own (zebrad)', hint: 'it needs disk and days, and asks nobody' },
      {
        value: 'peers',
        label: 'Peers of the network: no server, no node',
        hint: 'nothing to install, nobody to trust; some 63 MB a day, and gigabytes at first',
      },
      {
        value: 'public',
        label: 'A public server',
        hint: 'nothing to install; you trust its operator with some things',
      },
      { value: 'address', label: 'Another compact-block server, by its address' },
      { value: 'another network', label: 'Another network', hint: 'for developers' },
    ];
    const kind = await setup.ask!.choose<Kind>(
      'Where do blocks come from?',
      choices.filter(
        ({ value }) =>
          (value !== 'public' || list.servers.length > 0) &&
          // A chain of one's own has those that config.json names.
          (value !== 'peers' || network !== 'regtest' || peers.state !== 'off') &&
          (value !== 'another network' || mayChangeNetwork),
      ),
    );
    if (kind === 'another network') return kind;
    if (kind === 'peers') {
      if (await choosePeers(setup, network)) return 'chosen';
      continue;
    }
    const url = kind === 'public' ? await choosePublic(setup, list) : undefined;
    if (url === BACK) continue;
    const next = await settle(setup, kind === 'node' ? 'node' : 'compact', url, mayChangeNetwork);
    if (next !== 'source') return next;
  }
}

/** Prints the cost before anything begins. */
async function choosePeers(
  setup: SetupContext,
  network: Output<'system.status'>['network'],
): Promise<boolean> {
  const { ask, link, print } = setup;
  print(PEERS_NOTICE);
  print('Counting what they will have to send ...');
  const cost = await link.call('sync.estimate', { source: 'peers' });
  if (!cost.ok) {
    print(`${cost.error.detail} (${cost.error.code})`);
    return false;
  }
  const { megabytes, read_from_height: first, seconds } = cost.value;
  print(
    `All blocks from ${first} on come first: about ${megabytesText(megabytes)}, and ${duration(seconds)} of computing here. After that it is some 63 MB a day.`,
  );
  if (network === 'main') print(ON_MAIN);
  if (!(await ask!.agrees('Take blocks from peers?'))) return false;
  try {
    await usePeers(setup);
    return true;
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error;
    print(`${error.message} (${error.code})`);
    return false;
  }
}

/** Throws `PEERS_UNREACHABLE` where config.json turns them off; that none is connected yet is no failure. */
async function usePeers({ link, print }: SetupContext): Promise<void> {
  const { block_source: before } = await link.answer('config.get');
  await link.answer('config.block_source', { source: 'peers' });
  const { peers } = await link.answer('system.status', { known: true });
  if (peers.state === 'off') {
    await link.answer('config.block_source', { source: before });
    throw new CompanionError(
      'PEERS_UNREACHABLE',
      'Peers of the network are off: "peers" in config.json turns them on, and on regtest names them.',
    );
  }
  print('Blocks come from peers of the network now.');
}

export const megabytesText = (megabytes: number | null): string =>
  `${Math.ceil(megabytes ?? 0).toLocaleString('en-US')} MB`;

/** One that does not answer stays in the list, and says why. */
async function choosePublic(setup: SetupContext, list: Output<'lwd.servers'>): Promise<string> {
  const { ask, link, print } = setup;
  print(list.notice);
  print(
    `Each server of the list${list.list_date === null ? '' : ` of ${list.list_date}`} is asked once now ...`,
  );
  const { servers } = await link.answer('lwd.servers', { try: true });
  return ask!.choose<string>('Which server?', [
    ...servers.map(({ compact_server_url: url, operator, where, tried }) => ({
      value: url,
      label: url.replace('https://', ''),
      hint: [operator, where, triedText(tried)].filter((text) => text !== '').join('; '),
    })),
    { value: BACK, label: 'Go back: where blocks come from' },
  ]);
}

function triedText(tried: Output<'lwd.servers'>['servers'][number]['tried']): string {
  if (tried === null) return '';
  if (tried.state === 'failed') return `does not answer as it should (${tried.code})`;
  return `${tried.state === 'behind' ? 'behind the others, ' : ''}at block ${tried.height}, ${tried.elapsed_ms} ms`;
}

/** Asks until one answers: that one is in config.json then, and is the block source. */
async function settle(
  setup: SetupContext,
  source: Source,
  given: string | undefined,
  mayChangeNetwork: boolean,
): Promise<'chosen' | Exclude<Next, 'address'>> {
  const { ask, link, print } = setup;
  for (let url = given; ; url = undefined) {
    const typed = url ?? (await typedAddress(setup, source));
    print(`Asking ${typed} ...`);
    const answer = await tried(setup, source, typed);
    if (answer.ok) {
      await link.answer('config.block_source', { source });
      return 'chosen';
    }
    if (ask === undefined) throw CompanionError.fromRecord(answer.error);
    print(`${answer.error.detail} (${answer.error.code})`);
    const next = await whatNext(setup, answer.error, mayChangeNetwork);
    if (next !== 'address') return next;
  }
}

/** The first choice is the likely one. */
function whatNext({ ask }: SetupContext, { code }: ErrorRecord, mayChangeNetwork: boolean): Promise<Next> {
  const network = { value: 'another network', label: 'Choose another network' } as const;
  const others = [
    { value: 'address', label: 'Type another address' },
    { value: 'source', label: 'Go back: where blocks come from' },
  ] as const;
  const choices = code === 'NETWORK_MISMATCH' ? [network, ...others] : [...others, network];
  return ask!.choose<Next>(
    'What now?',
    choices.filter((choice) => choice !== network || mayChangeNetwork),
  );
}

async function typedAddress({ ask, link }: SetupContext, source: Source): Promise<string> {
  const config = await link.answer('config.get');
  const [question, orElse] =
    source === 'node'
      ? ['Address of the node', config.node_url]
      : ['Address of the compact-block server, such as https://host:443', config.compact_server_url];
  return ask!.line(question, { orElse });
}

async function tried(setup: SetupContext, source: Source, url: string): Promise<Result<undefined>> {
  const { link, print } = setup;
  if (source === 'node') return triedNode(setup, url);
  const tip = await link.call('lwd.chain_tip', { compact_server_url: url });
  if (!tip.ok) return tip;
  print(`The server answers: it is at block ${tip.value.height}.`);
  await link.answer('config.compact_server_url', { url });
  return ok(undefined);
}

async function triedNode(setup: SetupContext, url: string): Promise<Result<undefined>> {
  const { link, print } = setup;
  const probe = () => link.call('config.node_url', { url, probe: true });
  let answer = await probe();
  if (!answer.ok && answer.error.code === 'NODE_UNAUTHORIZED' && (await cookieNamed(setup)))
    answer = await probe();
  if (!answer.ok) return answer;
  print('The node answers.');
  return ok(undefined);
}

/** Only the owner of config.json names the cookie file, and only while no companion has read it. */
async function cookieNamed({ ask, link, environment, print }: SetupContext): Promise<boolean> {
  if (ask === undefined || link.running !== undefined) return false;
  print('The node answers, and asks for its cookie.');
  const file = path.resolve(await ask.line('Its cookie file (zebrad writes .cookie into its cookie_dir)'));
  await link.openAgain({}, () => environment.changeSettings(link.local, () => ({ node_cookie_file: file })));
  return true;
}

// What the steps of setup share.
export interface SetupContext {
  readonly call: SetupCall;
  readonly environment: CliEnvironment;
  readonly link: SetupLink;
  /** Undefined: nobody is asked. */
  readonly ask: Questions | undefined;
  /** A sentence for the person; programs that read JSON get none. */
  readonly print: (text: string) => void;
}
