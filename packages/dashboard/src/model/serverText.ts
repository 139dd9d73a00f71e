// The state of the servers, in sentences.

import type { Output } from '@wallet-companion/client';
import { overviewTexts } from '../texts/overview.ts';
import { scanTexts } from '../texts/scan.ts';
import type { Formats } from './amounts.ts';

export type Servers = Output<'system.status'>;
export type Server = Servers['node'];

export function serverText({ state, since, tip_height }: Server, formats: Formats): string {
  const texts = scanTexts();
  const when = since === null ? '' : texts.since(formats.moment(since));
  const tip = tip_height === null ? '' : texts.newest(formats.count(tip_height));
  const more = {
    up: tip,
    behind: tip,
    lost: when,
    refused: when,
    wrong_network: when,
    other_chain: when,
    unknown: '',
  }[state];
  return texts.states[state] + more;
}

const MEGABYTE = 1_000_000;

/** Undefined where no peers are asked. */
export function peersText(servers: Servers | undefined, formats: Formats): string | undefined {
  const { peers } = servers ?? {};
  if (peers === undefined || peers.state === 'off') return undefined;
  const texts = scanTexts().peers;
  if (peers.state === 'connecting') return texts.none;
  const height = peers.height === null ? '-' : formats.count(peers.height);
  const megabytes = formats.count(Math.ceil(peers.bytes_today / MEGABYTE));
  return texts.known(formats.count(peers.connected), height, megabytes) + texts[peers.state];
}

/** The best tip that is known. */
export function newestBlock(servers: Servers | undefined, seen: number | null): number | null {
  const { node, compact_server: compact } = servers ?? {};
  const tips = [node, compact].map((server) => (server?.state === 'up' ? server.tip_height : null));
  return Math.max(seen ?? 0, ...tips.map((tip) => tip ?? 0)) || null;
}

/** Undefined where no server announces a network upgrade that this version does not know. */
export function unknownUpgradeText(servers: Servers | undefined, formats: Formats): string | undefined {
  const heights = [servers?.node, servers?.compact_server].flatMap(
    (server) => server?.unknown_upgrade_height ?? [],
  );
  if (heights.length === 0) return undefined;
  return overviewTexts().unknownUpgrade(formats.count(Math.min(...heights)));
}

/** Undefined where no server's node is about to stop by itself. */
export const supportText = (servers: Servers | undefined): string | undefined =>
  [servers?.node, servers?.compact_server].flatMap((server) => server?.support_warning ?? []).join(' ') ||
  undefined;

/** What a compact server says of itself, and what is kept of it. */
export function serverFacts(
  info: Output<'lwd.info'>,
  formats: Formats,
): readonly (readonly [string, string])[] {
  const { store } = info;
  const texts = scanTexts();
  const blocks = store?.block_count
    ? texts.storedBlocks(formats.counted(store.block_count, 'block'), formats.count(store.last_height ?? 0))
    : texts.none;
  return [
    [texts.software, [info.vendor, info.version].filter(Boolean).join(' ') || texts.notNamed],
    [texts.network, info.chain_name],
    [texts.newestFact, formats.count(info.block_height)],
    [texts.stored, blocks],
  ];
}
