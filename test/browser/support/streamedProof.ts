// A payment's proof under a stream of draws, in Node and in a browser.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { createActionProver, type ProverData } from '@wallet-companion/halo2';
import { seededStream } from '@wallet-companion/halo2/test/seededStream';
import { instantiateVesta, type VestaModule } from '@wallet-companion/kernel/vesta';
import { decodePczt } from '@wallet-companion/pczt/pczt';

/** In hexadecimal digits. */
export async function streamedProof(
  module: VestaModule,
  data: ProverData,
  pczt: Uint8Array,
): Promise<string> {
  const { random } = seededStream('47'.repeat(32));
  const prover = createActionProver({ kernel: instantiateVesta(module), ...data, random });
  return bytesToHex((await prover.prove(decodePczt(pczt).pczt)).ironwood.zkproof!);
}
