// A compact block read back from the store.
import { CompanionError } from '../protocol/errors.ts';
import { FormatError } from '../shielded/bytes.ts';
import { type CompactBlockSkim, skimCompactBlock } from '../shielded/chain/skim.ts';

/** Errors: `STORAGE_FAILED`. */
export function skimStored(data: Uint8Array, height: number): CompactBlockSkim {
  try {
    const skim = skimCompactBlock(data);
    if (skim.height === height) return skim;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
  throw new CompanionError(
    'STORAGE_FAILED',
    `The compact store holds a damaged block at height ${height}; remove the store and sync it again.`,
  );
}
