// Which polynomials are opened at which points, and how all of it becomes one opening of one polynomial.

import type { Circuit } from '../circuit/circuit.ts';
import type { ActionValues, Evaluations } from './evaluations.ts';

/** What is committed to, of the action in turn or of all. */
export type Committed =
  | {
      readonly kind: 'instance' | 'advice' | 'product' | 'lookupProduct' | 'lookupInput' | 'lookupTable';
      readonly index: number;
    }
  | { readonly kind: 'fixed' | 'permutation'; readonly index: number }
  | { readonly kind: 'quotient' | 'random' };

/** A polynomial with its values, one for each rotation of its set. */
export interface Opened<Values> {
  readonly committed: Committed;
  readonly set: number;
  readonly values: readonly ((values: Values) => bigint)[];
}

export type SharedValues = Evaluations & { readonly quotient: bigint };

export interface OpeningPlan {
  /** The points of each set: x in the row that is so much further on. */
  readonly sets: readonly (readonly number[])[];
  /** In the order of their first query. */
  readonly ofAction: readonly Opened<ActionValues>[];
  readonly shared: readonly Opened<SharedValues>[];
}

export interface Asked<Values> {
  readonly committed: Committed;
  readonly rotation: number;
  readonly value: (values: Values) => bigint;
}

/** In the order that fixes the sets. */
export function askedOfAction({ queries, copySets, lookups, blindingRows }: Circuit): Asked<ActionValues>[] {
  const columns = (['instance', 'advice'] as const).flatMap((kind) =>
    queries[kind].map(({ column, rotation }, query) => ({
      committed: { kind, index: column },
      rotation,
      value: (values: ActionValues) => values[kind][query]!,
    })),
  );
  const product = (index: number, rotation: number, name: 'here' | 'next' | 'last') => ({
    committed: { kind: 'product' as const, index },
    rotation,
    value: ({ copies }: ActionValues) => copies[index]![name]!,
  });
  const products = copySets.flatMap((_, i) => [product(i, 0, 'here'), product(i, 1, 'next')]);
  const ends = copySets.slice(1).map((_, i) => product(i, -(blindingRows + 1), 'last'));
  const looked = lookups.flatMap((_, index) => {
    const asked = (
      kind: 'lookupProduct' | 'lookupInput' | 'lookupTable',
      rotation: number,
      name: keyof ActionValues['lookups'][number],
    ): Asked<ActionValues> => ({
      committed: { kind, index },
      rotation,
      value: (values) => values.lookups[index]![name],
    });
    return [
      asked('lookupProduct', 0, 'product'),
      asked('lookupInput', 0, 'input'),
      asked('lookupTable', 0, 'table'),
      asked('lookupInput', -1, 'inputBefore'),
      asked('lookupProduct', 1, 'productNext'),
    ];
  });
  return [...columns, ...products, ...ends.reverse(), ...looked];
}

/** The columns of the key. */
export const askedOfKey = ({ queries, copySets }: Circuit): Asked<Evaluations>[] => [
  ...queries.fixed.map(({ column, rotation }, query) => ({
    committed: { kind: 'fixed' as const, index: column },
    rotation,
    value: ({ fixed }: Evaluations) => fixed[query]!,
  })),
  ...copySets.flat().map((_, index) => ({
    committed: { kind: 'permutation' as const, index },
    rotation: 0,
    value: ({ permutation }: Evaluations) => permutation[index]!,
  })),
];

const askedOfAll = (circuit: Circuit): Asked<SharedValues>[] => [
  ...askedOfKey(circuit),
  { committed: { kind: 'quotient' }, rotation: 0, value: ({ quotient }) => quotient },
  { committed: { kind: 'random' }, rotation: 0, value: ({ random }) => random },
];

/** As `columnName` has it, where it is a column. */
export const nameOf = (committed: Committed): string => Object.values(committed).join(' ');

export function openingPlan(circuit: Circuit): OpeningPlan {
  const [ofAction, ofAll] = [askedOfAction(circuit), askedOfAll(circuit)];
  // Points are numbered in the order in which they are first asked for, and a set has them in that order.
  const points = [...new Set([...ofAction, ...ofAll].map(({ rotation }) => rotation))];
  const sets: number[][] = [];
  const grouped = <Values>(asked: readonly Asked<Values>[]): Opened<Values>[] => {
    const byName = new Map<string, Asked<Values>[]>();
    for (const one of asked) {
      const name = nameOf(one.committed);
      byName.set(name, [...(byName.get(name) ?? []), one]);
    }
    return [...byName.values()].map((same) => {
      const sorted = [...same].sort((a, b) => points.indexOf(a.rotation) - points.indexOf(b.rotation));
      const rotations = sorted.map(({ rotation }) => rotation);
      let set = sets.findIndex((known) => known.join() === rotations.join());
      if (set < 0) set = sets.push(rotations) - 1;
      return { committed: sorted[0]!.committed, set, values: sorted.map(({ value }) => value) };
    });
  };
  return { ofAction: grouped(ofAction), shared: grouped(ofAll), sets };
}
