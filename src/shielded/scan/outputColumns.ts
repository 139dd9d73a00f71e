// Packs outputs of one pool into columns, the form that both trial decryptors read.
import type { Pool } from '../network.ts';
import type { ShieldedOutput } from './blockContents.ts';
import type { OutputColumns } from './types.ts';

export interface OutputRow {
  readonly output: ShieldedOutput;
  /** Leaf index of the commitment. */
  readonly position: number;
  /** Mask of `allowedLeadBytes`. */
  readonly leadBytes: number;
}

export function packOutputColumns(pool: Pool, rows: readonly OutputRow[]): OutputColumns {
  const count = rows.length;
  const ephemeralKeys = new Uint8Array(count * 32);
  const ciphertexts = new Uint8Array(count * 52);
  const commitments = new Uint8Array(count * 32);
  const hasRho = pool !== 'sapling';
  const nullifiers = new Uint8Array(hasRho ? count * 32 : 0);
  const positions = new Uint32Array(count);
  const leadBytes = new Uint8Array(count);
  for (const [row, { output, position, leadBytes: mask }] of rows.entries()) {
    ephemeralKeys.set(output.ephemeralKey, row * 32);
    ciphertexts.set(output.compactCiphertext, row * 52);
    commitments.set(output.commitment, row * 32);
    if (hasRho) nullifiers.set(output.rho, row * 32);
    positions[row] = position;
    leadBytes[row] = mask;
  }
  return { pool, count, ephemeralKeys, ciphertexts, commitments, nullifiers, positions, leadBytes };
}
