// What the kernel that the companion uses takes alone, on this machine, now, in this Node: the figure that a scan of the
// same outputs is put beside. Two viewing keys, as an account has them; nobody's outputs, one thread.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processorMicroseconds, randomKeys, scanInput } from '@wallet-companion/kernel/bench/scanInput';
import { createDecryptor } from '@wallet-companion/kernel/kernel';
import type { Pool, TreeSizes } from '@wallet-companion/zcash/pools';
import { ReferenceDecryptor } from '@wallet-companion/zcash/scan';
import { KERNEL_FILE } from '../../src/storage/files/dataFiles.ts';
import { chooseScanKernel, type ScanKernel } from '../../src/workers/scanKernel.ts';

const KEYS = 2;
const ROWS = 1_024;
const ROUNDS = 15;

/** Microseconds of processor time for an output. */
export interface KernelFigure {
  readonly variant: string;
  readonly sapling: number;
  readonly orchard: number;
}

let chosen: Promise<ScanKernel> | undefined;
/** Where the result of the wide build's test is. */
let folder: string | undefined;

function choose(): Promise<ScanKernel> {
  const made = mkdtempSync(path.join(tmpdir(), 'companion-bench-kernel-'));
  folder = made;
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return chooseScanKernel({ configured: 'auto', configDir: made });
}

/** Measured companions need not test the wide build again. */
export function giveKernelRecord(configDir: string): void {
  if (folder === undefined) return;
  const record = path.join(folder, KERNEL_FILE);
  if (existsSync(record)) copyFileSync(record, path.join(configDir, KERNEL_FILE));
}

export async function measureKernel(): Promise<KernelFigure> {
  chosen ??= choose();
  const { module, report } = await chosen;
  const decryptor = module === undefined ? new ReferenceDecryptor() : createDecryptor(module);
  const figure = (pool: Pool): number => {
    const keys = randomKeys(pool, KEYS);
    const { columns } = scanInput(pool, ROWS, keys[0]!, 0);
    decryptor.decrypt(columns, keys);
    const rounds = Array.from({ length: ROUNDS }, () =>
      processorMicroseconds(() => decryptor.decrypt(columns, keys)),
    );
    return median(rounds) / ROWS;
  };
  return { variant: report.variant, sapling: figure('sapling'), orchard: figure('orchard') };
}

/** Ironwood is Orchard's protocol. */
export const kernelSeconds = ({ sapling, orchard }: KernelFigure, outputs: TreeSizes): number =>
  (sapling * outputs.sapling + orchard * (outputs.orchard + outputs.ironwood)) / 1e6;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
