// Orchard's and Ironwood's trees on the kernel. Sinsemilla's additions are incomplete by specification, and which sums
// fail depends on their order: so the pieces are taken one after the other, as the reference takes them, for many pairs
// side by side. Each step is two affine additions, A' = (A + S) + A, of which the first sum's ordinate is not needed.

import { asciiBytes } from '@wallet-companion/base/bytes';
import { BatchInversion } from '../batch/batchInversion.ts';
import { type FieldLanes, LANES_PER_BLOCK } from '../batch/fieldLanes.ts';
import { KernelHashes } from '../batch/kernelHashes.ts';
import type { KernelInstance } from '../batch/kernelInstance.ts';
import { PallasGroupHash, writeSinsemillaPoints } from '../batch/pallasGroupHash.ts';
import { SINSEMILLA_POINTS } from '../generator/sinsemillaPoints.ts';
import type { PallasScalarExports } from '../load/kernelExports.ts';
import type { KernelVariant } from '../load/kernelModule.ts';
import { encodeInteger } from '../plan/integers.ts';
import type { NodeHash } from './nodeHash.ts';
import { layOutMessages, MESSAGE_BYTES, PointRecords } from './pointRecords.ts';

const ELEMENT = 40;
const AFFINE = 80;
const JACOBIAN = 120;
const LEVEL_BITS = 10;
const PIECE_BITS = 10;
/** 10 + 255 + 255 bits. */
const PIECES = 52;
/** The start point of every hash is stored after the generators, four times to fill a block. */
const POINTS = SINSEMILLA_POINTS + LANES_PER_BLOCK;
const START = SINSEMILLA_POINTS;

/** Fewer pairs are hashed one by one: the 104 inversions of a batch would cost more. */
export const LEAST_LANES = 16;

export class SinsemillaNodes implements NodeHash {
  /** Measured: from 256 on it makes no difference. */
  readonly batchPairs = 512;
  readonly #field: FieldLanes;
  readonly #exports: PallasScalarExports;
  /** The points in the lanes' form, and in the scalar module's form. */
  readonly #records: PointRecords;
  readonly #points: number;
  /** Scratch points for pairs that are hashed one by one. */
  readonly #sums: number;
  readonly #affine: number;

  /** Only tests replace `start`. */
  constructor(
    { memory, pallas, pallasScalar, symmetric, sinsemilla }: KernelInstance,
    variant: KernelVariant,
    start?: { readonly x: bigint; readonly y: bigint },
  ) {
    this.#field = pallas;
    this.#exports = pallasScalar;
    this.#records = new PointRecords(memory, pallasScalar, variant, POINTS);
    this.#points = memory.allocate(POINTS * AFFINE);
    this.#sums = memory.allocate(LEAST_LANES * JACOBIAN);
    this.#affine = memory.allocate(LEAST_LANES * AFFINE);
    memory.borrow(() => {
      const hash = new PallasGroupHash(memory, pallasScalar, new KernelHashes(memory, symmetric));
      writeSinsemillaPoints(memory, pallasScalar, this.#points, sinsemilla);
      for (let i = START; i < POINTS; i++) {
        const at = this.#points + i * AFFINE;
        if (start === undefined)
          hash.generator(at, 'z.cash:SinsemillaQ', asciiBytes('z.cash:Orchard-MerkleCRH'));
        else this.#writePoint(at, start);
      }
      this.#storeRecords();
    });
  }

  #writePoint(o: number, { x, y }: { readonly x: bigint; readonly y: bigint }): void {
    const { memory } = this.#field;
    const bytes = memory.allocate(64);
    memory.bytes.set(encodeInteger(x), bytes);
    memory.bytes.set(encodeInteger(y), bytes + 32);
    this.#exports.readAffine(o, bytes);
  }

  /** The scalar module stores elements in another form than the lanes: they are converted by way of bytes. */
  #storeRecords(): void {
    const field = this.#field;
    const blocks = POINTS / LANES_PER_BLOCK;
    const coordinate = (offset: number): number => {
      const bytes = field.memory.allocate(POINTS * 32);
      for (let i = 0; i < POINTS; i++)
        this.#exports.writeElement(bytes + i * 32, this.#points + i * AFFINE + offset);
      const array = field.array(blocks);
      field.read(array, bytes, blocks);
      return array;
    };
    const points = { x: coordinate(0), y: coordinate(ELEMENT) };
    field.flush();
    for (let lane = 0; lane < LANES_PER_BLOCK; lane++)
      this.#records.store(lane, LANES_PER_BLOCK, points, blocks, lane);
  }

  join(level: number, nodes: Uint8Array): Uint8Array | undefined {
    const { memory } = this.#field;
    this.#field.discard();
    return memory.borrow(() => {
      const { messages, pairs, blocks } = layOutMessages(memory, this.#exports, nodes, level, LEVEL_BITS);
      const bytes = memory.allocate(blocks * LANES_PER_BLOCK * 32);
      const isComplete =
        pairs < LEAST_LANES
          ? this.#hashSingly(bytes, messages, pairs)
          : this.#hashLanes(bytes, messages, blocks);
      return isComplete ? memory.bytes.slice(bytes, bytes + pairs * 32) : undefined;
    });
  }

  #hashSingly(bytes: number, messages: number, pairs: number): boolean {
    const start = this.#points + START * AFFINE;
    for (let i = 0; i < pairs; i++) {
      const sum = this.#sums + i * JACOBIAN;
      this.#exports.fromAffine(sum, start);
      this.#exports.addPieces(sum, this.#points, messages + i * MESSAGE_BYTES, 0, PIECES);
    }
    if (this.#exports.normalise(this.#affine, this.#sums, pairs) === 0) return false;
    for (let i = 0; i < pairs; i++) this.#exports.writeElement(bytes + i * 32, this.#affine + i * AFFINE);
    return true;
  }

  #hashLanes(bytes: number, messages: number, blocks: number): boolean {
    const field = this.#field;
    const array = () => field.array(blocks);
    const sum = { x: array(), y: array() };
    const piece = { x: array(), y: array() };
    const [x, slope, twiceY] = [array(), array(), array()];
    const inversion = new BatchInversion(field, blocks);
    this.#records.gather(sum, START, messages, blocks, 0, 0);
    for (let i = 0; i < PIECES; i++) {
      field.flush();
      this.#records.gather(piece, 0, messages, blocks, i * PIECE_BITS, PIECE_BITS);
      field.sub(x, sum.x, piece.x, blocks);
      const first = inversion.invert(x);
      if (first === undefined) return false;
      // The slope of A + S, negated, and the abscissa of the sum.
      field.mulSub(slope, piece.y, sum.y, first, blocks);
      field.chordX(piece.x, slope, sum.x, piece.x, blocks);
      field.sub(x, sum.x, piece.x, blocks);
      const second = inversion.invert(x);
      if (second === undefined) return false;
      field.add(twiceY, sum.y, sum.y, blocks);
      field.mulPlus(slope, twiceY, second, slope, blocks);
      field.chordX(x, slope, sum.x, piece.x, blocks);
      field.chordY(sum.y, slope, sum.x, x, sum.y, blocks);
      field.copy(sum.x, x, blocks);
    }
    field.leaveMontgomery(x, sum.x, blocks);
    field.write(bytes, x, blocks);
    field.flush();
    return true;
  }
}
