// The level hashes of both trees on the kernel. The first join of a level instantiates a kernel in this thread, computes
// the pool's table (some 50 ms) and hashes a known tree. If that fails, the reference hashes this pool from then on; it
// also hashes every case that the kernel's formulas do not cover.

import { bytesToHex, concatBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { type LevelHash, NODE_BYTES, PLAIN_LEVEL_HASH, TREE_DEPTH } from '@wallet-companion/zcash/trees';
import { instantiateKernel, type KernelInstance } from '../batch/kernelInstance.ts';
import type { KernelModule } from '../load/kernelModule.ts';
import type { NodeHash } from './nodeHash.ts';
import { PedersenNodes } from './pedersenNodes.ts';
import { SinsemillaNodes } from './sinsemillaNodes.ts';

const PAIR_BYTES = 2 * NODE_BYTES;

/** Called once per pool when the kernel cannot hash its tree here; `reason` is human-readable. */
export type OnTreeFault = (protocol: ShieldedProtocol, reason: string) => void;

/**
 * Both protocols' level hashes on one kernel of this thread, of 8 MiB when both have been used. Each is tested at its
 * first use; where it computes wrongly, or does not start, `onFault` is told and the plain hash takes over.
 */
export function createKernelLevelHashes(
  module: KernelModule,
  onFault: OnTreeFault = () => {},
): Readonly<Record<ShieldedProtocol, LevelHash>> {
  let instance: KernelInstance | undefined;
  const kernel = (): KernelInstance => {
    instance ??= instantiateKernel(module);
    return instance;
  };
  const hashOf = (protocol: ShieldedProtocol, create: () => NodeHash) =>
    new KernelLevelHash(protocol, create, (reason) => onFault(protocol, reason));
  return {
    sapling: hashOf('sapling', () => new PedersenNodes(kernel(), module.variant)),
    orchard: hashOf('orchard', () => new SinsemillaNodes(kernel(), module.variant)),
  };
}

/** One pool's level hash; `create` makes the node hash at its first use. */
export class KernelLevelHash implements LevelHash {
  readonly #protocol: ShieldedProtocol;
  readonly #plain: LevelHash;
  readonly #create: () => NodeHash;
  readonly #onFault: (reason: string) => void;
  #hash: NodeHash | 'none' | undefined;
  readonly #emptyRoots: Uint8Array[] = [];

  constructor(protocol: ShieldedProtocol, create: () => NodeHash, onFault: (reason: string) => void) {
    this.#protocol = protocol;
    this.#plain = PLAIN_LEVEL_HASH[protocol];
    this.#create = create;
    this.#onFault = onFault;
  }

  combineLevel(level: number, nodes: Uint8Array): Uint8Array {
    if (!Number.isInteger(level) || level < 0 || level >= TREE_DEPTH)
      throw new RangeError(`a level is a whole number below ${TREE_DEPTH}`);
    if (nodes.length % PAIR_BYTES !== 0) throw new RangeError('nodes of 32 bytes are joined in pairs');
    const hash = this.#prepared();
    if (hash === 'none') return this.#plain.combineLevel(level, nodes);
    const joined = new Uint8Array(nodes.length / 2);
    const step = hash.batchPairs * PAIR_BYTES;
    for (let at = 0; at < nodes.length; at += step) {
      const batch = nodes.subarray(at, at + step);
      joined.set(hash.join(level, batch) ?? this.#plain.combineLevel(level, batch), at / 2);
    }
    return joined;
  }

  emptyRoot(height: Height): Uint8Array {
    const roots = this.#emptyRoots;
    if (roots.length === 0) roots.push(this.#plain.emptyRoot(0));
    for (let i = roots.length; i <= height; i++) {
      const below = roots[i - 1]!;
      roots.push(this.combineLevel(i - 1, concatBytes(below, below)));
    }
    return roots[height]!;
  }

  #prepared(): NodeHash | 'none' {
    if (this.#hash !== undefined) return this.#hash;
    let fault: string | undefined;
    try {
      const hash = this.#create();
      fault = findTreeFault(this.#protocol, hash);
      this.#hash = fault === undefined ? hash : 'none';
    } catch (error) {
      fault = error instanceof Error ? error.message : 'it does not start';
      this.#hash = 'none';
    }
    if (fault !== undefined) this.#onFault(fault);
    return this.#hash;
  }
}

// The test of a tree hash before it is used: a tree of 64 leaves that are not field elements, whose root the reference
// implementation computed. It passes through a batch of lanes and, near the root, through few pairs.
const LEAVES = 64;

const ROOTS: Readonly<Record<ShieldedProtocol, string>> = {
  sapling: '52f3f6ad6e22942d0e8edb6f3299091fabf38e74ed469ef87ffae7a9b128b31c',
  orchard: 'bba5004c9a5e3d8cad2f08eb9ffa71c81383a70f9984423145fce2b75496b511',
};

/** Bytes from a linear congruential generator. */
function knownLeaves(): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: LEAVES * 32 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

/** The hash's fault on this machine; undefined when it computes correctly. */
function findTreeFault(protocol: ShieldedProtocol, hash: NodeHash): string | undefined {
  let nodes: Uint8Array | undefined = knownLeaves();
  for (let level = 0; nodes !== undefined && nodes.length > 32; level++) nodes = hash.join(level, nodes);
  return nodes !== undefined && bytesToHex(nodes) === ROOTS[protocol]
    ? undefined
    : 'wrong root of a known tree';
}
