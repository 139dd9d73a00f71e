// Starts a chain, its two servers and the HTTP calls.

import type { ActivationHeights } from '@wallet-companion/shielded/network';
import { CompanionError } from '../protocol/errors.ts';
import type { BlockClock } from './blockClock.ts';
import { serveCalls } from './callServer.ts';
import { callTable } from './callTable.ts';
import { Playground } from './playground.ts';

export interface DevnetOptions {
  /** Ports of the node, the compact server and the HTTP calls; 0 picks a free one. */
  readonly nodePort: number;
  readonly compactPort: number;
  /** Absent: no HTTP calls. */
  readonly httpPort?: number;
  readonly seed: string;
  readonly activation: Partial<ActivationHeights>;
  readonly clock?: BlockClock;
  /** `old`: a lightwalletd from before Ironwood. */
  readonly flavour?: 'zebrad' | 'old';
  readonly report?: (fields: object) => void;
}

export interface StartedDevnet {
  readonly playground: Playground;
  readonly nodeUrl: string;
  readonly compactServerUrl: string;
  readonly httpUrl: string | undefined;
  close(): Promise<void>;
}

/** Throws `INVALID_REQUEST` when a port is taken; then no server stays listening. */
export async function startDevnet(options: DevnetOptions): Promise<StartedDevnet> {
  const { nodePort, compactPort, httpPort, flavour, report = () => undefined } = options;
  const playground = new Playground(options);
  try {
    const nodeUrl = await bound(nodePort, 'node-port', playground.node.listen({ port: nodePort }));
    const compact = { port: compactPort, ...(flavour === undefined ? {} : { flavour }) };
    const compactServerUrl = await bound(compactPort, 'compact-port', playground.compact.listen(compact));
    const urls = { node_url: nodeUrl, compact_server_url: compactServerUrl };
    const table = callTable(playground, () => urls);
    const http =
      httpPort === undefined
        ? undefined
        : await bound(httpPort, 'http', serveCalls({ table, port: httpPort, report }));
    return {
      playground,
      nodeUrl,
      compactServerUrl,
      httpUrl: http?.url,
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
    throw new CompanionError('INVALID_REQUEST', detail, { cause });
  }
}
