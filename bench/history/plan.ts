// What a made-up history holds at each height: the main chain's eras with the outputs their blocks had, every era cut to
// the same fraction of its blocks. Heights begin at 1; the upgrades lie where the main chain had them.
import {
  type ActivationHeights,
  MAIN,
  type NetworkParameters,
  regtestParameters,
  UPGRADES,
} from '@wallet-companion/zcash/network';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import { MAIN_CHAIN_SHAPE, type ShapeRow } from './mainChainShape.ts';

interface EraRow {
  readonly name: string;
  /** The last height on the main chain. */
  readonly last: number;
}

const ERAS: readonly EraRow[] = [
  { name: 'before the floods', last: 1_700_000 },
  { name: 'first flood', last: 1_830_000 },
  { name: 'second flood', last: 2_200_000 },
  { name: 'quiet', last: 2_600_000 },
  { name: 'today', last: 3_428_142 },
  { name: 'since Ironwood', last: 3_444_780 },
];

export interface Era {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

const ORIGIN = MAIN_CHAIN_SHAPE[0]![0];

export class HistoryPlan {
  readonly params: NetworkParameters;
  readonly eras: readonly Era[];
  /** In heights of this chain; outputs are of the fraction too. */
  readonly #rows: readonly ShapeRow[];

  /** `fraction`: 1 is the whole history. */
  constructor(fraction: number) {
    const heightOf = (mainHeight: number): number => Math.round((mainHeight - ORIGIN) * fraction);
    const count = (outputs: number): number => Math.round(outputs * fraction);
    const rows = MAIN_CHAIN_SHAPE.map(
      ([height, sapling, orchard, ironwood]): ShapeRow => [
        heightOf(height),
        count(sapling),
        count(orchard),
        count(ironwood),
      ],
    );
    // Rows that fall on one height: the last says what there is.
    this.#rows = rows.filter(([height], i) => rows[i + 1]?.[0] !== height);
    const lasts = ERAS.map(({ last }) => heightOf(last));
    this.eras = ERAS.map(({ name }, i) => ({ name, first: (lasts[i - 1] ?? 0) + 1, last: lasts[i]! }));
    this.params = regtestParameters(
      Object.fromEntries(
        UPGRADES.flatMap(({ key }) => {
          const at = MAIN.activation[key];
          // Its first block follows the last one without it, which is the one that is rounded.
          return at === undefined || key === 'nu7' ? [] : [[key, Math.max(1, heightOf(at - 1) + 1)]];
        }),
      ) as Partial<ActivationHeights>,
    );
  }

  get tip(): number {
    return this.#rows.at(-1)![0];
  }

  /** Everybody's outputs up to and including a height, the wallet's own apart. */
  sizesAfter(height: number): TreeSizes {
    if (height <= 0) return EMPTY_TREES;
    const at = this.#rowAbove(height);
    const above = this.#rows[at]!;
    const below = this.#rows[at - 1] ?? ([0, 0, 0, 0] as const);
    const part = (height - below[0]) / (above[0] - below[0]);
    const between = (column: 1 | 2 | 3): number =>
      below[column] + Math.floor(part * (above[column] - below[column]));
    return { ...EMPTY_TREES, sapling: between(1), orchard: between(2), ironwood: between(3) };
  }

  /** The index of the lowest row at or above a height. */
  #rowAbove(height: number): number {
    let low = 0;
    let high = this.#rows.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rows[middle]![0] < height) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
