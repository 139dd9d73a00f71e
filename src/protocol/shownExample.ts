// The sample request that the documentation shows: one that would be accepted, and that asks for no more than it needs.

import { examples } from './examples.ts';
import { type OperationName, operations } from './operations.ts';

/** A password that is not needed is left out: nobody should learn to send it with everything. */
export function shownInput(name: OperationName): Readonly<Record<string, unknown>> {
  const { input, unshown = [] }: { readonly input: object; readonly unshown?: readonly string[] } =
    examples[name];
  const sample = without(input, unshown);
  const withoutPassword = without(sample, ['password']);
  return operations[name].input.safeParse(withoutPassword).success ? withoutPassword : sample;
}

const without = (input: object, fields: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !fields.includes(field)));
