// Full blocks as a node serves them: protocol specification §7.6 and §7.7.
import { ByteReader, concatBytes, encodeCompactSize, FormatError } from '@wallet-companion/base/bytes';
import { type BlockHeader, type ParsedHeader, readHeader, serializeHeader } from './header.ts';
import { readTransaction, type Transaction } from './transaction.ts';

/** Consensus limit on a serialized block, and therefore on everything inside it. */
export const MAX_BLOCK_SIZE = 2_000_000;

/** Version (4 bytes), no input, no output, lock time (4 bytes): no transaction of any version is shorter. */
const MIN_TRANSACTION_SIZE = 10;

export interface Block {
  readonly header: ParsedHeader;
  /** In block order; the first one is the coinbase. Their fields are views on the block's bytes. */
  readonly transactions: readonly Transaction[];
}

/** Parses header and transactions; FormatError when anything is malformed, too large or followed by more bytes. */
export function parseBlock(bytes: Uint8Array): Block {
  const transactions: Transaction[] = [];
  const header = walkBlock(bytes, (transaction) => transactions.push(transaction));
  return { header, transactions };
}

/** Calls `visit` for each transaction in order without keeping them. */
export function walkBlock(
  bytes: Uint8Array,
  visit: (transaction: Transaction, index: number) => void,
): ParsedHeader {
  if (bytes.length > MAX_BLOCK_SIZE) throw new FormatError(`a block of ${bytes.length} bytes is too large`);
  const reader = new ByteReader(bytes);
  const header = readHeader(reader);
  const count = reader.count(MIN_TRANSACTION_SIZE);
  if (count === 0) throw new FormatError('a block without transactions');
  for (let i = 0; i < count; i++) visit(readTransaction(reader), i);
  reader.expectEnd();
  return header;
}

/**
 * A whole block from its header and its serialized transactions, the coinbase first. The header's merkle root is
 * written as it is.
 */
export function serializeBlock(header: BlockHeader, transactions: readonly Uint8Array[]): Uint8Array {
  return concatBytes(serializeHeader(header), encodeCompactSize(transactions.length), ...transactions);
}
