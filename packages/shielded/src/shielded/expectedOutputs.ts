// How many shielded outputs a chain holds up to a height, as well as can be told before its blocks were seen: a table of the
// main chain, corrected by the tree sizes of blocks that are known. Half a million blocks of the main chain hold 97 % of
// its outputs, so blocks say little of how much there is to scan.

import type { Height } from '../values/height.ts';
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

/** The first one that is not below the height, or how many there are. */
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

/** By the table; beyond its end as in its last stretch, in the same time. */
function mainOutputs(height: Height): number {
  if (height <= FIRST_OUTPUT_HEIGHT) return 0;
  const above = indexFrom(MAIN_OUTPUTS, height);
  if (above < MAIN_OUTPUTS.length) return onLine(MAIN_OUTPUTS[above - 1]!, MAIN_OUTPUTS[above]!, height);
  const [before, last] = MAIN_OUTPUTS.slice(-2) as [OutputsUpTo, OutputsUpTo];
  const seconds = (from: Height, to: Height) => secondsBetween(MAIN.activation, from, to);
  const perSecond = (last.outputs - before.outputs) / seconds(before.height, last.height);
  return last.outputs + perSecond * seconds(last.height, height);
}

export class ExpectedOutputs {
  readonly #isMain: boolean;
  readonly #known: readonly OutputsUpTo[];

  /** `known`: from the tree sizes of blocks, ascending. `firstHeight`: of the chain's first block with outputs. */
  constructor(network: Network, firstHeight: Height, known: readonly OutputsUpTo[]) {
    this.#isMain = network === 'main';
    this.#known = [
      { height: firstHeight - 1, outputs: 0 },
      ...known.filter(({ height }) => height >= firstHeight),
    ];
  }

  /** Never falls with the height. */
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

  /** Above all that is known: by the table, or as on the average so far. */
  #beyond(last: OutputsUpTo, height: Height): number {
    if (this.#isMain) return mainOutputs(height) - mainOutputs(last.height);
    const blocks = last.height - this.#known[0]!.height;
    return blocks === 0 ? 0 : (last.outputs / blocks) * (height - last.height);
  }
}
