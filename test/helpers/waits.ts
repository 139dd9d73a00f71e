// How long tests wait for the servers that they start: as long as it takes. Decryption in plain TypeScript may keep a
// slow machine from its sockets for longer than any deadline of the product. A test about deadlines either asks a
// server that never answers, or says itself when the waits are over.

import type { After } from '@wallet-companion/base/async';
import { Patience } from '@wallet-companion/base/async';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { COMPACT_STREAM_LIMITS, type CompactStreamLimits } from '#chain/compact/compactBlockStream';
import { CompactClient } from '#chain/compact/compactClient';
import {
  COMPACT_CLIENT_LIMITS,
  CompactConnection,
  type CompactConnectionLimits,
} from '#chain/compact/compactConnection';
import { type CompactUpstream, compactUpstream } from '#chain/compact/compactUpstream';
import {
  JSON_RPC_LIMITS,
  JsonRpcClient,
  type JsonRpcEndpoint,
  type JsonRpcLimits,
} from '#chain/node/jsonRpc';
import { NodeRpc } from '#chain/node/nodeRpc';
import { NodeSource } from '#chain/node/nodeSource';

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
