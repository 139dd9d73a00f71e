// Scans in a browser's worker, with the kernel that the companion has: bundled for the test, served beside its input.
import { createDecryptor } from '@wallet-companion/kernel/kernel';
import { fetchKernel, findNoteFault } from '@wallet-companion/kernel/kernelFetch';
import { type Notes, type ScanInput, scanNotes } from './scanNotes.ts';

export interface WorkerAnswer {
  readonly variant: string;
  readonly fault: string | undefined;
  readonly notes: Notes;
}

/** The project compiles without a browser's types. */
declare const self: { postMessage(answer: WorkerAnswer): void };

const read = async (name: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(`/wasm/${name}`)).arrayBuffer());

const kernel = await fetchKernel(read);
const input = (await (await fetch('/input.json')).json()) as ScanInput;
const notes = scanNotes(input, createDecryptor(kernel));
self.postMessage({ variant: kernel.variant, fault: findNoteFault(kernel), notes });
