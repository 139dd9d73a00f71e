// Consensus encodings store most shielded data as runs of fixed-size records. A run is parsed by its length alone and
// stays one view on the block's bytes; fields are cut out only when needed.
import type { ByteReader } from '@wallet-companion/base/bytes';

export interface Records {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Bytes of one record. */
  readonly size: number;
}

export const NO_RECORDS: Records = { bytes: new Uint8Array(0), count: 0, size: 0 };

export function takeRecords(reader: ByteReader, count: number, size: number): Records {
  return count === 0 ? NO_RECORDS : { bytes: reader.take(count * size), count, size };
}

/** View on `length` bytes at `offset` of record `index`. */
export function recordField(records: Records, index: number, offset: number, length: number): Uint8Array {
  const start = index * records.size + offset;
  return records.bytes.subarray(start, start + length);
}

export function recordAt(records: Records, index: number): Uint8Array {
  return recordField(records, index, 0, records.size);
}
