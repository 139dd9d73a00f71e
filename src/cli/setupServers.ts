// Where blocks come from: a compact-block server or a node, asked when its address is given. One that does not answer is
// said, and another address asked for.

import path from 'node:path';
import { CompanionError } from '../protocol/errors.ts';
import { ok, type Result } from '../protocol/result.ts';
import type { SetupContext } from './setupContext.ts';

export type Source = 'compact' | 'node';

/** `tip`: where the source of the wallet's blocks says that the chain is, if it was asked for that. */
export interface Servers {
  readonly source?: Source;
  readonly tip?: number | undefined;
}

/** Nothing in it: the servers stay as they are. */
export async function chooseServers(setup: SetupContext): Promise<Servers> {
  const { call, ask } = setup;
  const given = { compact: call.compactServerUrl, node: call.nodeUrl };
  let chosen: Servers | undefined;
  for (const source of ['compact', 'node'] as const) {
    if (given[source] === undefined) continue;
    chosen = await settle(setup, source, given[source]);
  }
  if (chosen !== undefined) return chosen;
  if (ask === undefined) return {};
  const source = await ask.choose<Source>('Where do blocks come from?', [
    { value: 'compact', label: 'A compact-block server', hint: 'nothing to install; it sees your address' },
    { value: 'node', label: 'My own node (zebrad)', hint: 'it needs disk and days, and asks nobody' },
  ]);
  return settle(setup, source, undefined);
}

/** Asks until one answers; that one is in config.json then. */
async function settle(setup: SetupContext, source: Source, given: string | undefined): Promise<Servers> {
  const { ask, say } = setup;
  for (let url = given; ; url = undefined) {
    const typed = url ?? (await typedAddress(setup, source));
    say(`Asking ${typed} ...`);
    const answer = await tried(setup, source, typed);
    if (answer.ok) return { source, tip: answer.value };
    if (ask === undefined) throw CompanionError.fromRecord(answer.error);
    say(`${answer.error.detail} (${answer.error.code})`);
  }
}

async function typedAddress({ ask, link }: SetupContext, source: Source): Promise<string> {
  const config = await link.answer('config.get');
  const [question, orElse] =
    source === 'node'
      ? ['Address of the node', config.node_url]
      : ['Address of the compact-block server, such as https://host:443', config.compact_server_url];
  return ask!.line(question, { orElse });
}

/** The tip as the server tells it; a node is not asked for it here, since a new wallet asks itself. */
async function tried(setup: SetupContext, source: Source, url: string): Promise<Result<number | undefined>> {
  const { link, say } = setup;
  if (source === 'node') return triedNode(setup, url);
  const tip = await link.call('lwd.chain_tip', { compact_server_url: url });
  if (!tip.ok) return tip;
  say(`The server answers: it is at block ${tip.value.height}.`);
  await link.answer('config.compact_server_url', { url });
  return ok(tip.value.height);
}

async function triedNode(setup: SetupContext, url: string): Promise<Result<undefined>> {
  const { link, say } = setup;
  const probe = () => link.call('config.node_url', { url, probe: true });
  let answer = await probe();
  if (!answer.ok && answer.error.code === 'NODE_UNAUTHORIZED' && (await cookieNamed(setup)))
    answer = await probe();
  if (!answer.ok) return answer;
  say('The node answers.');
  return ok(undefined);
}

/** Only the owner of config.json names the cookie file, and only while no companion has read it. */
async function cookieNamed({ ask, link, environment, say }: SetupContext): Promise<boolean> {
  if (ask === undefined || link.running !== undefined) return false;
  say('The node answers, and asks for its cookie.');
  const file = path.resolve(await ask.line('Its cookie file (zebrad writes .cookie into its cookie_dir)'));
  await link.openAgain({}, () => environment.changeSettings(link.local, () => ({ node_cookie_file: file })));
  return true;
}
