// Transparent inputs and outputs. They are skipped by length, and read only for txids, the coinbase height, serialization
// and what is shielded.
import {
  ByteReader,
  concatBytes,
  encodeCompactSize,
  u32ToLeBytes,
  u64ToLeBytes,
} from '@wallet-companion/base/bytes';

/** prevTxid 32, prevIndex 4, script length 1 at least, sequence 4. */
const MIN_INPUT_SIZE = 41;
/** value 8, script length 1 at least. */
const MIN_OUTPUT_SIZE = 9;
const OUTPOINT_SIZE = 36;

export interface TransparentBundle {
  readonly inputCount: number;
  /** All inputs as serialized, without the count. */
  readonly inputBytes: Uint8Array;
  readonly outputCount: number;
  /** All outputs as serialized, without the count. */
  readonly outputBytes: Uint8Array;
}

export interface TransparentInput {
  readonly prevTxid: Uint8Array;
  readonly prevIndex: number;
  readonly scriptSig: Uint8Array;
  readonly sequence: number;
}

export interface TransparentOutput {
  /** Zatoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

export function readTransparentBundle(reader: ByteReader): TransparentBundle {
  const inputCount = reader.count(MIN_INPUT_SIZE);
  const inputStart = reader.offset;
  for (let i = 0; i < inputCount; i++) {
    reader.skip(OUTPOINT_SIZE);
    reader.skip(reader.compactSize());
    reader.skip(4);
  }
  const inputEnd = reader.offset;
  const outputCount = reader.count(MIN_OUTPUT_SIZE);
  const outputStart = reader.offset;
  for (let i = 0; i < outputCount; i++) {
    reader.skip(8);
    reader.skip(reader.compactSize());
  }
  return {
    inputCount,
    inputBytes: reader.bytes.subarray(inputStart, inputEnd),
    outputCount,
    outputBytes: reader.bytes.subarray(outputStart, reader.offset),
  };
}

/** A script with its length prefix, as it is in digests and serialized transactions. */
export const encodeScript = (script: Uint8Array): Uint8Array =>
  concatBytes(encodeCompactSize(script.length), script);

export function transparentInputs(bundle: TransparentBundle): TransparentInput[] {
  const reader = new ByteReader(bundle.inputBytes);
  return Array.from({ length: bundle.inputCount }, () => ({
    prevTxid: reader.take(32),
    prevIndex: reader.u32(),
    scriptSig: reader.take(reader.compactSize()),
    sequence: reader.u32(),
  }));
}

export function transparentOutputs(bundle: TransparentBundle): TransparentOutput[] {
  const reader = new ByteReader(bundle.outputBytes);
  return Array.from({ length: bundle.outputCount }, () => ({
    value: reader.i64(),
    scriptPubKey: reader.take(reader.compactSize()),
  }));
}

export const encodeTransparentInput = (input: TransparentInput): Uint8Array =>
  concatBytes(
    input.prevTxid,
    u32ToLeBytes(input.prevIndex),
    encodeScript(input.scriptSig),
    u32ToLeBytes(input.sequence),
  );

export const encodeTransparentOutput = (output: TransparentOutput): Uint8Array =>
  concatBytes(u64ToLeBytes(BigInt.asUintN(64, output.value)), encodeScript(output.scriptPubKey));

/**
 * Inputs and outputs as a transaction has them: each list with its count before it (compactSize). Values are zatoshi.
 */
export function encodeTransparentBundle(
  inputs: readonly TransparentInput[],
  outputs: readonly TransparentOutput[],
): Uint8Array {
  return concatBytes(
    encodeCompactSize(inputs.length),
    ...inputs.map(encodeTransparentInput),
    encodeCompactSize(outputs.length),
    ...outputs.map(encodeTransparentOutput),
  );
}
