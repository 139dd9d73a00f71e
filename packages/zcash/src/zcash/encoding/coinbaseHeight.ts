// Height of a block from its coinbase transaction: BIP 34, protocol specification §7.6.
import { ByteReader, FormatError } from '@wallet-companion/base/bytes';
import type { Transaction } from './transaction.ts';

const OP_1 = 0x51;
const OP_16 = 0x60;
/** Longest push that can hold a height below 2^31. */
const MAX_PUSH = 4;
/** The genesis blocks predate the rule: their script starts with this number. */
const GENESIS_PUSH = 520_617_983;

/**
 * Height written in the first input of a block's first transaction (BIP 34); 0 for a genesis block. Throws
 * `FormatError` where there is none.
 */
export function coinbaseHeight(coinbase: Transaction): number {
  const script = coinbaseScript(coinbase);
  const opcode = script.u8();
  if (opcode >= OP_1 && opcode <= OP_16) return opcode - OP_1 + 1;
  if (opcode === 0 || opcode > MAX_PUSH) throw new FormatError('the coinbase does not start with a height');
  const bytes = script.take(opcode);
  const last = bytes[opcode - 1]!;
  const needsLast = last !== 0 || (opcode > 1 && bytes[opcode - 2]! >= 0x80);
  if (last >= 0x80 || !needsLast)
    throw new FormatError('the height in the coinbase is not a minimal positive number');
  const height = bytes.reduceRight((value, byte) => value * 256 + byte, 0);
  if (height <= OP_16 - OP_1 + 1) throw new FormatError('the height in the coinbase is not minimal');
  return height === GENESIS_PUSH ? 0 : height;
}

function coinbaseScript(coinbase: Transaction): ByteReader {
  const { inputCount, inputBytes } = coinbase.transparent;
  if (inputCount !== 1) throw new FormatError('the first transaction is not a coinbase');
  const reader = new ByteReader(inputBytes);
  const isNull = reader.take(32).every((byte) => byte === 0) && reader.u32() === 0xffff_ffff;
  if (!isNull) throw new FormatError('the first transaction is not a coinbase');
  return new ByteReader(reader.take(reader.compactSize()));
}
