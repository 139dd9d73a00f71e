// The long self test, for a build that the engine compiles in an experimental way: thousands of key agreements on each
// curve through the whole batch path, in batches of many sizes, with coordinates at the bounds of limbs and of the
// field. What they must give was computed with the portable build, and in part with the reference (its test).

import { bytesToHex } from '@wallet-companion/base/bytes';
import { sha256 } from '@wallet-companion/zcash/curves';
import type { ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { LANES_PER_BLOCK } from './batch/fieldLanes.ts';
import { instantiateKernel, type KernelInstance } from './batch/kernelInstance.ts';
import { personalWords } from './batch/noteKeys.ts';
import { CURVES, PROTOCOLS } from './curves.ts';
import { LIMBS, type PrimeField } from './generator/primeField.ts';
import type { KernelModule } from './load/kernelModule.ts';
import { encodeInteger } from './plan/integers.ts';

/** Below both orders. */
const SCALARS = [
  0x2fba24d1284e7a339332a8f24b47a54855afd022cfc1a295462f89c1e4b9a93n,
  0x767e739ff8b9264b1550ee21d187c4c62861c5fbcc0d014672bb2e575b90390n,
];

/** Blocks of each batch: 4,120 outputs in batches of full size, and more in small ones. */
export const TEST_BATCHES: readonly number[] = [1, 2, 3, 5, 8, 13, 64, 250, 258, 258, 264];

/** SHA-256 over all results, in order. */
const DIGESTS: Readonly<Record<ShieldedProtocol, string>> = {
  orchard: '8f531a3c7009102062648573ca6697c696a366bcb8162933a204a211b11bfc2a',
  sapling: 'b95de5fc8480ea6c78d8fffc6a3eba1769a1c3b648c512a55a2fdefd23162eab',
};

/** What `findLaneFault` computes for one batch, from the same inputs each time. */
export interface LaneResults {
  readonly scalar: bigint;
  readonly ephemeralKeys: Uint8Array;
  /** 32 bytes for each ephemeral key, without the sign; zeros where there is no result. */
  readonly coordinates: Uint8Array;
  /** For each ephemeral key a bit for each sign. */
  readonly flags: Uint8Array;
}

/** The results of each batch with each of the keys. */
export function* laneResults(kernel: KernelInstance, protocol: ShieldedProtocol): Generator<LaneResults> {
  const curve = CURVES[protocol];
  const { memory, symmetric } = kernel;
  const computation = curve.secrets(kernel);
  const plan = curve.plan(SCALARS);
  const [personal6, personal7] = personalWords(curve.encryption);
  const random = randomWords();
  const bounds = [...boundaryValues(curve.field)].map(encodeInteger);
  const mark = memory.mark();
  for (const blocks of TEST_BATCHES) {
    const lanes = blocks * LANES_PER_BLOCK;
    const words = Uint32Array.from({ length: lanes * 8 }, random);
    const ephemeralKeys = new Uint8Array(words.buffer);
    // Some in each batch, so that they come to lie in every lane.
    for (let lane = blocks % 3; lane < lanes && bounds.length > 0; lane += 7)
      ephemeralKeys.set(bounds[(lane + blocks) % bounds.length]!, lane * 32);
    const [epks, cipher, allowed, marked] = [
      memory.allocate(lanes * 32),
      ...[1, 2, 3].map(() => memory.allocate(lanes)),
    ] as [number, number, number, number];
    memory.bytes.set(ephemeralKeys, epks);
    for (let lane = 0; lane < lanes; lane++) memory.bytes[cipher + lane] = random() & 0xff;
    memory.bytes.fill(0xff, allowed, allowed + lanes);
    const { secrets, spoiltRows } = computation.compute(epks, blocks, plan);
    for (const [k, address] of secrets.entries()) {
      symmetric.leadFlags(marked, address!, epks, cipher, allowed, lanes, personal6, personal7);
      const coordinates = memory.bytes.slice(address, address! + lanes * 32);
      const flags = memory.bytes.slice(marked, marked + lanes);
      for (const lane of spoiltRows) {
        coordinates.fill(0, lane * 32, lane * 32 + 32);
        flags[lane] = 0;
      }
      yield { scalar: SCALARS[k]!, ephemeralKeys, coordinates, flags };
    }
    memory.release(mark);
  }
}

/** SHA-256 of all results of a curve. */
export function laneDigest(kernel: KernelInstance, protocol: ShieldedProtocol): string {
  let digest: Uint8Array = new Uint8Array(32);
  for (const { coordinates, flags } of laneResults(kernel, protocol)) {
    const all = new Uint8Array(32 + coordinates.length + flags.length);
    all.set(digest);
    all.set(coordinates, 32);
    all.set(flags, 32 + coordinates.length);
    digest = sha256(all);
  }
  return bytesToHex(digest);
}

/** The build's fault on this machine; undefined when it computes correctly. Takes half a second. */
export function findLaneFault(module: KernelModule): string | undefined {
  try {
    const wrong = PROTOCOLS.find(
      (protocol) => laneDigest(instantiateKernel(module), protocol) !== DIGESTS[protocol],
    );
    return wrong === undefined ? undefined : `wrong key agreements in ${wrong} outputs`;
  } catch (error) {
    return error instanceof Error ? error.message : 'it does not start';
  }
}

/** Around 0 and the modulus, and with each limb of the Montgomery form at one of its bounds. */
function* boundaryValues({ modulus, montgomeryBits }: PrimeField): Generator<bigint> {
  const limit = 1n << 255n;
  for (const near of [0n, modulus, limit]) {
    for (let offset = -2n; offset <= 2n; offset++)
      if (near + offset >= 0n && near + offset < limit) yield near + offset;
  }
  for (let signs = 0; signs < 1 << LIMBS; signs++) {
    let value = 0n;
    for (let limb = 0; limb < LIMBS; limb++) {
      const bound = 1n << BigInt(51 * limb + 50);
      value += (signs >> limb) & 1 ? bound : -bound;
    }
    value = ((value % modulus) + modulus) % modulus;
    for (let bit = 0; bit < montgomeryBits; bit++) value = (value % 2n === 0n ? value : value + modulus) / 2n;
    yield value;
  }
}

/** The same words each time (xorshift32). */
function randomWords(): () => number {
  let state = 0x9e37_79b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
