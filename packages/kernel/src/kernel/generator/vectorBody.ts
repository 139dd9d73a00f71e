// Emits straight-line AssemblyScript over pairs of 128-bit vectors: one logical operation becomes one statement per
// vector. A block of the kernel holds four field elements, two per vector; working on both vectors alternately hides
// the latency of the carry chain.

/** One logical value: the local variable's name for each of the two vectors. */
export type Pair = readonly [string, string];

const bitsView = new DataView(new ArrayBuffer(8));

/** The IEEE bit pattern of a double as a signed 64-bit integer. */
export function bitsOf(value: number): bigint {
  bitsView.setFloat64(0, value);
  return bitsView.getBigInt64(0);
}

/** An operand that is loaded where it is used, because a reload costs less than the compiler's spill and reload. */
export type Operand = () => Pair;

export class VectorBody {
  readonly #statements: string[] = [];
  /** Rows of the constant table, 16 bytes each; the value of a row may be set after its first use. */
  readonly #table: bigint[] = [];
  readonly #rows = new Map<bigint, number>();
  readonly #hot = new Map<bigint, string>();
  readonly #hotValues: ReadonlySet<bigint> | undefined;
  #counter = 0;

  /** `hot`: doubles used so often that they stay in registers; `all` keeps every constant there. */
  constructor(hot: readonly number[] | 'all') {
    this.#hotValues = hot === 'all' ? undefined : new Set(hot.map(bitsOf));
  }

  /** A value computed by `expression` for each vector; operands are interpolated by the caller. */
  #emit(expression: (vector: 0 | 1) => string): Pair {
    const id = this.#counter++;
    const pair: Pair = [`v${id}a`, `v${id}b`];
    for (const vector of [0, 1] as const) {
      this.#statements.push(`    const ${pair[vector]} = ${expression(vector)};`);
    }
    return pair;
  }

  #row(index: number): Pair {
    // One load serves both vectors.
    const name = `v${this.#counter++}`;
    this.#statements.push(`    const ${name} = v128.load(CONSTANTS, ${index * 16});`);
    return [name, name];
  }

  #constant(bits: bigint): Pair {
    if (this.#hotValues?.has(bits) ?? true) {
      const name = this.#hot.get(bits) ?? `hot${this.#hot.size}`;
      this.#hot.set(bits, name);
      return [name, name];
    }
    let row = this.#rows.get(bits);
    if (row === undefined) {
      row = this.#table.push(bits) - 1;
      this.#rows.set(bits, row);
    }
    return this.#row(row);
  }

  float(value: number): Pair {
    return this.#constant(bitsOf(value));
  }

  integer(value: bigint): Pair {
    return this.#constant(BigInt.asIntN(64, value));
  }

  /** A constant whose value is known only when the body is complete; `settle` sets it. */
  deferredInteger(): { readonly pair: Pair; settle(value: bigint): void } {
    const row = this.#table.push(0n) - 1;
    return {
      pair: this.#row(row),
      settle: (value) => {
        this.#table[row] = BigInt.asIntN(64, value);
      },
    };
  }

  /** Limb `limb` of the block that `pointer` points at. */
  load(pointer: string, limb: number): Pair {
    return this.#emit((vector) => `v128.load(${pointer}, ${limb * 32 + vector * 16})`);
  }

  store(pointer: string, limb: number, value: Pair): void {
    for (const vector of [0, 1] as const) {
      this.#statements.push(`    v128.store(${pointer}, ${value[vector]}, ${limb * 32 + vector * 16});`);
    }
  }

  fma(a: Pair, b: Pair, c: Pair): Pair {
    return this.#emit((v) => `f64x2.relaxed_madd(${a[v]}, ${b[v]}, ${c[v]})`);
  }

  add(a: Pair, b: Pair): Pair {
    return this.#emit((v) => `f64x2.add(${a[v]}, ${b[v]})`);
  }

  sub(a: Pair, b: Pair): Pair {
    return this.#emit((v) => `f64x2.sub(${a[v]}, ${b[v]})`);
  }

  mul(a: Pair, b: Pair): Pair {
    return this.#emit((v) => `f64x2.mul(${a[v]}, ${b[v]})`);
  }

  addBits(a: Pair, b: Pair): Pair {
    return this.#emit((v) => `i64x2.add(${a[v]}, ${b[v]})`);
  }

  shiftLeft(a: Pair, bits: number): Pair {
    return this.#emit((v) => `i64x2.shl(${a[v]}, ${bits})`);
  }

  shiftRight(a: Pair, bits: number): Pair {
    return this.#emit((v) => `i64x2.shr_u(${a[v]}, ${bits})`);
  }

  and(a: Pair, b: Pair): Pair {
    return this.#emit((v) => `v128.and(${a[v]}, ${b[v]})`);
  }

  or(a: Pair, b: Pair): Pair {
    return this.#emit((v) => `v128.or(${a[v]}, ${b[v]})`);
  }

  /** The constant table as a list of 64-bit integers, each row holding its value twice. */
  table(): string {
    return this.#table.flatMap((value) => [value, value]).join(', ');
  }

  /** Declarations of the constants that stay in registers, for the code before the loop. */
  hotConstants(): string {
    return [...this.#hot].map(([bits, name]) => `  const ${name} = i64x2(${bits}, ${bits});`).join('\n');
  }

  /** The statements, both vectors alternately. */
  statements(): string {
    return this.#statements.join('\n');
  }
}
