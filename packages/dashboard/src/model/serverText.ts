// The state of the servers, in sentences.

import type { Output } from '@wallet-companion/client';
import type { Formats } from './amounts.ts';

export type Servers = Output<'system.status'>;
export type Server = Servers['node'];

export function serverText({ state, since, tip_height }: Server, formats: Formats): string {
  const when = since === null ? '' : ` Since ${formats.moment(since)}.`;
  const tip = tip_height === null ? '' : ` Its newest block is ${formats.count(tip_height)}.`;
  switch (state) {
    case 'up':
      return `It answers.${tip}`;
    case 'behind':
      return `It answers, and is behind what was scanned already.${tip}`;
    case 'lost':
      return `It does not answer.${when}`;
    case 'refused':
      return `It answers, but not as it should, or it does not let the companion in.${when}`;
    case 'wrong_network':
      return `It is on another network than the wallet.${when}`;
    default:
      return 'Not asked yet.';
  }
}

/** In the header, beside a light. */
export const LIGHT_TEXT: Readonly<Record<Server['state'], string>> = {
  up: 'answers',
  behind: 'is behind',
  lost: 'does not answer',
  refused: 'refuses',
  wrong_network: 'is on another network',
  unknown: 'not asked yet',
};

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
  const block = formats.count(Math.min(...heights));
  return `At block ${block} the network gets rules that this version does not know. Update the companion before: a payment that is not mined by then is void, and from then on none can be prepared.`;
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
  const blocks = store?.block_count
    ? `${formats.counted(store.block_count, 'block')}, up to ${formats.count(store.last_height ?? 0)}`
    : 'none';
  return [
    ['Software', [info.vendor, info.version].filter(Boolean).join(' ') || 'not said'],
    ['Network', info.chain_name],
    ['Its newest block', formats.count(info.block_height)],
    ['Blocks kept here', blocks],
  ];
}
