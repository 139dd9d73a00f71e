// Reads shielded parts from CompactBlock messages (light wallet protocol 0.5.0). The fields that identify and link the
// block are read on arrival (`summarizeCompactBlock`).
import { walkCompactTransaction } from '../encoding/compactItems.ts';
import { ProtobufReader } from '../encoding/protobuf.ts';
import type { ShieldedParts } from './shieldedParts.ts';

/** Returns the block's time, in seconds since 1970. FormatError when one of its items is malformed. */
export function readCompactBlock(bytes: Uint8Array, parts: ShieldedParts): number {
  const reader = new ProtobufReader(bytes);
  let time = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 5) time = reader.uint32();
    else if (field === 7) {
      const before = parts.counts();
      const head = walkCompactTransaction(reader, bytes, parts);
      parts.addTransaction(before, { ...head, full: undefined });
    } else reader.skipValue();
  }
  return time;
}
