// Proves a payment in a browser's worker: bundled for the test, served beside its data.

import { fetchProverData } from '@wallet-companion/halo2';
import { fetchKernel, fetchVesta } from '@wallet-companion/kernel/kernelFetch';
import { streamedProof } from './streamedProof.ts';

export interface ProofAnswer {
  readonly variant: string;
  readonly proof: string;
}

/** The project compiles without a browser's types. */
declare const self: { postMessage(answer: ProofAnswer): void };

const read =
  (folder: string) =>
  async (name: string): Promise<Uint8Array> =>
    new Uint8Array(await (await fetch(`/${folder}/${name}`)).arrayBuffer());

const module = await fetchVesta(await fetchKernel(read('wasm')), read('wasm'));
const data = await fetchProverData(read('data'));
const pczt = await read('files')('ready.pczt');
self.postMessage({ variant: module.variant, proof: await streamedProof(module, data, pczt) });
