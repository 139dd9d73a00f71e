// Public compact servers that a person without a node can choose from: a short, dated list, and a try of each at her request.
// Nothing here is a default: no server is asked, and none is used, before a person has chosen it.

import { type After, Patience } from '@wallet-companion/base/async';
import type { CompactUpstream } from '@wallet-companion/chain/compact';
import type { PublicServer } from '@wallet-companion/chain/ports';
import type { Network } from '@wallet-companion/zcash/network';
import { CompanionError, toErrorRecord } from '../../../protocol/errors.ts';
import type { Output } from '../../../protocol/operations.ts';

/** When the list below was last compared with what operators and other wallets publish. */
const LIST_DATE = '2026-11-29';

const of = (host: string, operator: string, where: string, network: Network = 'main'): PublicServer => ({
  compact_server_url: `https://${host}:443`,
  operator,
  where,
  network,
});

const ZEC_ROCKS = 'zec.rocks (paid by grants; publishes its code and a status page)';
const STARDUST = 'Stardust';

/** At most ten. Config `public_servers` replaces it. */
const LIST: readonly PublicServer[] = [
  of('zec.rocks', ZEC_ROCKS, 'the nearest of its servers'),
  of('na.zec.rocks', ZEC_ROCKS, 'North America'),
  of('sa.zec.rocks', ZEC_ROCKS, 'South America'),
  of('eu.zec.rocks', ZEC_ROCKS, 'Europe'),
  of('ap.zec.rocks', ZEC_ROCKS, 'Asia and the Pacific'),
  of('us.zec.stardust.rest', STARDUST, 'United States'),
  of('eu.zec.stardust.rest', STARDUST, 'Europe'),
  of('zec-node.cakewallet.com', 'Cake Wallet (maker of a wallet)', ''),
  of('zec.0xrpc.io', '0xRPC (free, asks for donations)', ''),
  of('testnet.zec.rocks', ZEC_ROCKS, '', 'test'),
];

/** What every such server sees and can do, before a person chooses one. */
const NOTICE =
  'It learns your network address and which transactions are yours. It cannot spend, and cannot see amounts. It can hide payments, or show false ones, until they are checked with a second source.';

/** A server so far below the highest one is of no use for new payments. */
const MOST_BLOCKS_BEHIND = 300;
/** A person waits for the list; a server that needs longer would be a bad choice. */
const PATIENCE_MS = 10_000;

type Answer = Output<'lwd.servers'>;
type Tried = NonNullable<Answer['servers'][number]['tried']>;

interface TryContext {
  /** Connects at the first call. */
  readonly open: (url: string) => CompactUpstream;
  /** Milliseconds, from any origin. */
  readonly now: () => number;
  readonly after?: After | undefined;
}

/** The servers of the network; `context` tries each once, all at the same time. */
export async function publicServers(
  network: Network,
  given: readonly PublicServer[] | null,
  context: TryContext | undefined,
): Promise<Answer> {
  const servers = (given ?? LIST).filter((server) => server.network === network);
  const tried =
    context === undefined
      ? servers.map(() => null)
      : await Promise.all(servers.map(({ compact_server_url: url }) => triedServer(url, context)));
  const best = Math.max(...tried.map((one) => one?.height ?? 0));
  return {
    list_date: given === null ? LIST_DATE : null,
    notice: NOTICE,
    servers: servers.map(({ network: _, ...server }, at) => {
      const one = tried[at] ?? null;
      const isBehind = one?.height != null && one.height < best - MOST_BLOCKS_BEHIND;
      return { ...server, tried: one !== null && isBehind ? { ...one, state: 'behind' } : one };
    }),
  };
}

/** Its network and the rules it knows are checked before its tip is asked for. Never rejects. */
async function triedServer(url: string, { open, now, after }: TryContext): Promise<Tried> {
  const began = now();
  const elapsed = (): number => Math.round(now() - began);
  const failed = (error: unknown): Tried => {
    const { code, detail } = toErrorRecord(error);
    return { state: 'failed', height: null, code, detail, elapsed_ms: elapsed() };
  };
  let server: CompactUpstream | undefined;
  try {
    server = open(url);
    const asked = server;
    const answer = await new Patience(PATIENCE_MS, after).within(() => asked.tip());
    if (answer === undefined)
      return failed(new CompanionError('UPSTREAM_TIMEOUT', 'The server gave no answer within ten seconds.'));
    return { state: 'up', height: answer.height, code: null, detail: null, elapsed_ms: elapsed() };
  } catch (error) {
    return failed(error);
  } finally {
    server?.close();
  }
}
