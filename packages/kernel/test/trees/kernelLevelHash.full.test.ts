// The kernel's tree hashes against the reference, for every build; and what happens where the kernel cannot hash.

import { bytesToHex, concatBytes, hexToBytes } from '@wallet-companion/base/bytes';
import type { ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { testEachCase } from '@wallet-companion/zcash/test/vectors';
import { type LevelHash, NODE_BYTES, PLAIN_LEVEL_HASH, TREE_DEPTH } from '@wallet-companion/zcash/trees';
import test from 'ava';
import fc from 'fast-check';
import { JUBJUB_MODULUS, PALLAS_MODULUS } from '../../src/kernel/generator/primeField.ts';
import { encodeInteger } from '../../src/kernel/plan/integers.ts';
import { createKernelLevelHashes, KernelLevelHash } from '../../src/kernel/trees/kernelLevelHash.ts';
import type { NodeHash } from '../../src/kernel/trees/nodeHash.ts';
import { DeterministicRandom } from '../support/deterministicRandom.ts';
import { KERNELS } from '../support/kernels.ts';

const PAIR_BYTES = 2 * NODE_BYTES;
const PROTOCOLS: readonly ShieldedProtocol[] = ['sapling', 'orchard'];
const MODULUS = { sapling: JUBJUB_MODULUS, orchard: PALLAS_MODULUS };

type Hashes = Readonly<Record<ShieldedProtocol, LevelHash>>;

/** One instance for all tests of a build: its tables take a while. A fault would hide behind the reference. */
const hashes = new Map<string, Promise<Hashes>>();
function hashesOf(build: keyof typeof KERNELS): Promise<Hashes> {
  let known = hashes.get(build);
  if (known === undefined) {
    known = KERNELS[build]().then((module) =>
      createKernelLevelHashes(module, (protocol, reason) => {
        throw new Error(`${build}, ${protocol}: ${reason}`);
      }),
    );
    hashes.set(build, known);
  }
  return known;
}

const BUILDS = Object.keys(KERNELS) as (keyof typeof KERNELS)[];

/** Integers at the edges of the field and of 255 bits, with and without the bit that is no part of the message. */
function edgeNodes(protocol: ShieldedProtocol): Uint8Array[] {
  const p = MODULUS[protocol];
  const top = 1n << 255n;
  const small = [0n, 1n, 2n, 1023n, 1024n, p - 1n, p, p + 1n, (p - 1n) / 2n, top - 1n];
  return [...small, ...small.map((value) => value + top)].map(encodeInteger);
}

const random = new DeterministicRandom('tree nodes');
const randomNode = (): Uint8Array => random.bytes(NODE_BYTES);

/** 200 pairs of random and of edge nodes, and their parents at level 11 by the reference. */
const KNOWN_LEVEL = 11;
const KNOWN_PAIRS = 200;
function knownPairs(protocol: ShieldedProtocol): {
  readonly nodes: Uint8Array;
  readonly parents: Uint8Array;
} {
  const edges = edgeNodes(protocol);
  const pick = () => (random.integer(2) === 0 ? randomNode() : edges[random.integer(edges.length)]!);
  const nodes = concatBytes(...Array.from({ length: 2 * KNOWN_PAIRS }, pick));
  return { nodes, parents: PLAIN_LEVEL_HASH[protocol].combineLevel(KNOWN_LEVEL, nodes) };
}
const known = new Map<ShieldedProtocol, ReturnType<typeof knownPairs>>();
function knownOf(protocol: ShieldedProtocol): ReturnType<typeof knownPairs> {
  let pairs = known.get(protocol);
  if (pairs === undefined) {
    pairs = knownPairs(protocol);
    known.set(protocol, pairs);
  }
  return pairs;
}

for (const build of BUILDS) {
  for (const protocol of PROTOCOLS) {
    test(`${build}, ${protocol}: batches of every size up to ${KNOWN_PAIRS} pairs`, async (t) => {
      const { [protocol]: hash } = await hashesOf(build);
      const { nodes, parents } = knownOf(protocol);
      for (let pairs = 0; pairs <= KNOWN_PAIRS; pairs++) {
        const joined = hash.combineLevel(KNOWN_LEVEL, nodes.subarray(0, pairs * PAIR_BYTES));
        if (!Buffer.from(joined).equals(parents.subarray(0, pairs * NODE_BYTES)))
          t.fail(`${pairs} pairs differ`);
      }
      t.is(bytesToHex(hash.combineLevel(KNOWN_LEVEL, nodes)), bytesToHex(parents));
    });

    test(`${build}, ${protocol}: levels of more nodes than one pass takes`, async (t) => {
      const { [protocol]: hash } = await hashesOf(build);
      const { nodes, parents } = knownOf(protocol);
      for (const pairs of [511, 512, 513, 1030]) {
        const tiles = Math.ceil(pairs / KNOWN_PAIRS);
        const tiled = (array: Uint8Array, bytes: number) =>
          concatBytes(...new Array<Uint8Array>(tiles).fill(array)).subarray(0, pairs * bytes);
        const joined = hash.combineLevel(KNOWN_LEVEL, tiled(nodes, PAIR_BYTES));
        t.true(Buffer.from(joined).equals(tiled(parents, NODE_BYTES)), `${pairs} pairs`);
      }
    });

    test(`${build}, ${protocol}: any nodes at any level, as the reference joins them`, async (t) => {
      const { [protocol]: hash } = await hashesOf(build);
      const node = fc.oneof(
        fc.uint8Array({ minLength: NODE_BYTES, maxLength: NODE_BYTES }),
        fc.constantFrom(...edgeNodes(protocol)),
      );
      const pair = fc.tuple(node, node).map((nodes) => concatBytes(...nodes));
      fc.assert(
        fc.property(
          fc.nat(TREE_DEPTH - 1),
          fc.oneof(fc.array(pair, { maxLength: 6 }), fc.array(pair, { minLength: 15, maxLength: 18 })),
          (level, pairs) => {
            const nodes = concatBytes(...pairs);
            const before = bytesToHex(nodes);
            t.is(
              bytesToHex(hash.combineLevel(level, nodes)),
              bytesToHex(PLAIN_LEVEL_HASH[protocol].combineLevel(level, nodes)),
            );
            t.is(bytesToHex(nodes), before);
          },
        ),
        { numRuns: 12 },
      );
    });
  }

  test(`${build}: empty roots of every height, and every level in lanes`, async (t) => {
    for (const protocol of PROTOCOLS) {
      const { [protocol]: hash } = await hashesOf(build);
      const plain = PLAIN_LEVEL_HASH[protocol];
      for (let height = TREE_DEPTH; height >= 0; height--)
        t.is(bytesToHex(hash.emptyRoot(height)), bytesToHex(plain.emptyRoot(height)));
      for (let level = 0; level < TREE_DEPTH; level++) {
        const pair = concatBytes(plain.emptyRoot(level), plain.emptyRoot(level));
        const joined = hash.combineLevel(level, concatBytes(...new Array<Uint8Array>(17).fill(pair)));
        t.is(bytesToHex(joined), bytesToHex(plain.emptyRoot(level + 1)).repeat(17));
      }
    }
  });
}

testEachCase<{ leaves: string[]; root: string }>(
  'orchard_merkle_tree',
  'Orchard tree on the kernel',
  async (t, { leaves, root }) => {
    for (const build of BUILDS) {
      const { orchard } = await hashesOf(build);
      let nodes: Uint8Array = concatBytes(...leaves.map(hexToBytes));
      for (let level = 0; nodes.length > NODE_BYTES; level++) nodes = orchard.combineLevel(level, nodes);
      t.is(bytesToHex(nodes), root);
    }
  },
);

testEachCase<{ empty_roots: string[] }>(
  'orchard_empty_roots',
  'Orchard empty roots on the kernel',
  async (t, { empty_roots }) => {
    for (const build of BUILDS) {
      const { orchard } = await hashesOf(build);
      t.deepEqual(
        empty_roots.map((_, height) => bytesToHex(orchard.emptyRoot(height))),
        empty_roots,
      );
    }
  },
);

test('the answer is memory of its own, and the two pools do not disturb each other', async (t) => {
  const { sapling, orchard } = await hashesOf('fma');
  const take = (protocol: ShieldedProtocol) => knownOf(protocol).nodes.subarray(0, 40 * PAIR_BYTES);
  const expected = (protocol: ShieldedProtocol) =>
    bytesToHex(knownOf(protocol).parents.subarray(0, 40 * NODE_BYTES));
  const first = sapling.combineLevel(KNOWN_LEVEL, take('sapling'));
  const second = orchard.combineLevel(KNOWN_LEVEL, take('orchard'));
  const third = sapling.combineLevel(KNOWN_LEVEL, take('sapling'));
  t.deepEqual([first, second, third].map(bytesToHex), [
    expected('sapling'),
    expected('orchard'),
    expected('sapling'),
  ]);
  t.is(first.buffer.byteLength, first.length);
});

test('no level above the tree and no half of a pair is taken', async (t) => {
  const kernel = await hashesOf('fma');
  for (const protocol of PROTOCOLS) {
    const { [protocol]: hash } = kernel;
    const pair = new Uint8Array(PAIR_BYTES);
    for (const level of [-1, 32, 0.5, Number.NaN])
      t.throws(() => hash.combineLevel(level, pair), { instanceOf: RangeError }, `level ${level}`);
    for (const length of [1, 31, 32, 63, 65, 96])
      t.throws(() => hash.combineLevel(0, new Uint8Array(length)), { instanceOf: RangeError }, `${length}`);
    t.is(hash.combineLevel(0, new Uint8Array(0)).length, 0);
  }
});

const PAIR = concatBytes(encodeInteger(5n), encodeInteger(6n));

for (const protocol of PROTOCOLS) {
  const plain = PLAIN_LEVEL_HASH[protocol];

  test(`${protocol}: a kernel that hashes wrongly or does not start is replaced by the reference, and says so`, (t) => {
    const wrong: NodeHash = { batchPairs: 8, join: (_, nodes) => nodes.slice(0, nodes.length / 2) };
    const creations = {
      'wrong root of a known tree': () => wrong,
      'no memory': (): NodeHash => {
        throw new Error('no memory');
      },
    };
    for (const [reason, create] of Object.entries(creations)) {
      const faults: string[] = [];
      const hash = new KernelLevelHash(protocol, create, (fault) => faults.push(fault));
      t.deepEqual(faults, []);
      for (let turn = 0; turn < 2; turn++)
        t.is(bytesToHex(hash.combineLevel(3, PAIR)), bytesToHex(plain.combineLevel(3, PAIR)));
      t.is(bytesToHex(hash.emptyRoot(2)), bytesToHex(plain.emptyRoot(2)));
      t.deepEqual(faults, [reason]);
    }
  });

  test(`${protocol}: a batch that the kernel leaves open is joined by the reference`, (t) => {
    let calls = 0;
    let isLeavingOpen = false;
    const hash = new KernelLevelHash(
      protocol,
      () => ({
        batchPairs: 2,
        join: (level, nodes) => {
          const isOpen = isLeavingOpen && calls++ % 2 === 0;
          return isOpen ? undefined : plain.combineLevel(level, nodes);
        },
      }),
      (reason) => t.fail(reason),
    );
    // Tried on the known tree.
    hash.combineLevel(0, PAIR);
    isLeavingOpen = true;
    const nodes = concatBytes(...Array.from({ length: 10 }, randomNode));
    t.is(bytesToHex(hash.combineLevel(1, nodes)), bytesToHex(plain.combineLevel(1, nodes)));
    t.is(calls, 3);
  });
}

test('a kernel that cannot be instantiated leaves both trees to the reference', async (t) => {
  const module = await KERNELS.fma();
  const { jubjub } = module.modules;
  const faults: string[] = [];
  const broken = { ...module, modules: { ...module.modules, pallas: jubjub } };
  const kernel = createKernelLevelHashes(broken, (protocol) => faults.push(protocol));
  for (const protocol of PROTOCOLS) {
    const joined = kernel[protocol].combineLevel(0, PAIR);
    t.is(bytesToHex(joined), bytesToHex(PLAIN_LEVEL_HASH[protocol].combineLevel(0, PAIR)));
  }
  t.deepEqual(faults, PROTOCOLS);
});

test('nothing is made before the first level is joined', (t) => {
  let made = 0;
  const hash = new KernelLevelHash(
    'sapling',
    () => {
      made++;
      return { batchPairs: 64, join: (level, nodes) => PLAIN_LEVEL_HASH.sapling.combineLevel(level, nodes) };
    },
    (reason) => t.fail(reason),
  );
  hash.emptyRoot(0);
  t.is(made, 0);
  hash.combineLevel(0, PAIR);
  hash.combineLevel(1, PAIR);
  t.is(made, 1);
});
