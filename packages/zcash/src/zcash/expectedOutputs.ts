// Estimates how many shielded outputs a chain has up to a height before its blocks are read: a table of the main chain,
// corrected by the tree sizes of known blocks. Half a million blocks of the main chain have 97 % of its outputs, so the
// number of blocks hardly shows how much there is to scan.

import type { Height } from '@wallet-companion/base/values';
import { secondsBetween } from './blockSpacing.ts';
import { MAIN, type Network } from './network.ts';
import { FIRST_OUTPUT_HEIGHT, OUTPUT_STEPS } from './outputTable.ts';

/** Outputs and actions of all pools up to and including a block. */
export interface OutputsUpTo {
  readonly height: Height;
  readonly outputs: number;
}

const MAIN_OUTPUTS = readTable();

function readTable(): readonly OutputsUpTo[] {
  const rows = [{ height: FIRST_OUTPUT_HEIGHT, outputs: 0 }];
  for (const step of OUTPUT_STEPS.trim().split(/\s/)) {
    const [blocks = 0, outputs = 0] = step.split('/').map(Number);
    const before = rows.at(-1)!;
    rows.push({ height: before.height + blocks, outputs: before.outputs + outputs });
  }
  return rows;
}

/** Index of the first row at or above the height, or the number of rows if there is none. */
function indexFrom(rows: readonly OutputsUpTo[], height: Height): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]!.height < height) low = middle + 1;
    else high = middle;
  }
  return low;
}

const onLine = (a: OutputsUpTo, b: OutputsUpTo, height: Height): number =>
  a.outputs + ((height - a.height) / (b.height - a.height)) * (b.outputs - a.outputs);

/** The count by the table; beyond its end, at the rate per time of its last step. */
function mainOutputs(height: Height): number {
  if (height <= FIRST_OUTPUT_HEIGHT) return 0;
  const above = indexFrom(MAIN_OUTPUTS, height);
  if (above < MAIN_OUTPUTS.length) return onLine(MAIN_OUTPUTS[above - 1]!, MAIN_OUTPUTS[above]!, height);
  const [before, last] = MAIN_OUTPUTS.slice(-2) as [OutputsUpTo, OutputsUpTo];
  const seconds = (from: Height, to: Height) => secondsBetween(MAIN.activation, from, to);
  const perSecond = (last.outputs - before.outputs) / seconds(before.height, last.height);
  return last.outputs + perSecond * seconds(last.height, height);
}

/**
 * About how many outputs and actions the chain holds up to a block: between known blocks along a table of the main
 * chain, else in a straight line. An estimate, for progress and for shares of work.
 */
export class ExpectedOutputs {
  readonly #isMain: boolean;
  readonly #known: readonly OutputsUpTo[];

  /** `known`: rows from the tree sizes of blocks, ascending. `firstHeight`: the chain's first block with outputs. */
  constructor(network: Network, firstHeight: Height, known: readonly OutputsUpTo[]) {
    this.#isMain = network === 'main';
    this.#known = [
      { height: firstHeight - 1, outputs: 0 },
      ...known.filter(({ height }) => height >= firstHeight),
    ];
  }

  /** The estimate never decreases with the height. */
  upTo(height: Height): number {
    const above = indexFrom(this.#known, height);
    const upper = this.#known[above];
    const lower = this.#known[above - 1];
    if (lower === undefined) return upper?.height === height ? upper.outputs : 0;
    if (upper === undefined) return lower.outputs + this.#beyond(lower, height);
    const expected = this.#isMain ? mainOutputs(upper.height) - mainOutputs(lower.height) : 0;
    if (expected <= 0) return onLine(lower, upper, height);
    const share = (mainOutputs(height) - mainOutputs(lower.height)) / expected;
    return lower.outputs + share * (upper.outputs - lower.outputs);
  }

  /** The outputs above the last known block: by the table, or at the average rate so far. */
  #beyond(last: OutputsUpTo, height: Height): number {
    if (this.#isMain) return mainOutputs(height) - mainOutputs(last.height);
    const blocks = last.height - this.#known[0]!.height;
    return blocks === 0 ? 0 : (last.outputs / blocks) * (height - last.height);
  }
}
