// The test of a tree hash before it is used: a tree of 64 leaves that are not field elements, whose root the reference
// implementation computed. It passes through a batch of lanes and, near the root, through few pairs.

import { bytesToHex } from '@wallet-companion/base/bytes';
import type { ShieldedProtocol } from '@wallet-companion/zcash/pools';
import type { NodeHash } from './nodeHash.ts';

const LEAVES = 64;

const ROOTS: Readonly<Record<ShieldedProtocol, string>> = {
  sapling: '52f3f6ad6e22942d0e8edb6f3299091fabf38e74ed469ef87ffae7a9b128b31c',
  orchard: 'bba5004c9a5e3d8cad2f08eb9ffa71c81383a70f9984423145fce2b75496b511',
};

/** Bytes from a linear congruential generator. */
export function knownLeaves(): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: LEAVES * 32 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

/** The hash's fault on this machine; undefined when it computes correctly. */
export function findTreeFault(protocol: ShieldedProtocol, hash: NodeHash): string | undefined {
  let nodes: Uint8Array | undefined = knownLeaves();
  for (let level = 0; nodes !== undefined && nodes.length > 32; level++) nodes = hash.join(level, nodes);
  return nodes !== undefined && bytesToHex(nodes) === ROOTS[protocol]
    ? undefined
    : 'wrong root of a known tree';
}
