// Worker side of the test that one compiled kernel serves all threads.

import { parentPort, workerData } from 'node:worker_threads';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import type { OutputColumns } from '@wallet-companion/zcash/scan';
import { createDecryptor } from '../../src/kernel/kernelDecryptor.ts';
import type { KernelModule } from '../../src/kernel/load/kernelModule.ts';

const { module, columns, keys } = workerData as {
  module: KernelModule;
  columns: OutputColumns;
  keys: IncomingKey[];
};
parentPort?.postMessage(createDecryptor(module).decrypt(columns, keys));
