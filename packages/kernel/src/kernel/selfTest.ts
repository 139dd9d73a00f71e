// Start-up self test: one known key agreement per curve through the whole batch path, and its key derivation. A
// multiply-add that is not really fused, or a miscompiled kernel, is certain to give another result, because every
// product of limbs depends on it. The expected values were computed with the reference implementation.

import { equalBytes, hexToBytes } from '@wallet-companion/base/bytes';
import type { ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { LANES_PER_BLOCK } from './batch/fieldLanes.ts';
import { instantiateKernel, type KernelInstance } from './batch/kernelInstance.ts';
import { personalWords } from './batch/noteKeys.ts';
import { CURVES, PROTOCOLS } from './curves.ts';
import type { KernelModule } from './load/kernelModule.ts';

interface KnownAgreement {
  readonly scalar: bigint;
  readonly ephemeralKey: string;
  /** Encoding of [scalar] epk (Jubjub: [8 scalar] epk), parity in the top bit. */
  readonly secret: string;
  /** First byte of ChaCha20's block 1 under the derived key. */
  readonly keystream: number;
}

const KNOWN: Readonly<Record<ShieldedProtocol, KnownAgreement>> = {
  orchard: {
    scalar: 0x2fba24d1284e7a339332a8f24b47a54855afd022cfc1a295462f89c1e4b9a930n,
    ephemeralKey: '36b1a34e348bd739bde2341425981d49058cfebe1f511146a7bffb16449ed289',
    secret: '6e2e6a3902b7e012c714e22dc46123e649b49cd5d0059a9c46be352f4445029d',
    keystream: 0x92,
  },
  sapling: {
    scalar: 0x767e739ff8b9264b1550ee21d187c4c62861c5fbcc0d014672bb2e575b90390n,
    ephemeralKey: '9dc4ff7257474a77c65b524115843e730cb18b41b9722681a4d4fd08f29b5829',
    secret: '256b25b3db28ec322dcec35722fca419b1ec67d27fad3d81009774e6c66d5408',
    keystream: 0x5f,
  },
};

function agrees(kernel: KernelInstance, protocol: ShieldedProtocol): boolean {
  const { memory, symmetric } = kernel;
  const curve = CURVES[protocol];
  const known = KNOWN[protocol];
  const epks = memory.allocate(LANES_PER_BLOCK * 32);
  const cipher = memory.allocate(3 * LANES_PER_BLOCK);
  const epk = hexToBytes(known.ephemeralKey);
  for (let lane = 0; lane < LANES_PER_BLOCK; lane++) memory.bytes.set(epk, epks + lane * 32);
  const [secrets] = curve.secrets(kernel).compute(epks, 1, curve.plan([known.scalar])).secrets;
  if (secrets === undefined) return false;
  const parity = Number.parseInt(known.secret.slice(62), 16) >> 7;
  const coordinate = hexToBytes(known.secret);
  coordinate[31]! &= 0x7f;
  // The plaintext's lead byte is 2 in every lane.
  memory.bytes.fill(known.keystream ^ 2, cipher, cipher + LANES_PER_BLOCK);
  memory.bytes.fill(2, cipher + LANES_PER_BLOCK, cipher + 2 * LANES_PER_BLOCK);
  const flags = cipher + 2 * LANES_PER_BLOCK;
  const [personal6, personal7] = personalWords(curve.encryption);
  symmetric.leadFlags(
    flags,
    secrets,
    epks,
    cipher,
    cipher + LANES_PER_BLOCK,
    LANES_PER_BLOCK,
    personal6,
    personal7,
  );
  for (let lane = 0; lane < LANES_PER_BLOCK; lane++) {
    const start = secrets + lane * 32;
    if (!equalBytes(coordinate, memory.bytes.subarray(start, start + 32))) return false;
    if (((memory.bytes[flags + lane]! >> parity) & 1) !== 1) return false;
  }
  return true;
}

/** The kernel's fault on this machine; undefined when it computes correctly. */
export function findKernelFault(module: KernelModule): string | undefined {
  try {
    const kernel = instantiateKernel(module);
    const wrong = PROTOCOLS.find((protocol) => !agrees(kernel, protocol));
    return wrong === undefined ? undefined : `wrong key agreement in ${wrong} outputs`;
  } catch (error) {
    return error instanceof Error ? error.message : 'it does not start';
  }
}
