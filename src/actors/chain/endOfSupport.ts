// What to do about a node whose version stops by itself, two weeks ahead.

import type { Height } from '@wallet-companion/base/values';
import { secondsBetween } from '@wallet-companion/zcash/blockTimes';
import { MAIN } from '@wallet-companion/zcash/network';
import type { ServerName } from '../../protocol/operations/status.ts';

const DAY_SECONDS = 86_400;
const WARNED_DAYS = 14;

const NODE: Readonly<Record<ServerName, string>> = {
  node: 'The node',
  compact_server: 'The node behind the compact server',
};

/** `end`: its last block; `tip`: the newest block that is known here. Null where there is nothing to say yet. */
export function supportWarning(server: ServerName, end: Height | null, tip: Height): string | null {
  if (end === null) return null;
  if (tip > end)
    return `${NODE[server]} is past the end of its support, block ${end}, and stops by itself: install a newer version.`;
  const days = secondsBetween(MAIN.activation, tip, end) / DAY_SECONDS;
  if (days > WARNED_DAYS) return null;
  const when = days < 1 ? 'within a day' : `in about ${Math.round(days)} ${days < 1.5 ? 'day' : 'days'}`;
  return `${NODE[server]} stops by itself after block ${end}, ${when}: install a newer version before.`;
}
