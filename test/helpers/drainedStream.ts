// Everything that a stream of blocks gives, and the failure that ends it.

import type { BlockStream } from '@wallet-companion/chain/ports';
import type { BlockBatch, BlockRef } from '@wallet-companion/zcash/scan';
import type { CompanionError } from '../../src/protocol/errors.ts';

interface Drained {
  readonly batches: BlockBatch[];
  readonly refs: BlockRef[];
  readonly error: CompanionError | undefined;
}

export async function drain(stream: BlockStream): Promise<Drained> {
  const batches: BlockBatch[] = [];
  const refs = (): BlockRef[] => batches.flatMap((batch) => batch.blocks);
  try {
    for (let batch = await stream.next(); batch !== null; batch = await stream.next()) batches.push(batch);
    return { batches, refs: refs(), error: undefined };
  } catch (error) {
    return { batches, refs: refs(), error: error as CompanionError };
  } finally {
    stream.close();
  }
}
