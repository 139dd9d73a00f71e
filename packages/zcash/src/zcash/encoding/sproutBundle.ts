// JoinSplits (Sprout pool). The companion has no Sprout keys: they are skipped, and kept only to compute txids.
import type { ByteReader } from '@wallet-companion/base/bytes';
import { NO_RECORDS, type Records, takeRecords } from './records.ts';

/** JoinSplit descriptions: with a PHGR13 proof up to version 3, with a Groth16 proof in version 4. */
const PHGR13_JOINSPLIT_SIZE = 1802;
const GROTH16_JOINSPLIT_SIZE = 1698;

export interface SproutBundle {
  readonly joinSplits: Records;
  /** 32 and 64 bytes; empty without JoinSplits. */
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

const NOTHING = new Uint8Array(0);
export const EMPTY_SPROUT: SproutBundle = { joinSplits: NO_RECORDS, publicKey: NOTHING, signature: NOTHING };

export function readSproutBundle(reader: ByteReader, version: number): SproutBundle {
  const size = version >= 4 ? GROTH16_JOINSPLIT_SIZE : PHGR13_JOINSPLIT_SIZE;
  const count = reader.count(size);
  if (count === 0) return EMPTY_SPROUT;
  return {
    joinSplits: takeRecords(reader, count, size),
    publicKey: reader.take(32),
    signature: reader.take(64),
  };
}
