// How long tests wait for the servers that they start: as long as it takes. Decryption in plain TypeScript may keep a
// slow machine from its sockets for longer than any deadline of the product. A test about deadlines either asks a
// server that never answers, or says itself when the waits are over.

import type { NetworkParameters } from '@wallet-companion/shielded/network';
import {
  COMPACT_STREAM_LIMITS,
  type CompactStreamLimits,
} from '../../src/actors/chain/compact/compactBlockStream.ts';
import { CompactClient } from '../../src/actors/chain/compact/compactClient.ts';
import {
  COMPACT_CLIENT_LIMITS,
  CompactConnection,
  type CompactConnectionLimits,
} from '../../src/actors/chain/compact/compactConnection.ts';
import { type CompactUpstream, compactUpstream } from '../../src/actors/chain/compact/compactUpstream.ts';
import {
  JSON_RPC_LIMITS,
  JsonRpcClient,
  type JsonRpcEndpoint,
  type JsonRpcLimits,
} from '../../src/actors/chain/node/jsonRpc.ts';
import { NodeRpc } from '../../src/actors/chain/node/nodeRpc.ts';
import { NodeSource } from '../../src/actors/chain/node/nodeSource.ts';
import type { After } from '../../src/async/after.ts';
import { Patience } from '../../src/async/patience.ts';

/** Longer than any test runs. */
const HOURS_MS = 6 * 3_600_000;

/** Of a machine so late that a chain of any height is possible: tests make theirs as high as they like. */
export const lateClock = (): number => Date.UTC(9999, 0, 1);

/** A wait that a test leaves behind does not keep its process. */
const after: After = (ms, strike) => {
  const timer = setTimeout(strike, ms).unref();
  return () => clearTimeout(timer);
};

export const PATIENT_RPC: JsonRpcLimits = {
  ...JSON_RPC_LIMITS,
  idleMs: HOURS_MS,
  totalMs: HOURS_MS,
  after,
};

export const PATIENT_CLIENT: CompactConnectionLimits = {
  ...COMPACT_CLIENT_LIMITS,
  callMs: HOURS_MS,
  idleMs: HOURS_MS,
  streamMs: HOURS_MS,
  blockWaitMs: HOURS_MS,
  keepaliveMs: HOURS_MS,
  after,
};

/** As often as in life, but our servers need no time to recover. */
export const EAGER_STREAM: CompactStreamLimits = {
  ...COMPACT_STREAM_LIMITS,
  retryDelaysMs: COMPACT_STREAM_LIMITS.retryDelaysMs.map(() => 1),
  movedDelaysMs: COMPACT_STREAM_LIMITS.movedDelaysMs.map(() => 1),
};

export const endlessPatience = (): Patience => new Patience(HOURS_MS, after);

/** As `openNodeSource`. */
export const openPatientNode = (
  endpoint: JsonRpcEndpoint,
  parameters: NetworkParameters,
  limits: JsonRpcLimits = PATIENT_RPC,
  wallClock: () => number = lateClock,
): NodeSource => new NodeSource(new NodeRpc(new JsonRpcClient(endpoint, limits)), parameters, wallClock);

/** As `openCompactUpstream`. */
export const openPatientCompact = (
  url: string,
  parameters: NetworkParameters,
  limits: CompactConnectionLimits = PATIENT_CLIENT,
  patience: Patience = endlessPatience(),
  wallClock: () => number = lateClock,
): CompactUpstream => {
  const connection = new CompactConnection(url, limits);
  const server = new CompactClient(connection, parameters, EAGER_STREAM, wallClock);
  return compactUpstream(server, parameters, patience);
};

/** Waits that last until the test ends them. */
export class Waits {
  readonly #open = new Set<{ readonly strike: () => void }>();
  #areOver = false;

  readonly after: After = (_ms, strike) => {
    const wait = { strike };
    this.#open.add(wait);
    if (this.#areOver) setImmediate(() => this.#end(wait));
    return () => this.#open.delete(wait);
  };

  /** How many are under way. */
  get open(): number {
    return this.#open.size;
  }

  /** Ends those under way, and those that begin later at once. */
  end(): void {
    this.#areOver = true;
    for (const wait of [...this.#open]) this.#end(wait);
  }

  /** What begins from now on lasts again. */
  begin(): void {
    this.#areOver = false;
  }

  #end(wait: { readonly strike: () => void }): void {
    if (this.#open.delete(wait)) wait.strike();
  }
}
