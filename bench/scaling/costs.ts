// What a scan costs, from measurements: docs/inside/performance.md (processor time per output and number of keys,
// what a block costs beside that). Microseconds of one core of that machine.

import { MAIN_CHAIN_SHAPE, type ShapeRow } from '../history/mainChainShape.ts';

/** Of the kernel, Node 24: straight lines through its figures for 1 to 8 keys. */
const KERNEL = { sapling: { first: 32.0, each: 5.43 }, action: { first: 16.0, each: 4.57 } };
/** With more keys than that, a key costs half as much again: they do not fit the processor's caches together. */
const CROWD = 64;
const CROWDED = 1.5;
/** What parsing, copying and waiting for memory add to the kernel where blocks are full. */
const BESIDE_KERNEL = 1.25;
/** Of a worker: reading, parsing and packing a block. */
const WORKER_US_PER_BLOCK = 60;
/** Of the companion: checking, applying and committing a block. One thread does it. */
export const APPLY_US_PER_BLOCK = 130;
/** A compact output with its share of the rest of the block. */
const BYTES = { sapling: 116, action: 148, block: 120 };
const NULLIFIER = 32;
/** Hash, time, tree sizes. */
const RESULT_PER_BLOCK = 64;

/** Outputs of blocks. */
export interface Density {
  readonly sapling: number;
  readonly actions: number;
}

const kernelUs = ({ first, each }: { first: number; each: number }, keys: number): number =>
  first + each * keys * (keys > CROWD ? CROWDED : 1);

/** Of one worker's core. */
export const scanUs = (blocks: number, { sapling, actions }: Density, keys: number): number =>
  BESIDE_KERNEL * (sapling * kernelUs(KERNEL.sapling, keys) + actions * kernelUs(KERNEL.action, keys)) +
  blocks * WORKER_US_PER_BLOCK;

export const compactBytes = (blocks: number, { sapling, actions }: Density): number =>
  blocks * BYTES.block + sapling * BYTES.sapling + actions * BYTES.action;

/** Nullifiers of actions; Sapling spends are fewer than outputs, and counted as a quarter of them. */
export const resultBytes = (blocks: number, { sapling, actions }: Density): number =>
  blocks * RESULT_PER_BLOCK + NULLIFIER * (actions + sapling / 4);

/** Of the main chain's blocks from `start` to `end`, spread evenly between the heights that are known. */
export function densityOf(start: number, end: number): Density {
  const [from, to] = [sumsAt(start - 1), sumsAt(end)];
  return { sapling: to.sapling - from.sapling, actions: to.actions - from.actions };
}

export const FIRST_HEIGHT = MAIN_CHAIN_SHAPE[0]![0] + 1;
export const LAST_HEIGHT = MAIN_CHAIN_SHAPE.at(-1)![0];

let place = 1;

/** Asked for with rising heights mostly, so the place is kept. */
function sumsAt(height: number): Density {
  while (place > 1 && MAIN_CHAIN_SHAPE[place - 1]![0] > height) place--;
  while (place < MAIN_CHAIN_SHAPE.length - 1 && MAIN_CHAIN_SHAPE[place]![0] < height) place++;
  const [a, b] = [MAIN_CHAIN_SHAPE[place - 1]!, MAIN_CHAIN_SHAPE[place]!];
  const share = Math.max(0, Math.min(1, (height - a[0]) / (b[0] - a[0])));
  const at = (value: (row: ShapeRow) => number): number => value(a) + share * (value(b) - value(a));
  return { sapling: at((row) => row[1]), actions: at((row) => row[2] + row[3]) };
}
