// Entry of the thread that compiles and tests the kernel, and then ends.

import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../actors/wallet/ports/storage.ts';
import { chooseScanKernel } from './scanKernel.ts';

parentPort?.postMessage(await chooseScanKernel(workerData as Config['scan_kernel']));
