// What the kernel alone takes on this machine, now, in this Node: the figure that a scan of the same outputs is put
// beside. Two viewing keys, as an account has them; nobody's outputs, one thread.
import { createDecryptor } from '@wallet-companion/shielded/kernel';
import { loadKernel } from '@wallet-companion/shielded/kernelLoad';
import type { Pool, TreeSizes } from '@wallet-companion/shielded/pools';
import { processorMicroseconds, randomKeys, scanInput } from '#shielded-bench/scanInput';

const KEYS = 2;
const ROWS = 1_024;
const ROUNDS = 15;

/** Microseconds of processor time for an output. */
export interface KernelFigure {
  readonly sapling: number;
  readonly orchard: number;
}

export async function measureKernel(): Promise<KernelFigure> {
  const decryptor = createDecryptor(await loadKernel());
  const figure = (pool: Pool): number => {
    const keys = randomKeys(pool, KEYS);
    const { columns } = scanInput(pool, ROWS, keys[0]!, 0);
    decryptor.decrypt(columns, keys);
    const rounds = Array.from({ length: ROUNDS }, () =>
      processorMicroseconds(() => decryptor.decrypt(columns, keys)),
    );
    return median(rounds) / ROWS;
  };
  return { sapling: figure('sapling'), orchard: figure('orchard') };
}

/** Ironwood is Orchard's protocol. */
export const kernelSeconds = ({ sapling, orchard }: KernelFigure, outputs: TreeSizes): number =>
  (sapling * outputs.sapling + orchard * (outputs.orchard + outputs.ironwood)) / 1e6;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
