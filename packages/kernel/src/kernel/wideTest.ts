// Whether the wide build may be used on this machine. Run it in a separate process: the engine's flags apply to the whole
// process, and a compiler that fails may end it.

import { BuildDecryptor } from './buildDecryptor.ts';
import { findLaneFault } from './laneSelfTest.ts';
import type { KernelModule } from './load/kernelModule.ts';
import { KernelUnavailableError } from './load/kernelModule.ts';
import { loadKernel } from './loadKernel.ts';
import { findNoteFault, KNOWN_NOTES, knownNoteInput } from './noteSelfTest.ts';
import { prepareWideKernel } from './wideFlags.ts';

/** Outputs of a batch, and how often both builds decrypt it, in turn. */
const ROWS = 1024;
const TURNS = 5;

/** Where the processor has no wider vectors, the build is slower than `fma`. */
const WORTH = 1.1;
/** Begins the reason where the build computes correctly and is only too slow. */
export const NOT_WORTH_IT = 'the wide kernel is not worth it here';

/** Why the wide build is not to be used; undefined where it computes correctly and is worth it. Takes a second. */
export async function findWideFault(): Promise<string | undefined> {
  prepareWideKernel();
  try {
    const wide = await loadKernel({ choice: 'wide' });
    const fault = findLaneFault(wide) ?? findNoteFault(wide);
    if (fault !== undefined) return `the wide kernel fails its self test: ${fault}`;
    const gain = gainOver(await loadKernel(), wide);
    return gain < WORTH ? `${NOT_WORTH_IT} (${gain.toFixed(2)} times as fast)` : undefined;
  } catch (error) {
    if (error instanceof KernelUnavailableError) return error.message;
    throw error;
  }
}

function gainOver(narrow: KernelModule, wide: KernelModule): number {
  const { columns, key } = knownNoteInput(KNOWN_NOTES.find(({ pool }) => pool === 'ironwood')!);
  const repeated = (column: Uint8Array) =>
    Uint8Array.from({ length: column.length * ROWS }, (_, i) => column[i % column.length]!);
  const rows = {
    ...columns,
    count: ROWS,
    ephemeralKeys: repeated(columns.ephemeralKeys),
    // No row is opened: only the batch path counts.
    ciphertexts: repeated(columns.ciphertexts),
    leadBytes: new Uint8Array(ROWS),
  };
  const decryptors = [narrow, wide].map((module) => new BuildDecryptor(module));
  const times = decryptors.map(() => Infinity);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, decryptor] of decryptors.entries()) {
      const start = performance.now();
      decryptor.decrypt(rows, [key]);
      times[i] = Math.min(times[i]!, performance.now() - start);
    }
  }
  return times[0]! / times[1]!;
}
