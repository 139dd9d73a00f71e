// Entry of the thread that compiles and tests the kernel, and then ends.

import { parentPort, workerData } from 'node:worker_threads';
import { chooseScanKernel, type KernelRequest } from './scanKernel.ts';

parentPort?.postMessage(await chooseScanKernel(workerData as KernelRequest));
