// Makes proofs of actions from their advice tables. The caller verifies the result: a wrong witness gives a proof
// all the same, unless it breaks a copy or a lookup.

import { encodeInteger32, PALLAS_BASE } from '@wallet-companion/zcash/curves';
import { columnName, type RowChallenges } from '../circuit/constraints.ts';
import { power, rowPoint } from '../circuit/powers.ts';
import { ProofWriter } from '../transcript/proofWriter.ts';
import { instanceCommitment, type Prepared } from '../verifier/equation.ts';
import type { Committed } from '../verifier/openings.ts';
import { type Column, ELEMENT, setValues } from './columns.ts';
import { dividedSum } from './division.ts';
import { Draws, type RandomBytes } from './draws.ts';
import { proveInnerProduct } from './innerProduct.ts';
import { permutedTable, sortedValues } from './lookups.ts';
import { Combination, type Polynomial, pointPowers, valueAt } from './polynomials.ts';
import { joinProducts, type LookupRows, ratiosOf, runningProducts } from './products.ts';
import { type CommitAll, type ProofHelper, ProofWork } from './proofWork.ts';
import { cut, type ProvingKey } from './provingKey.ts';

const { order, reduce } = PALLAS_BASE;

export interface ProvableAction {
  /** The advice columns, 32 bytes a cell; the prover fills the rows that blind, in a copy. */
  readonly advice: Uint8Array;
  readonly instance: readonly bigint[];
}

type Kind = Extract<Committed, { index: number }>['kind'];
/** By the column's name. */
type Polynomials = Map<string, Polynomial>;

/** One proof in the making, whose randomness is never used for another. */
export class Proving {
  readonly #key: ProvingKey;
  readonly #prepared: Prepared;
  readonly #work: ProofWork;
  readonly #draws: Draws;
  readonly #writer = new ProofWriter();
  readonly #actions: readonly ProvableAction[];
  /** Values in rows and polynomials of each action. */
  readonly #values: Map<string, Column>[];
  readonly #polynomials: Polynomials[];

  constructor(
    key: ProvingKey,
    actions: readonly ProvableAction[],
    random: RandomBytes,
    helper?: ProofHelper,
  ) {
    this.#key = key;
    this.#work = new ProofWork(key, helper);
    this.#prepared = key.prepared;
    this.#draws = new Draws(random);
    this.#actions = actions;
    this.#values = actions.map(() => new Map());
    this.#polynomials = actions.map(() => new Map());
  }

  /** @throws UnprovableError where a copy or a lookup does not hold. */
  prove(): Promise<Uint8Array> {
    return this.#key.proofs.run(() => this.#proveAlone());
  }

  async #proveAlone(): Promise<Uint8Array> {
    const { memory } = this.#key.domain.kernel;
    const mark = memory.mark();
    try {
      return await this.#prove();
    } finally {
      memory.release(mark);
      memory.bytes.fill(0, mark);
      this.#work.wipe();
    }
  }

  async #prove(): Promise<Uint8Array> {
    const writer = this.#writer;
    await this.#commitColumns();
    const theta = writer.challenge();
    const { memory } = this.#key.domain.kernel;
    const mark = memory.mark();
    const lookups = await this.#commitLookups(theta);
    const [beta, gamma] = [writer.challenge(), writer.challenge()];
    const random = await this.#commitProducts(lookups, { beta, gamma });
    // Only the products need the rows of lookups.
    memory.release(mark);
    const y = writer.challenge();
    const pieces = await this.#commitQuotient({ theta, beta, gamma, y });
    const x = writer.challenge();
    this.#writeValues(x, random);
    await this.#open(x, this.#quotientAt(x, pieces), random);
    return writer.proof;
  }

  async #commitAll(polynomials: readonly Polynomial[]): Promise<void> {
    for (const point of await this.#work.commitAll(polynomials)) this.#writer.writePoint(point);
  }

  get #rows(): number {
    return this.#prepared.circuit.rows;
  }

  /** The row that ends the products. */
  get #last(): number {
    const { rows, blindingRows } = this.#prepared.circuit;
    return rows - blindingRows - 1;
  }

  #blindRows(column: Column, from: number): void {
    setValues(column, this.#draws.scalars(this.#rows - from), from);
  }

  #randomPolynomial(): Polynomial {
    const coefficients = this.#key.domain.columns.of(this.#draws.scalars(this.#rows));
    return { coefficients, blind: this.#draws.scalar() };
  }

  /** Adds these columns to an action, and returns their polynomials. */
  #add(action: number, kind: Kind, columns: readonly Column[], blinds: readonly bigint[]): Polynomial[] {
    return this.#key.domain.coefficientsOf(columns).map((coefficients, i) => {
      const polynomial = { coefficients, blind: blinds[i]! };
      this.#values[action]!.set(columnName(kind, i), columns[i]!);
      this.#polynomials[action]!.set(columnName(kind, i), polynomial);
      return polynomial;
    });
  }

  async #commitColumns(): Promise<void> {
    const { circuit, sums } = this.#prepared;
    this.#writer.absorbScalar(circuit.key.representation);
    for (const { instance } of this.#actions) this.#writer.absorbPoint(instanceCommitment(sums, instance));
    const all = this.#actions.flatMap(({ advice, instance }, action) => {
      const { columns: all } = this.#key.domain;
      this.#add(action, 'instance', [all.of(instance)], [1n]);
      const columns = cut(advice, this.#rows * ELEMENT).map((column) => all.copyOf(column));
      for (const column of columns) this.#blindRows(column, this.#last);
      const blinds = this.#draws.scalars(columns.length);
      return this.#add(action, 'advice', columns, blinds);
    });
    await this.#commitAll(all);
  }

  /** The lookups of each action, in the kernel's memory. */
  async #commitLookups(theta: bigint): Promise<LookupRows[][]> {
    const { domain, lookups, fixed } = this.#key;
    const { columns, kernel } = domain;
    const outputs = this.#actions.map(() =>
      this.#prepared.circuit.lookups.map(() => ({
        input: kernel.scalars.array(columns.blocks),
        table: kernel.scalars.array(columns.blocks),
      })),
    );
    kernel.memory.borrow(() => {
      const rows = new Map<string, number>();
      lookups.run({
        field: kernel.scalars,
        blocks: columns.blocks,
        actions: this.#actions.length,
        parameters: { theta, beta: 0n, gamma: 0n, y: 0n },
        addressOf: ({ isOfAction, column, rotation }, action) => {
          const name = `${action} ${column} ${rotation}`;
          const values = isOfAction ? this.#values[action]!.get(column) : fixed[Number(column.split(' ')[1])];
          const address = rows.get(name) ?? columns.rowsOf(values!, rotation);
          rows.set(name, address);
          return address;
        },
        outputOf: (output, action) => {
          const { input, table } = outputs[action]![Math.floor(output / 2)]!;
          return output % 2 === 0 ? input : table;
        },
      });
    });
    const all: Polynomial[] = [];
    const rows = outputs.map((ofAction, action) => {
      const permuted = ofAction.map(({ input, table }) => {
        const [inputs, tables] = [input, table].map((array) =>
          sortedValues(columns.writeRows(array), this.#last),
        );
        const pair = [inputs!, permutedTable(inputs!, tables!)].map((values) => columns.of(values));
        for (const column of pair) this.#blindRows(column, this.#last);
        return { pair: pair as [Column, Column], blinds: this.#draws.scalars(2) };
      });
      const [inputs, tables] = (['lookupInput', 'lookupTable'] as const).map((kind, side) =>
        this.#add(
          action,
          kind,
          permuted.map(({ pair }) => pair[side]!),
          permuted.map(({ blinds }) => blinds[side]!),
        ),
      );
      return ofAction.map((lookup, i) => {
        all.push(inputs![i]!, tables![i]!);
        const [permutedInput, table] = permuted[i]!.pair.map((column) => columns.rowsOf(column));
        return { ...lookup, permutedInput: permutedInput!, permutedTable: table! };
      });
    });
    await this.#commitAll(all);
    return rows;
  }

  /** And the random polynomial, for which no challenge is needed. */
  async #commitProducts(
    lookups: readonly (readonly LookupRows[])[],
    challenges: { readonly beta: bigint; readonly gamma: bigint },
  ): Promise<Polynomial> {
    const { domain, fixed } = this.#key;
    const { copySets } = this.#prepared.circuit;
    const { columns, kernel } = domain;
    const ratios = this.#values.map((values, action) =>
      kernel.memory.borrow(() => {
        const copied = copySets
          .flat()
          .map(({ kind, column }) =>
            columns.rowsOf(kind === 'fixed' ? fixed[column]! : values.get(columnName(kind, column))!),
          );
        return ratiosOf(this.#key, { copied, lookups: lookups[action]! }, challenges);
      }),
    );
    const products = runningProducts(columns, ratios.flat(), this.#last);
    columns.release(ratios.flat());
    const ofAction = ratios.map((ofOne, action) => {
      const own = products.slice(action * ofOne.length, (action + 1) * ofOne.length);
      joinProducts(columns, own, copySets.length, this.#last);
      return own;
    });
    const polynomials = (kind: 'product' | 'lookupProduct', part: (all: Column[]) => Column[]) =>
      ofAction.flatMap((all, action) => {
        const own = part(all);
        const blinds = own.map((column) => {
          this.#blindRows(column, this.#last + 1);
          return this.#draws.scalar();
        });
        return this.#add(action, kind, own, blinds);
      });
    const committed = [
      ...polynomials('product', (all) => all.slice(0, copySets.length)),
      ...polynomials('lookupProduct', (all) => all.slice(copySets.length)),
    ];
    // From here on the polynomials are enough.
    for (const values of this.#values) columns.release(values.values());
    const random = this.#randomPolynomial();
    await this.#commitAll([...committed, random]);
    return random;
  }

  async #commitQuotient(challenges: RowChallenges): Promise<Polynomial[]> {
    const actions = this.#polynomials.map(
      (all) => new Map([...all].map(([name, { coefficients }]) => [name, coefficients])),
    );
    const parts = await this.#work.quotientParts(actions, challenges);
    const { domain } = this.#key;
    const pieces = domain.quotientPieces(parts);
    const blinds = this.#draws.scalars(pieces.length);
    const polynomials = pieces.map((coefficients, i) => ({ coefficients, blind: blinds[i]! }));
    await this.#commitAll(polynomials);
    return polynomials;
  }

  /** One polynomial of the pieces, as the verifier combines their commitments. */
  #quotientAt(x: bigint, pieces: readonly Polynomial[]): Polynomial {
    const { columns, kernel } = this.#key.domain;
    return kernel.memory.borrow(() => {
      const combination = new Combination(columns, power(x, BigInt(this.#rows)));
      for (const piece of pieces.toReversed()) combination.add(piece);
      return combination.polynomial;
    });
  }

  #writeValues(x: bigint, random: Polynomial): void {
    const { circuit } = this.#prepared;
    const { queries, copySets, lookups, blindingRows } = circuit;
    const { columns, kernel } = this.#key.domain;
    kernel.memory.borrow(() => {
      const points = new Map<number, number>();
      const write = (coefficients: Column, rotations: readonly number[]): void => {
        kernel.memory.borrow(() => {
          const array = columns.rowsOf(coefficients);
          for (const rotation of rotations)
            this.#writer.writeScalar(valueAt(columns, array, points.get(rotation)!));
        });
      };
      const end = -(blindingRows + 1);
      const asked = Object.values(queries).flatMap((all) => all.map(({ rotation }) => rotation));
      for (const rotation of new Set([...asked, 0, 1, -1, end])) {
        const point = (x * rowPoint(circuit, rotation)) % order;
        points.set(rotation, pointPowers(columns, point));
      }
      const ofAction = (action: number, kind: Kind, index: number, rotations: readonly number[]): void =>
        write(this.#polynomials[action]!.get(columnName(kind, index))!.coefficients, rotations);
      for (const kind of ['instance', 'advice'] as const)
        for (const action of this.#actions.keys())
          for (const { column, rotation } of queries[kind]) ofAction(action, kind, column, [rotation]);
      for (const { column, rotation } of queries.fixed)
        write(this.#sharedColumn('fixed', column), [rotation]);
      write(random.coefficients, [0]);
      for (const column of copySets.flat().keys()) write(this.#sharedColumn('permutation', column), [0]);
      for (const action of this.#actions.keys())
        for (const set of copySets.keys())
          ofAction(action, 'product', set, set < copySets.length - 1 ? [0, 1, end] : [0, 1]);
      for (const action of this.#actions.keys())
        for (const lookup of lookups.keys()) {
          ofAction(action, 'lookupProduct', lookup, [0, 1]);
          ofAction(action, 'lookupInput', lookup, [0, -1]);
          ofAction(action, 'lookupTable', lookup, [0]);
        }
    });
  }

  #sharedColumn(kind: 'fixed' | 'permutation', index: number): Column {
    return this.#key.coefficients.get(columnName(kind, index))!;
  }

  #polynomialOf(committed: Committed, action: number, quotient: Polynomial, random: Polynomial): Polynomial {
    switch (committed.kind) {
      case 'quotient':
        return quotient;
      case 'random':
        return random;
      case 'fixed':
      case 'permutation':
        return { coefficients: this.#sharedColumn(committed.kind, committed.index), blind: 1n };
      default:
        return this.#polynomials[action]!.get(columnName(committed.kind, committed.index))!;
    }
  }

  async #open(x: bigint, quotient: Polynomial, random: Polynomial): Promise<void> {
    const { plan, circuit } = this.#prepared;
    const { columns, kernel } = this.#key.domain;
    const field = kernel.scalars;
    const writer = this.#writer;
    const [x1, x2] = [writer.challenge(), writer.challenge()];
    const sets = plan.sets.map(() => new Combination(columns, x1));
    const add = (committed: Committed, set: number, action: number): void =>
      sets[set]!.add(this.#polynomialOf(committed, action, quotient, random));
    for (const action of this.#actions.keys())
      for (const { committed, set } of plan.ofAction) add(committed, set, action);
    for (const { committed, set } of plan.shared) add(committed, set, 0);
    const opened = sets.map((set) => set.polynomial);
    const points = plan.sets.map((rotations) =>
      rotations.map((rotation) => (x * rowPoint(circuit, rotation)) % order),
    );
    const divided = {
      coefficients: dividedSum(this.#key, opened, points, x2),
      blind: this.#draws.scalar(),
    };
    await this.#commitAll([divided]);
    const x3 = writer.challenge();
    const powersOfX3 = pointPowers(columns, x3);
    for (const set of sets) writer.writeScalar(valueAt(columns, set.rows, powersOfX3));
    const x4 = writer.challenge();
    const all = new Combination(columns, x4);
    for (const polynomial of [divided, ...opened]) all.add(polynomial);

    const withoutValue = (polynomial: Polynomial): Polynomial => {
      const { coefficients } = polynomial;
      const value = kernel.memory.borrow(() => valueAt(columns, columns.rowsOf(coefficients), powersOfX3));
      const first = columns.kernel.memory.borrow(() => field.element(columns.rowsOf(coefficients), 0));
      coefficients.set(encodeInteger32(reduce(first - value)));
      return polynomial;
    };
    const mask = withoutValue(this.#randomPolynomial());
    await this.#commitAll([mask]);
    const [xi, z] = [writer.challenge(), writer.challenge()];
    const whole = new Combination(columns, xi);
    whole.add(mask);
    whole.add(all.polynomial);
    const last = withoutValue(whole.polynomial);
    const commitAll: CommitAll = (sides) => this.#work.commitAll(sides);
    await proveInnerProduct(writer, this.#draws, columns, commitAll, last, x3, z);
  }
}
