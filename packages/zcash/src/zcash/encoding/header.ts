// Block header: protocol specification §7.6.

import { ByteReader, concatBytes, encodeCompactSize, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { doubleSha256 } from '../hashes/sha256.ts';
import { asBlockHash, type BlockHash } from '../identifiers.ts';

export interface BlockHeader {
  readonly version: number;
  readonly prevHash: BlockHash;
  readonly merkleRoot: Uint8Array;
  /** finalSaplingRoot, history root or hashBlockCommitments, depending on the upgrade. */
  readonly blockCommitments: Uint8Array;
  /** Seconds since 1970. */
  readonly time: number;
  readonly bits: number;
  readonly nonce: Uint8Array;
  /** Equihash solution: 1344 bytes on the public networks, 36 on regtest; any length is parsed. */
  readonly solution: Uint8Array;
}

export interface ParsedHeader extends BlockHeader {
  readonly hash: BlockHash;
  /** Length of the header in bytes, solution included. */
  readonly headerLength: number;
}

/** Advances past one header and returns it with its hash; FormatError when it is cut short. */
export function readHeader(reader: ByteReader): ParsedHeader {
  const start = reader.offset;
  const version = reader.u32() | 0;
  const prevHash = asBlockHash(reader.take(32));
  const merkleRoot = reader.take(32);
  const blockCommitments = reader.take(32);
  const time = reader.u32();
  const bits = reader.u32();
  const nonce = reader.take(32);
  const solution = reader.take(reader.count(1));
  const headerLength = reader.offset - start;
  const hash = asBlockHash(doubleSha256(reader.bytes.subarray(start, reader.offset)));
  return { version, prevHash, merkleRoot, blockCommitments, time, bits, nonce, solution, hash, headerLength };
}

/**
 * A block header (protocol specification §7.6), with its hash. Bytes after it are not looked at. Throws `FormatError`.
 */
export const parseHeader = (bytes: Uint8Array): ParsedHeader => readHeader(new ByteReader(bytes));

export function serializeHeader(header: BlockHeader): Uint8Array {
  return concatBytes(
    u32ToLeBytes(header.version),
    header.prevHash,
    header.merkleRoot,
    header.blockCommitments,
    u32ToLeBytes(header.time),
    u32ToLeBytes(header.bits),
    header.nonce,
    encodeCompactSize(header.solution.length),
    header.solution,
  );
}
