// The hashes of the note commitment trees: a full subtree of 65,536 leaves, and levels of few nodes, on the kernel and on
// the plain reference, of which a part is measured and the rest extrapolated. Processor time; the answers are compared
// before anything is timed.

import { randomFillSync } from 'node:crypto';
import { createKernelLevelHashes } from '@wallet-companion/kernel/kernel';
import { loadKernel } from '@wallet-companion/kernel/kernelLoad';
import type { ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { type LevelHash, NODE_BYTES, PLAIN_LEVEL_HASH } from '@wallet-companion/zcash/trees';
import { processorMicroseconds } from './scanInput.ts';
import { tableOf } from './table.ts';

const SUBTREE_LEAVES = 65_536;
const SUBTREE_HASHES = SUBTREE_LEAVES - 1;
const PLAIN_PAIRS = 256;
const SMALL_PAIRS = [1, 2, 4, 8, 16, 32];
const ROUNDS = 3;

const randomNodes = (count: number): Uint8Array => randomFillSync(new Uint8Array(count * NODE_BYTES));

function fastest(work: () => void): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => processorMicroseconds(work)));
}

function subtreeRoot(hash: LevelHash, leaves: Uint8Array): Uint8Array {
  let nodes = leaves;
  for (let level = 0; nodes.length > NODE_BYTES; level++) nodes = hash.combineLevel(level, nodes);
  return nodes;
}

/** Microseconds for one level of so many pairs, repeated until it can be measured. */
function levelTime(hash: LevelHash, pairs: number, repeat: number): number {
  const nodes = randomNodes(2 * pairs);
  return (
    fastest(() => {
      for (let i = 0; i < repeat; i++) hash.combineLevel(0, nodes);
    }) / repeat
  );
}

export async function run(): Promise<void> {
  const isWide = process.env['WALLET_COMPANION_KERNEL'] === 'wide';
  const builds = [
    await loadKernel({ choice: isWide ? 'wide' : 'auto' }),
    await loadKernel({ choice: 'portable' }),
  ];
  console.log(`Node ${process.version}, kernel ${builds[0]!.variant}: ${builds[0]!.reason}`);
  const subtrees: Record<string, string | number>[] = [];
  const levels: Record<string, string | number>[] = [];
  for (const protocol of ['sapling', 'orchard'] as const satisfies readonly ShieldedProtocol[]) {
    const plain = PLAIN_LEVEL_HASH[protocol];
    const sample = randomNodes(2 * PLAIN_PAIRS);
    const expected = plain.combineLevel(0, sample);
    const perHash = fastest(() => plain.combineLevel(0, sample)) / PLAIN_PAIRS;
    const row = (by: string, seconds: number, firstUse?: number) =>
      subtrees.push({
        tree: protocol,
        by,
        'CPU seconds': seconds.toFixed(2),
        'us per node': ((seconds * 1e6) / SUBTREE_HASHES).toFixed(1),
        'ms at first use': firstUse?.toFixed(0) ?? '',
      });
    for (const module of builds) {
      const { [protocol]: hash } = createKernelLevelHashes(module, (_, reason) => {
        throw new Error(reason);
      });
      const firstUse =
        processorMicroseconds(() => hash.combineLevel(0, sample.subarray(0, 2 * NODE_BYTES))) / 1000;
      if (!Buffer.from(hash.combineLevel(0, sample)).equals(expected)) throw new Error('the answers differ');
      const leaves = randomNodes(SUBTREE_LEAVES);
      row(`kernel, ${module.variant}`, fastest(() => subtreeRoot(hash, leaves)) / 1e6, firstUse);
      if (module !== builds[0]) continue;
      for (const pairs of SMALL_PAIRS) {
        levels.push({
          tree: protocol,
          pairs,
          'kernel, us': levelTime(hash, pairs, 50).toFixed(0),
          'plain, us': levelTime(plain, pairs, 2).toFixed(0),
        });
      }
    }
    row('plain, extrapolated', (perHash * SUBTREE_HASHES) / 1e6);
  }
  console.log(`\na subtree of ${SUBTREE_LEAVES} leaves\n${tableOf(subtrees)}`);
  console.log(`\none level of few pairs\n${tableOf(levels)}`);
}
