// Direct access to the elements of the kernel's arrays, for tests: limbs in, integers out.

import {
  BLOCK_BYTES,
  type FieldLanes,
  LANES_PER_BLOCK,
  type LaneMemory,
} from '../../src/kernel/batch/fieldLanes.ts';
import { centredDigits, LIMBS } from '../../src/kernel/generator/primeField.ts';

const view = (memory: LaneMemory) => new DataView(memory.memory.buffer);

function limbAddress(array: number, lane: number, limb: number): number {
  const block = array + Math.floor(lane / LANES_PER_BLOCK) * BLOCK_BYTES;
  return block + limb * 32 + (lane % LANES_PER_BLOCK) * 8;
}

/** Writes one element of the FMA representation limb by limb. */
export function writeLimbs(memory: LaneMemory, array: number, lane: number, limbs: readonly number[]): void {
  const data = view(memory);
  limbs.forEach((limb, i) => {
    data.setFloat64(limbAddress(array, lane, i), limb, true);
  });
}

export function readLimbs(memory: LaneMemory, array: number, lane: number): number[] {
  const data = view(memory);
  return Array.from({ length: LIMBS }, (_, i) => data.getFloat64(limbAddress(array, lane, i), true));
}

export function limbsValue(limbs: readonly number[]): bigint {
  return limbs.reduceRight((sum, limb) => sum * (1n << 51n) + BigInt(limb), 0n);
}

const PORTABLE_LIMBS = 9;
const PORTABLE_LIMB_BITS = 29n;
const portableAddress = (array: number, lane: number) => array + (lane * BLOCK_BYTES) / LANES_PER_BLOCK;

/** Writes an integer below 2^256 as one element of the portable representation. */
export function writeStored(memory: LaneMemory, array: number, lane: number, value: bigint): void {
  const data = view(memory);
  for (let i = 0, rest = value; i < PORTABLE_LIMBS; i++, rest >>= PORTABLE_LIMB_BITS)
    data.setUint32(
      portableAddress(array, lane) + i * 4,
      Number(BigInt.asUintN(Number(PORTABLE_LIMB_BITS), rest)),
      true,
    );
}

export function readStored(memory: LaneMemory, array: number, lane: number): bigint {
  const data = view(memory);
  let value = 0n;
  for (let i = PORTABLE_LIMBS - 1; i >= 0; i--)
    value =
      (value << PORTABLE_LIMB_BITS) + BigInt(data.getUint32(portableAddress(array, lane) + i * 4, true));
  return value;
}

/** The limbs a product leaves: centred digits of the representative nearest 0. */
export function centredLimbs(value: bigint, modulus: bigint): number[] {
  const reduced = ((value % modulus) + modulus) % modulus;
  return centredDigits(reduced > modulus / 2n ? reduced - modulus : reduced, LIMBS);
}

/** Writes integers below 2^255 through the module's own import, so that it works for every representation. */
export function writeValues(field: FieldLanes, array: number, values: readonly bigint[]): void {
  const blocks = Math.ceil(values.length / LANES_PER_BLOCK);
  const bytes = field.memory.allocate(blocks * LANES_PER_BLOCK * 32);
  values.forEach((value, lane) => {
    for (let i = 0, rest = value; i < 32; i++, rest >>= 8n) {
      field.memory.bytes[bytes + lane * 32 + i] = Number(rest & 0xffn);
    }
  });
  field.read(array, bytes, blocks);
}

/** Reads canonical integers, the Montgomery factor removed. */
export function readValues(field: FieldLanes, array: number, count: number): bigint[] {
  const blocks = Math.ceil(count / LANES_PER_BLOCK);
  const plain = field.array(blocks);
  const bytes = field.memory.allocate(blocks * LANES_PER_BLOCK * 32);
  field.leaveMontgomery(plain, array, blocks);
  field.write(bytes, plain, blocks);
  field.flush();
  return Array.from({ length: count }, (_, lane) => littleEndian(field.memory.bytes, bytes + lane * 32));
}

export function littleEndian(bytes: Uint8Array, start = 0): bigint {
  let value = 0n;
  for (let i = 31; i >= 0; i--) value = (value << 8n) | BigInt(bytes[start + i]!);
  return value;
}
