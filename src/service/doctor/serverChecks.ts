// Node and compact server: what `status` knows of them, and what the clock says of their height.

import { SERVERS, type ServerName, type ServerView } from '../../protocol/operations/status.ts';
import type { Check } from '../../protocol/operations/system.ts';
import type { Output } from '../../protocol/operations.ts';
import { fail, ok, warn } from './check.ts';

/** The chain has no block for so long once in thousands of years. */
const SILENT_MS = 3_600_000;

const SET: Readonly<Record<ServerName, string>> = {
  node: '"wallet-companion config node-url URL --probe"',
  compact_server: '"wallet-companion config compact-server-url URL"',
};

const SUPPORT_CURE: Readonly<Record<ServerName, string>> = {
  node: 'Install a newer version of the node.',
  compact_server: `Its operator has to update that node; else name another: ${SET.compact_server}.`,
};

const SOURCE_CURE =
  'Turn them on with "peers" in config.json, which names some on regtest, or choose another source: "wallet-companion config block-source compact".';

/** The setting `block_source`. */
type SourceSetting = Output<'config.get'>['block_source'];

const SOURCE_TEXT: Readonly<Record<SourceSetting, string>> = {
  auto: 'No source of blocks is chosen yet: the first use chooses one.',
  node: 'Blocks come from the node.',
  compact: 'Blocks come from the compact server.',
  peers: 'Blocks come from peers of the network.',
};

export const sourceCheck = (source: SourceSetting): Check => ok('block_source', SOURCE_TEXT[source]);

/**
 * `leastHeight`: the chain is surely at least so high; undefined where blocks have no schedule. `now`: milliseconds. `birthday`: the
 * wallet's.
 */
export function serverChecks(
  status: Output<'system.status'>,
  source: SourceSetting,
  leastHeight: number | undefined,
  now: number,
  birthday: number | null = null,
): Check[] {
  const isAnyUp = SERVERS.some((name) => status[name].state === 'up');
  const needed = source === 'compact' ? 'compact_server' : source;
  return SERVERS.map((name) => {
    const use = needed === 'auto' ? 'perhaps' : needed === name ? 'needed' : 'not needed';
    return serverCheck(name, status, { use, isAnyUp, leastHeight, now, birthday });
  });
}

/** What peers of the network show, against which the servers' blocks are checked. */
export function peersCheck({ peers }: Output<'system.status'>, source: SourceSetting): Check {
  const { state, connected, height, bytes_today: bytes, warning } = peers;
  const isSource = source === 'peers';
  const lost = isSource ? fail : warn;
  const traffic = `${(bytes / 1e6).toFixed(1)} MB today`;
  const count = `${connected} ${connected === 1 ? 'peer' : 'peers'} of the network`;
  switch (state) {
    case 'off':
      return isSource
        ? fail('peers', 'Peers of the network are off, and blocks come from them.', SOURCE_CURE)
        : ok('peers', 'No peers of the network check the servers: "peers" in config.json turns that on.');
    case 'connecting':
      return lost(
        'peers',
        isSource
          ? 'No peer of the network is connected, and blocks come from them.'
          : 'No peer of the network is connected: the blocks of servers are not checked by work.',
        'See whether this computer may open connections to port 8233 (18233 on the test network).',
      );
    case 'catching_up':
      return ok(
        'peers',
        `${count} are connected; their headers are being read, up to ${height ?? 'none'} so far (${traffic}).`,
      );
    case 'current':
      return ok(
        'peers',
        `${count} show the chain of most work up to block ${height ?? 'unknown'} (${traffic}).`,
      );
    default:
      return warn(
        'peers',
        warning ?? state,
        'Compare the newest block with another source, such as an explorer.',
      );
  }
}

/** `statuses`: of the wallets that are open. Which blocks they are would tell strangers when the wallet was paid. */
export function contradictionsCheck(statuses: readonly Output<'sync.status'>[]): Check {
  const blocks = statuses.reduce((sum, { contradicted }) => sum + (contradicted?.blocks ?? 0), 0);
  if (blocks === 0)
    return ok(
      'contradicted',
      'Full blocks have contradicted no compact server, in the wallets that are open.',
    );
  return warn(
    'contradicted',
    `A compact server said something else about ${blocks} ${blocks === 1 ? 'block' : 'blocks'} than the full blocks of the node, which count.`,
    `"wallet-companion sync status" names server and blocks. Name another server with ${SET.compact_server}, or read from the node: "wallet-companion config block-source node".`,
  );
}

interface Known {
  /** Whether it is the block source; `perhaps`: none is chosen yet. */
  readonly use: 'needed' | 'not needed' | 'perhaps';
  /** One server is enough to choose it. */
  readonly isAnyUp: boolean;
  readonly leastHeight: number | undefined;
  readonly now: number;
  readonly birthday: number | null;
}

function serverCheck(name: ServerName, status: Output<'system.status'>, known: Known): Check {
  const { state, code, tip_height: tip } = status[name];
  const lost = known.use === 'needed' || !known.isAnyUp ? fail : warn;
  switch (state) {
    case 'up':
      return heightCheck(name, status[name], known);
    case 'behind':
      if (known.birthday !== null && known.birthday > (tip ?? known.birthday))
        return warn(
          name,
          `It answers, at height ${tip}, and the wallet's birthday is block ${known.birthday}.`,
          'Where the birthday is right, wait. Else "wallet-companion wallet rescan --from-height HEIGHT" lowers it for good, to a block before the first payment; then "wallet-companion sync --to-tip".',
        );
      return warn(
        name,
        'It answers, and is below what was scanned.',
        `Wait for it, or name another: ${SET[name]}.`,
      );
    case 'wrong_network':
      return fail(
        name,
        `It belongs to another network than "${status.network}".`,
        `Name one of this network with ${SET[name]}, or start with --network.`,
      );
    case 'other_chain':
      return fail(
        name,
        'It follows a chain with less work than the one that peers of the network show.',
        `Nothing of it is counted. Wait a moment, or name another: ${SET[name]}.`,
      );
    case 'refused':
      return fail(
        name,
        'It refuses our credentials.',
        'Name its cookie file: "wallet-companion config node-cookie-file FILE". An address that was set over HTTP gets no cookie.',
      );
    case 'lost':
    case 'unknown': {
      const { support_warning: support } = status[name];
      const silent = code === null ? 'It does not answer.' : `It does not answer (${code}).`;
      const what = support === null ? silent : `${silent} ${support}`;
      if (known.use === 'not needed') return ok(name, `${what} It is not the source of blocks.`);
      return lost(name, what, `Start it, or name another one with ${SET[name]}.`);
    }
  }
}

function heightCheck(name: ServerName, server: ServerView, { leastHeight, now }: Known): Check {
  const {
    tip_height: tip,
    tip_risen_at: risenAt,
    unknown_upgrade_height: upgrade,
    support_warning: support,
  } = server;
  const what = `It answers, at height ${tip ?? 'unknown'}.`;
  if (upgrade !== null)
    return warn(
      name,
      `${what} From height ${upgrade} on it has rules that this version does not know.`,
      'Install a newer version before then.',
    );
  if (support !== null) return warn(name, `${what} ${support}`, SUPPORT_CURE[name]);
  if (tip !== null && leastHeight !== undefined && tip < leastHeight)
    return warn(
      name,
      `${what} By this machine's clock the chain is above ${leastHeight}.`,
      'It may still be catching up, or be cut off from its peers: look at its log. Check the clock of this machine too.',
    );
  if (leastHeight !== undefined && risenAt !== null && now - Date.parse(risenAt) > SILENT_MS)
    return warn(
      name,
      `${what} No new block came for an hour or more.`,
      'Look at its log: it may have lost its peers.',
    );
  return ok(name, what);
}
