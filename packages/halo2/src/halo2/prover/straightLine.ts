// Expressions of actions over columns, as a program of lane operations. It runs over a few rows at a time, whose values stay in
// the processor's cache; what no action's column is in is computed once for all actions.

import { BLOCK_BYTES, type FieldLanes } from '@wallet-companion/kernel/vesta';
import type { ColumnInput, Expressions, Node } from '../circuit/rowExpressions.ts';
import { Assembler, type Instruction, type Place } from './instructions.ts';

/** Blocks of rows that are worked on together. */
const CHUNK = 16;

export interface Binding<Parameters> {
  readonly field: FieldLanes;
  /** A multiple of the chunk. */
  readonly blocks: number;
  readonly actions: number;
  readonly parameters: Parameters;
  /** Address of the column's first row, turned by the rotation; the action is 0 for what all share. */
  readonly addressOf: (input: ColumnInput, action: number) => number;
  readonly outputOf: (output: number, action: number) => number;
}

export class StraightLine<Parameters> {
  readonly #expressions: Expressions<Parameters>;
  readonly #program: Assembler<Parameters>;

  constructor(expressions: Expressions<Parameters>, outputs: readonly Node[]) {
    this.#expressions = expressions;
    this.#program = new Assembler(expressions, outputs);
  }

  run(binding: Binding<Parameters>): void {
    const { field, blocks, actions } = binding;
    const { places, shared, ofAction } = this.#program;
    field.memory.borrow(() => {
      const tables = this.#addresses(binding, actions);
      const moving = places.flatMap(({ kind }, i) => (kind === 'column' || kind === 'output' ? [i] : []));
      for (let at = 0; at < blocks; at += CHUNK) {
        execute(field, shared, tables[0]!);
        for (const table of tables) {
          execute(field, ofAction, table);
          for (const place of moving) table[place]! += CHUNK * BLOCK_BYTES;
        }
      }
      field.flush();
    });
  }

  /** The places' addresses for each action. */
  #addresses({ field, parameters, addressOf, outputOf }: Binding<Parameters>, actions: number): Int32Array[] {
    const { places, slots } = this.#program;
    const slotArrays = Array.from({ length: slots }, () => field.array(CHUNK));
    const repeated = (value: bigint): number => {
      const array = field.array(CHUNK);
      const constant = field.constant(value);
      for (let block = 0; block < CHUNK; block++) field.copy(array + block * BLOCK_BYTES, constant, 1);
      return array;
    };
    const ofAll = (place: Place): number => {
      if (place.kind === 'zero') return repeated(0n);
      if (place.kind === 'slot') return slotArrays[place.slot]!;
      const expression = place.kind === 'parameter' ? this.#expressions.all[place.node]! : undefined;
      return expression?.kind === 'parameter' ? repeated(expression.value(parameters)) : 0;
    };
    const fixed = places.map(ofAll);
    return Array.from({ length: actions }, (_, action) =>
      Int32Array.from(places, (place, i) => {
        if (place.kind === 'column') return addressOf(place.input, place.input.isOfAction ? action : 0);
        return place.kind === 'output' ? outputOf(place.output, action) : fixed[i]!;
      }),
    );
  }
}

function execute(field: FieldLanes, instructions: readonly Instruction[], addresses: Int32Array): void {
  for (const { operation, operands } of instructions) {
    const [o, a, b] = operands;
    if (operation === 'mulAdd' || operation === 'mulSub' || operation === 'mulPlus')
      field[operation](addresses[o]!, addresses[a]!, addresses[b]!, addresses[operands[3]]!, CHUNK);
    else field[operation](addresses[o]!, addresses[a]!, addresses[b]!, CHUNK);
  }
}
