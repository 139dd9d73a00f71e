// A scan pool without threads: the kernel that the workers have, in this one. It is compiled for the first task.

import { loadKernel } from '@wallet-companion/kernel/kernelLoad';
import type { ReadUnmined, ScannedBlock } from '@wallet-companion/zcash/scan';
import type { Enhancement, ScanPool } from '../../src/actors/wallet/ports/scanPool.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { createScanWork } from '../../src/workers/scanTask.ts';

type ScanWork = ReturnType<typeof createScanWork>;

let scanWork: ScanWork | undefined;

export async function workInline(work: Parameters<ScanWork>[0]): Promise<unknown> {
  scanWork ??= createScanWork(await loadKernel());
  return unwrap(scanWork(work));
}

export const inlinePool = (concurrency = 1): ScanPool => ({
  concurrency,
  scan: async (batch, keys) => (await workInline({ kind: 'scan', batch, keys })) as ScannedBlock[],
  enhance: async (task, keys) => (await workInline({ kind: 'enhance', task, keys })) as Enhancement,
  readUnmined: async (task, keys) =>
    (await workInline({ kind: 'unmined', task, keys })) as (ReadUnmined | null)[],
  leaves: async (batch, pool, range) => (await workInline({ kind: 'leaves', batch, pool, range })) as never,
  combine: async (protocol, level, nodes) =>
    (await workInline({ kind: 'combine', protocol, level, nodes })) as never,
  close: async () => undefined,
});
