// What the chain actor needs from outside, injected so that tests provide servers, files and time.

import type { After } from '@wallet-companion/base/async';
import type { EventBody } from '@wallet-companion/client/contract';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { CompactUpstream } from '../compact/compactUpstream.ts';
import type { Frontier } from '../peers/frontiers.ts';
import type { PeerNetwork } from '../peers/peerNetwork.ts';
import type { ChainNode } from '../ports/chainSource.ts';
import type { CompactStores } from '../ports/compactStore.ts';
import type { LoopIdle } from '../ranges/fetchMeter.ts';

export interface NodeEndpoint {
  readonly url: string;
  readonly cookieFile: string | null;
  /** The node has a cookie file, but this address may not have the cookie. */
  readonly isCookieWithheld?: boolean;
}

/** The peers of a network, as the chain actor asks them. */
export type Peers = Pick<
  PeerNetwork,
  | 'start'
  | 'close'
  | 'view'
  | 'isOnBest'
  | 'refresh'
  | 'send'
  | 'transactionStatus'
  | 'serving'
  | 'currentChain'
  | 'chain'
  | 'untilOther'
>;

export interface PeersQuery {
  readonly parameters: NetworkParameters;
  /** Of the files that are kept. */
  readonly folder: string;
  readonly named: readonly string[];
  /** Where the headers must begin; absent: at the newest known blocks. */
  readonly start?: Frontier['start'] | undefined;
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
