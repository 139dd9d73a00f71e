// A chain and its two servers, listening, and the calls that change them: by name, and over HTTP where a program brings the
// server for it, since whom that lets in is the program's business.

import type { ActivationHeights } from '@wallet-companion/zcash/network';
import type { BlockClock } from './blockClock.ts';
import { type CallTable, callTable } from './callTable.ts';
import type { FindWrongProofs } from './chainView.ts';
import { DevnetError } from './devnetError.ts';
import { Playground } from './playground.ts';

/** A server for the calls over HTTP. */
export type ServeCalls = (options: {
  readonly table: CallTable;
  readonly port: number;
  /** Told of a fault of the devnet itself. */
  readonly report: (fields: object) => void;
}) => Promise<{ readonly url: string; close(): Promise<void> }>;

export interface StartOptions {
  /** Ports of the node, the compact server and the HTTP calls; 0 picks a free one. */
  readonly nodePort: number;
  readonly compactPort: number;
  /** Absent: no HTTP calls. */
  readonly http?: { readonly port: number; readonly serve: ServeCalls };
  readonly seed: string;
  readonly activation: Partial<ActivationHeights>;
  readonly clock?: BlockClock;
  readonly findWrongProofs?: FindWrongProofs | undefined;
  /** `old`: a lightwalletd from before Ironwood. */
  readonly flavour?: 'zebrad' | 'old';
  readonly report?: (fields: object) => void;
}

export interface StartedDevnet {
  readonly playground: Playground;
  readonly nodeUrl: string;
  readonly compactServerUrl: string;
  readonly httpUrl: string | undefined;
  readonly calls: CallTable;
  close(): Promise<void>;
}

/** Throws `DevnetError` when a port is taken; then no server stays listening. */
export async function startDevnet(options: StartOptions): Promise<StartedDevnet> {
  const { nodePort, compactPort, http: wanted, flavour, report = () => undefined } = options;
  const playground = new Playground(options);
  try {
    const nodeUrl = await bound(nodePort, 'node-port', playground.node.listen({ port: nodePort }));
    const compact = { port: compactPort, ...(flavour === undefined ? {} : { flavour }) };
    const compactServerUrl = await bound(compactPort, 'compact-port', playground.compact.listen(compact));
    const urls = { node_url: nodeUrl, compact_server_url: compactServerUrl };
    const calls = callTable(playground, () => urls);
    const http =
      wanted && (await bound(wanted.port, 'http', wanted.serve({ table: calls, port: wanted.port, report })));
    return {
      playground,
      nodeUrl,
      compactServerUrl,
      httpUrl: http?.url,
      calls,
      close: async () => {
        await Promise.all([http?.close(), playground.close()]);
      },
    };
  } catch (thrown) {
    await playground.close();
    throw thrown;
  }
}

/** Each server reports a taken port with a different message. */
async function bound<T>(port: number, option: string, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (cause) {
    const detail = `Port ${port} is not to be had; is something running there? Choose another with --${option} (0: a free one).`;
    throw new DevnetError(detail, { cause });
  }
}
