// Entry of a scan worker's thread with keys: opens jobs, reads blocks through the chain thread, has them scanned, and
// seals the results. It opens no connection.

import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { wipe } from '@wallet-companion/shielded/bytes';
import { networkParameters } from '@wallet-companion/shielded/network';
import { readFleetKey } from '../fleet/files/secretFile.ts';
import { FleetSeal } from '../fleet/sealed/fleetSeal.ts';
import { jobWork } from '../fleet/worker/jobWork.ts';
import { mailboxOf, remoteChain } from './chainMailbox.ts';
import type { FleetScanThreadData, FromFleetScan, ToFleetScan } from './fleetMessages.ts';
import { chooseScanKernel } from './scanKernel.ts';
import { openScanPool } from './scanPool.ts';
import { createLog, faultLogger } from './threadLog.ts';

const parent = parentPort;
if (parent === null) throw new Error('the scan thread must be started as a worker');
const data = workerData as FleetScanThreadData;
const tell = (message: FromFleetScan, moved: ArrayBuffer[] = []): void => parent.postMessage(message, moved);
const logFault = faultLogger(createLog('scan', data.logLevel));

const key = readFleetKey(data.keyFile);
const seal = new FleetSeal(key, (length) => new Uint8Array(randomBytes(length)));
wipe(key);
const mailbox = mailboxOf(data.chain);
const chain = remoteChain(() => mailbox);
const { network, activation } = networkParameters(data.settings.network, data.settings.activation);
const { module, report } = await chooseScanKernel(data.scanKernel);
const pool = openScanPool(data.scanThreads, Promise.resolve(module));
const heights = { network, ...activation };
const work = jobWork({ seal, chain, source: data.source, pool, heights, logFault });

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
tell({ kind: 'ready', kernel: report.variant });
