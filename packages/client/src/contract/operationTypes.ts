// The types of the operation table without the schema library, which users of the client must not need.

import type { Inputs, Outputs } from './generated/types.ts';

export type OperationName = keyof Inputs & keyof Outputs;
export type Input<N extends OperationName> = Inputs[N];
export type Output<N extends OperationName> = Outputs[N];

/** The arguments of a typed call after the operation: the input may be left out if all its fields are optional. */
export type Arguments<N extends OperationName> =
  Record<string, never> extends Input<N> ? [input?: Input<N>] : [input: Input<N>];
