// Loaded before everything else into every thread of a companion that is measured (`--import`): writes down which
// thread of the operating system it is, whose time can then be read from outside, and how many scan workers there are
// to be. Nothing of the companion knows of it.
import { appendFileSync, readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { isMainThread, threadId, workerData } from 'node:worker_threads';

export function nameOfThread(data: unknown = workerData): string {
  if (isMainThread) return 'main';
  if (typeof data === 'object' && data !== null) {
    if ('dataDir' in data) return 'wallet';
    // Chooses the kernel, and ends.
    if ('configured' in data) return 'kernel';
    if ('front' in data) return 'chain';
  }
  return `scan ${threadId}`;
}

const { BENCH_THREADS: file, BENCH_SCAN_THREADS: scanThreads } = process.env;
if (file !== undefined) {
  try {
    // "PID/task/TID"; Linux alone has it.
    const tid = path.basename(readlinkSync('/proc/thread-self'));
    appendFileSync(file, `${tid} ${threadId} ${nameOfThread()}\n`);
  } catch {
    // The threads go without names then.
  }
}
if (isMainThread && scanThreads !== undefined) {
  os.availableParallelism = () => Number(scanThreads);
  syncBuiltinESMExports();
}
