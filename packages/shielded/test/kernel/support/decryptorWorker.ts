// Worker side of the test that one compiled kernel serves all threads.

import { parentPort, workerData } from 'node:worker_threads';
import { createDecryptor } from '../../../src/kernel/kernelDecryptor.ts';
import type { KernelModule } from '../../../src/kernel/load/kernelModule.ts';
import type { IncomingKey } from '../../../src/shielded/keys/decryptionKeys.ts';
import type { OutputColumns } from '../../../src/shielded/scan/types.ts';

const { module, columns, keys } = workerData as {
  module: KernelModule;
  columns: OutputColumns;
  keys: IncomingKey[];
};
parentPort?.postMessage(createDecryptor(module).decrypt(columns, keys));
