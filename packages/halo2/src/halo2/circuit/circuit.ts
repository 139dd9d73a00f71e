// A circuit as data: what its constraints, lookups and copies are, and its verifying key. The file is made by the reference
// crates (how: ../../../README.md), and known by its digest.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { blake2b256 } from '@wallet-companion/zcash/curves';
import { type ColumnKind, type Expression, ProgramWriter, type Step, scalarOf } from './expressions.ts';

/** The column's value in the row that is `rotation` further on. */
export interface Query {
  readonly column: number;
  readonly rotation: number;
}

/** Numbers of steps: the input is a row of the table. */
export interface Lookup {
  readonly inputs: readonly number[];
  readonly tables: readonly number[];
}

export interface Circuit {
  readonly name: string;
  /** Rows of a column: 2^k. */
  readonly rows: number;
  readonly k: number;
  /** Rows at the end that hold random values; the one before them ends the products. */
  readonly blindingRows: number;
  /** Rows of the public inputs of one action. */
  readonly instanceRows: number;
  readonly adviceColumns: number;
  readonly quotientPieces: number;
  /** In the order in which a proof has their values. */
  readonly queries: Readonly<Record<ColumnKind, readonly Query[]>>;
  readonly program: readonly Step[];
  /** Steps that are 0 in each row. */
  readonly constraints: readonly number[];
  readonly lookups: readonly Lookup[];
  /** The columns whose cells may be copies of each other, in the sets that share a product. */
  readonly copySets: readonly (readonly { readonly kind: ColumnKind; readonly column: number }[])[];
  /** An element of order `rows`. */
  readonly omega: bigint;
  /** An element of order `rows` times the pieces of the quotient, and the factor that keeps its powers off the rows' points. */
  readonly extendedOmega: bigint;
  readonly zeta: bigint;
  /** Tells the columns of copies apart. */
  readonly delta: bigint;
  readonly key: {
    /** Stands for the key in the transcript. */
    readonly representation: bigint;
    /** Encoded points. */
    readonly fixed: readonly Uint8Array[];
    readonly permutation: readonly Uint8Array[];
  };
  /** Length and BLAKE2b-256 of the tables that belong to it. */
  readonly files: Readonly<Record<string, { readonly length: number; readonly blake2b_256: string }>>;
}

interface CircuitFile {
  readonly format: 1;
  readonly circuit: string;
  readonly n: number;
  readonly k: number;
  readonly blinding_factors: number;
  readonly instance_rows: number;
  readonly advice_columns: number;
  readonly quotient_pieces: number;
  readonly queries: Readonly<Record<ColumnKind, readonly (readonly [number, number])[]>>;
  readonly gates: readonly { readonly constraints: readonly { readonly expression: Expression }[] }[];
  readonly lookups: readonly {
    readonly inputs: readonly Expression[];
    readonly tables: readonly Expression[];
  }[];
  readonly permutation: {
    readonly columns: readonly (readonly [ColumnKind, number])[];
    readonly chunk: number;
  };
  readonly domain: {
    readonly omega: string;
    readonly extended_omega: string;
    readonly coset_zeta: string;
    readonly delta: string;
  };
  readonly key: {
    readonly transcript_repr: string;
    readonly fixed_commitments: readonly string[];
    readonly permutation_commitments: readonly string[];
  };
  readonly files: Circuit['files'];
}

const NO_PERSONALISATION = new Uint8Array(16);

/** Throws an Error unless the file, which belongs to a circuit, has this BLAKE2b-256. */
export function checkDigest(bytes: Uint8Array, digest: string, what: string): void {
  if (bytesToHex(blake2b256(NO_PERSONALISATION, [bytes])) !== digest)
    throw new Error(`${what} is damaged: its digest differs`);
}

/** The circuit of an unpacked circuit.json with this BLAKE2b-256. */
export function readCircuit(bytes: Uint8Array, digest: string): Circuit {
  checkDigest(bytes, digest, 'circuit.json');
  const file = JSON.parse(new TextDecoder().decode(bytes)) as CircuitFile;
  const writer = new ProgramWriter();
  const written = (expressions: readonly Expression[]) => expressions.map((tree) => writer.write(tree));
  const queriesOf = (kind: ColumnKind) =>
    file.queries[kind].map(([column, rotation]) => ({ column, rotation }));
  const { chunk } = file.permutation;
  const columns = file.permutation.columns.map(([kind, column]) => ({ kind, column }));
  return {
    name: file.circuit,
    rows: file.n,
    k: file.k,
    blindingRows: file.blinding_factors,
    instanceRows: file.instance_rows,
    adviceColumns: file.advice_columns,
    quotientPieces: file.quotient_pieces,
    queries: {
      instance: queriesOf('instance'),
      advice: queriesOf('advice'),
      fixed: queriesOf('fixed'),
    },
    constraints: file.gates.flatMap(({ constraints }) =>
      constraints.map(({ expression }) => writer.write(expression)),
    ),
    lookups: file.lookups.map(({ inputs, tables }) => ({ inputs: written(inputs), tables: written(tables) })),
    program: writer.steps,
    copySets: Array.from({ length: Math.ceil(columns.length / chunk) }, (_, set) =>
      columns.slice(set * chunk, (set + 1) * chunk),
    ),
    omega: scalarOf(file.domain.omega),
    extendedOmega: scalarOf(file.domain.extended_omega),
    zeta: scalarOf(file.domain.coset_zeta),
    delta: scalarOf(file.domain.delta),
    key: {
      representation: scalarOf(file.key.transcript_repr),
      fixed: file.key.fixed_commitments.map(hexToBytes),
      permutation: file.key.permutation_commitments.map(hexToBytes),
    },
    files: file.files,
  };
}
