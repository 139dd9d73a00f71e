// Where the regions of the circuit are, and which of its cells are copies. The reference crates' floor planner decided it,
// the same for every action.
import { ADVICE_COLUMNS, type AdviceTable, ROWS } from './adviceTable.ts';

export interface WitnessLayout {
  /** Those with cells of their own, in the circuit's order. */
  readonly regions: readonly PlacedRegion[];
  /** In the circuit's order: the source of a copy may be an earlier one. */
  readonly copies: readonly Copy[];
}

interface PlacedRegion {
  readonly name: string;
  /** The leftmost. */
  readonly column: number;
  readonly firstRow: number;
}

/** Cells are numbered column by column. */
interface Copy {
  readonly to: number;
  readonly from: { readonly table: 'advice' | 'constants' | 'instance'; readonly cell: number };
}

type Source = readonly [kind: 'a' | 'f' | 'i', column: number, row: number];

interface LayoutFile {
  readonly regions: readonly string[];
  readonly region_first_rows: readonly number[];
  readonly cells: readonly (readonly [
    region: number,
    column: number,
    row: number,
    name: number,
    source: Source | null,
  ])[];
}

const TABLES = { a: 'advice', f: 'constants', i: 'instance' } as const;

/** Of an unpacked layout.json. */
export function readLayout(bytes: Uint8Array): WitnessLayout {
  const file = JSON.parse(new TextDecoder().decode(bytes)) as LayoutFile;
  const leftmost = file.regions.map(() => ADVICE_COLUMNS);
  const own = new Set<number>();
  const copies: Copy[] = [];
  for (const [region, column, row, , source] of file.cells) {
    leftmost[region] = Math.min(column, leftmost[region]!);
    if (source === null) own.add(region);
    else {
      const [kind, fromColumn, fromRow] = source;
      const table = TABLES[kind];
      const to = column * ROWS + row;
      const cell = (table === 'advice' ? fromColumn * ROWS : 0) + fromRow;
      if (table !== 'advice' || cell !== to) copies.push({ to, from: { table, cell } });
    }
  }
  const regions = file.regions.flatMap((path, region): PlacedRegion[] => {
    if (!own.has(region)) return [];
    const name = path.split(' / ').at(-1)!;
    return [{ name, column: leftmost[region]!, firstRow: file.region_first_rows[region]! }];
  });
  return { regions, copies };
}

/** A block of cells. */
export interface Region {
  readonly column: number;
  /** Columns are those of the table, rows are counted from the region's first. */
  set(column: number, row: number, residue: bigint): void;
}

/** The regions in the circuit's order, each filled by the code that asks for it. */
export class Regions {
  readonly #layout: WitnessLayout;
  readonly #table: AdviceTable;
  #next = 0;

  constructor(layout: WitnessLayout, table: AdviceTable) {
    this.#layout = layout;
    this.#table = table;
  }

  /** The name shows that code and data mean the same circuit. */
  next(name: string): Region {
    const region = this.#layout.regions[this.#next++];
    if (region?.name !== name)
      throw new Error(`the circuit has the region ${region?.name} instead of ${name}`);
    const { column, firstRow } = region;
    return { column, set: (at, row, residue) => this.#table.set(at, firstRow + row, residue) };
  }

  /** After the last one. */
  end(): void {
    if (this.#next !== this.#layout.regions.length) throw new Error('a region of the circuit is not filled');
  }
}
