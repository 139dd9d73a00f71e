// Node hashes in the scan pool: a whole subtree takes seconds, too long for a thread that answers calls.

import { mapInOrder } from '@wallet-companion/base/async';
import type { ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { NODE_BYTES, type PatientLevelHash, TREE_HASH } from '@wallet-companion/zcash/trees';
import type { ScanPool } from '../ports/scanPool.ts';

/** Per task: a third of a second at most, so that a parallel scan goes on. */
const PAIRS_AT_ONCE = 512;

type Combiner = Pick<ScanPool, 'combine' | 'concurrency'>;

/** Constant, and only 32 hashes. */
const emptyRoots: Readonly<Record<ShieldedProtocol, Uint8Array[]>> = { sapling: [], orchard: [] };

export function poolHash(pool: Combiner, protocol: ShieldedProtocol): PatientLevelHash {
  const combineLevel = async (level: number, nodes: Uint8Array): Promise<Uint8Array> => {
    const joined = new Uint8Array(nodes.length / 2);
    let at = 0;
    const combine = (piece: Uint8Array) => pool.combine(protocol, level, piece);
    for await (const piece of mapInOrder(pieces(nodes), pool.concurrency + 1, combine)) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  };
  return {
    combineLevel,
    emptyRoot: async (height) => {
      const roots = emptyRoots[protocol];
      roots[0] ??= TREE_HASH[protocol].emptyRoot(0);
      for (let level = roots.length; level <= height; level++) {
        const below = roots[level - 1]!;
        const both = new Uint8Array(2 * NODE_BYTES);
        both.set(below);
        both.set(below, NODE_BYTES);
        roots[level] = await combineLevel(level - 1, both);
      }
      return roots[height]!;
    },
  };
}

/** Copies: a view would send the whole level with each message. */
function* pieces(nodes: Uint8Array): Generator<Uint8Array, void, void> {
  const size = 2 * NODE_BYTES * PAIRS_AT_ONCE;
  for (let at = 0; at < nodes.length; at += size) yield nodes.slice(at, at + size);
}
