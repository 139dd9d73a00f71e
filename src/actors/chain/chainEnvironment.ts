// What the chain actor needs from outside, injected so that tests provide servers, files and time.

import type { After } from '@wallet-companion/base/async';
import type { CompactUpstream } from '@wallet-companion/chain/compact';
import type { PeerNetwork } from '@wallet-companion/chain/peers';
import type { ChainNode, CompactStores } from '@wallet-companion/chain/ports';
import type { LoopIdle } from '@wallet-companion/chain/ranges';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { EventBody } from '../../protocol/events.ts';

export interface NodeEndpoint {
  readonly url: string;
  readonly cookieFile: string | null;
  /** The node has a cookie file, but this address may not have the cookie. */
  readonly isCookieWithheld?: boolean;
}

/** The peers of a network, as the chain actor asks them. */
export type Peers = Pick<PeerNetwork, 'start' | 'close' | 'view' | 'isOnBest' | 'refresh'>;

export interface PeersQuery {
  readonly parameters: NetworkParameters;
  /** Of the files that are kept. */
  readonly folder: string;
  readonly named: readonly string[];
}

export interface ChainEnvironment {
  /** Connects at the first call. Throws `INVALID_URL`. */
  readonly openNode: (endpoint: NodeEndpoint, parameters: NetworkParameters) => ChainNode;
  /** Connects at the first call. Throws `INVALID_URL`. */
  readonly openCompact: (url: string, parameters: NetworkParameters) => CompactUpstream;
  /** Connects when it is started. Absent: no peers are asked, whatever the settings. */
  readonly openPeers?: (query: PeersQuery) => Peers;
  readonly stores: CompactStores;
  /** Milliseconds, from any origin. */
  readonly now: () => number;
  readonly logFault: (where: string, fault: unknown) => void;
  /** Milliseconds since 1970; default: the system's. */
  readonly clock?: () => number;
  /** Default: that of this thread. */
  readonly loopIdle?: LoopIdle;
  /** Limits how long a caller of `system.status` waits for a server. */
  readonly after?: After;
  /** Reports that the state of a configured server changed. */
  readonly reportServer?: (change: EventBody<'server.changed'>) => void;
  /** Logs what a server's answers show against this computer's clock. */
  readonly clockWrong?: (warning: string) => void;
}
