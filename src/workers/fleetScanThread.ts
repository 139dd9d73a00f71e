// Entry of a scan worker's thread with keys: opens jobs, reads blocks through the chain thread, has them scanned, and
// seals the results. It opens no connection.

import { workerData } from 'node:worker_threads';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { WORKER_ID_BYTES } from '@wallet-companion/fleet/jobs';
import { jobWork } from '@wallet-companion/fleet/worker';
import { networkParameters } from '@wallet-companion/zcash/network';
import { chainChannel, remoteChain } from './chainChannel.ts';
import { type Methods, move } from './channel.ts';
import { jobBlocks } from './fleetJobBlocks.ts';
import type { FleetScanMethods, FleetScanThreadData } from './fleetMethods.ts';
import { fleetSealOf, systemRandom } from './fleetSeal.ts';
import { watchKernel } from './kernelWatch.ts';
import { chooseScanKernel } from './scanKernel.ts';
import { openScanPool } from './scanPool.ts';
import { starterChannel } from './thread.ts';
import { createLog, faultLogger } from './threadLog.ts';

const data = workerData as FleetScanThreadData;
const identity = systemRandom(WORKER_ID_BYTES);
const worker = bytesToHex(identity);
const log = createLog('scan', data.logLevel).child({ worker });
const logFault = faultLogger(log);

const seal = fleetSealOf(data.keyFile);
const upstream = chainChannel(data.chain);
const chain = remoteChain(() => upstream);
const { network, activation } = networkParameters(data.settings.network, data.settings.activation);
const kernel = await chooseScanKernel({ configured: data.scanKernel });
void watchKernel(kernel, undefined, log);
const pool = openScanPool(data.scanThreads, Promise.resolve(kernel.module));
const heights = { network, ...activation };
const work = jobWork({
  worker: identity,
  seal,
  scan: jobBlocks(chain, data.source, pool),
  heights,
  // So that the compact store keeps its tail and not the whole chain.
  scannedUpTo: (lastScanHeight) => chain.walletScanned({ lastScanHeight }),
  logFault,
});

starterChannel<Methods, FleetScanMethods>({
  calls: {
    start: async () => {
      await chain.configure(data.settings);
      return { kernel: kernel.report.variant, worker };
    },
    work: async ({ id, job }) => {
      const outcome = await work(id, job);
      if (typeof outcome === 'string') return outcome;
      const moved = Uint8Array.from(outcome);
      return move(moved, [moved.buffer]);
    },
    close: () => {
      seal.close();
      return pool.close();
    },
  },
});
