// Peers of a network over TCP, for tests: connections are real, time passes when the test says so.

import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Peers } from '@wallet-companion/chain/context';
import { PeerNetwork, type PeerNetworkParts } from '@wallet-companion/chain/peers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import type { ExecutionContext } from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';

const opened = (host: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });

/** Not started. `named`: addresses of peers. `own`: parts that are not those of every test. */
export function networkPeers(
  t: ExecutionContext,
  named: readonly string[],
  parameters = regtestParameters(),
  own: Partial<PeerNetworkParts> = {},
) {
  const timers = new Set<{ readonly ms: number; readonly strike: () => void }>();
  const left: string[] = [];
  let draws = 0;
  const peers = new PeerNetwork({
    parameters,
    named,
    files: undefined,
    after: (ms, strike) => {
      const timer = { ms, strike };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    now: () => 1_900_000_000_000,
    elapsed: () => 0,
    randomBytes: (length) => new Uint8Array(length).fill(++draws),
    dial: ({ host, port }) => opened(host, port),
    resolve: () => Promise.reject(new Error('no name is known')),
    solver: () => Promise.reject(new Error('regtest has no work')),
    left: ({ port }, why) => left.push(`${port}: ${why}`),
    failed: (where, error) => t.fail(`${where}: ${String(error)}`),
    ...own,
  });
  t.teardown(() => peers.close());
  return {
    peers,
    left,
    /** Strikes the timers of this length, or of those that are chosen. */
    pass: (ms: number | ((ms: number) => boolean)) => {
      const isMeant = typeof ms === 'number' ? (one: number) => one === ms : ms;
      for (const timer of [...timers]) if (isMeant(timer.ms) && timers.delete(timer)) timer.strike();
    },
  };
}

/** Peers of a wallet that begins before they can: its chain is made with it. */
export const latePeers = (made: { network?: ReturnType<typeof networkPeers> }): Peers => ({
  start: () => Promise.resolve(),
  close: () => made.network?.peers.close(),
  view: () =>
    made.network?.peers.view() ?? {
      ...({ state: 'connecting', peers: 0, agreeing: 0, bytesToday: 0 } as const),
      ...{ height: undefined, highest: undefined },
    },
  isOnBest: (height, hash) => made.network?.peers.isOnBest(height, hash),
  refresh: async (ms) => made.network?.peers.refresh(ms) ?? 0,
  send: (raw, txid) => made.network!.peers.send(raw, txid),
  transactionStatus: (txid) => made.network!.peers.transactionStatus(txid),
  get serving() {
    return made.network?.peers.serving ?? [];
  },
  get chain() {
    return made.network?.peers.chain;
  },
  untilOther: async (...asked) => made.network?.peers.untilOther(...asked) ?? false,
  currentChain: async (ms) => {
    if (made.network === undefined) throw new CompanionError('PEERS_UNREACHABLE', 'No peer is there yet.');
    return made.network.peers.currentChain(ms);
  },
});

/** Resolves when it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}
