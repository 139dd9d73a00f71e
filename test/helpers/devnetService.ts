// A started service beside a devnet of its own; both are gone with the test.

import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/zcash/network';
import type { ExecutionContext } from 'ava';
import { type Service, startService } from './service.ts';

export interface DevnetServiceOptions {
  readonly seed: string;
  /** Where NU6.3 begins; default: 4. */
  readonly ironwoodFrom?: number;
  readonly hasCompactServer?: boolean;
  readonly config?: object;
}

export async function startDevnetService(
  t: ExecutionContext,
  { seed, ironwoodFrom = 4, hasCompactServer = false, config }: DevnetServiceOptions,
): Promise<{ devnet: Devnet; service: Service }> {
  const heights = { nu6_3: ironwoodFrom };
  const devnet = new Devnet({ params: regtestParameters(heights), seed });
  const service = await startService(t, {
    config: {
      network: 'regtest',
      activation_heights: heights,
      node_url: await devnet.node.listen(),
      ...(hasCompactServer ? { compact_server_url: await devnet.compact.listen() } : {}),
      ...config,
    },
  });
  t.teardown(async () => {
    await service.stop();
    service.remove();
    await devnet.close();
  });
  return { devnet, service };
}
