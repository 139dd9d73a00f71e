// Where blocks come from: a compact-block server or a node, asked when its address is given. After one that does not answer the person
// chooses again: another address, the other kind, another network.

import path from 'node:path';
import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import { ok, type Result } from '../protocol/result.ts';
import type { Questions } from '../terminal/questions.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import type { SetupCall } from './setupCommand.ts';
import type { SetupLink } from './setupLink.ts';

type Source = 'compact' | 'node';
type Next = 'address' | 'source' | 'another network';

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
  return flags.length > 0 || ask === undefined ? 'chosen' : chooseKind(setup, mayChangeNetwork);
}

async function chooseKind(
  setup: SetupContext,
  mayChangeNetwork: boolean,
): Promise<'chosen' | 'another network'> {
  for (;;) {
    const source = await setup.ask!.choose<Source>('Where do blocks come from?', [
      { value: 'compact', label: 'A compact-block server', hint: 'nothing to install; it sees your address' },
      { value: 'node', label: 'My own node (zebrad)', hint: 'it needs disk and days, and asks nobody' },
    ]);
    const next = await settle(setup, source, undefined, mayChangeNetwork);
    if (next !== 'source') return next;
  }
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
