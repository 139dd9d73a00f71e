// Entry of a scan worker's thread with keys: opens jobs, reads blocks through the chain thread, has them scanned, and
// seals the results. It opens no connection.

import { parentPort, workerData } from 'node:worker_threads';
import { WORKER_ID_BYTES } from '@wallet-companion/fleet/jobs';
import { jobWork } from '@wallet-companion/fleet/worker';
import { bytesToHex } from '@wallet-companion/shielded/bytes';
import { networkParameters } from '@wallet-companion/shielded/network';
import { chainChannel, remoteChain } from './chainChannel.ts';
import { jobBlocks } from './fleetJobBlocks.ts';
import type { FleetScanThreadData, FromFleetScan, ToFleetScan } from './fleetMessages.ts';
import { fleetSealOf, systemRandom } from './fleetSeal.ts';
import { watchKernel } from './kernelWatch.ts';
import { chooseScanKernel } from './scanKernel.ts';
import { openScanPool } from './scanPool.ts';
import { createLog, faultLogger } from './threadLog.ts';

const parent = parentPort;
if (parent === null) throw new Error('the scan thread must be started as a worker');
const data = workerData as FleetScanThreadData;
const tell = (message: FromFleetScan, moved: ArrayBuffer[] = []): void => parent.postMessage(message, moved);
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

parent.on('message', (message: ToFleetScan) => {
  if (message.kind === 'close') {
    seal.close();
    void pool.close().finally(() => tell({ kind: 'closed' }));
    return;
  }
  const { id, job, call } = message;
  void work(id, job).then((outcome) => {
    if (typeof outcome === 'string') tell({ kind: 'outcome', call, outcome });
    else {
      const moved = Uint8Array.from(outcome);
      tell({ kind: 'outcome', call, outcome: moved }, [moved.buffer]);
    }
  });
});
await chain.configure(data.settings);
tell({ kind: 'ready', kernel: kernel.report.variant, worker });
