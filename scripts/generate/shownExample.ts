// The sample request in the documentation: it would be accepted, and has no field that it does not need.

import type { Operation } from '../../src/protocol/operation.ts';
import { type OperationName, operations } from '../../src/protocol/operations.ts';
import { examples } from './examples.ts';

/** A password that is not needed is left out: readers should not learn to send it with every call. */
export function shownInput(name: OperationName): Readonly<Record<string, unknown>> {
  const { input, unshown = [] }: { readonly input: object; readonly unshown?: readonly string[] } =
    examples[name];
  const sample = without(input, unshown);
  const { access, alsoUsesPassword }: Operation = operations[name];
  // Over HTTP, which the samples show, these need it, the latter unless a program signs.
  if (access === 'owner_or_password' || alsoUsesPassword === true) return sample;
  const withoutPassword = without(sample, ['password']);
  return operations[name].input.safeParse(withoutPassword).success ? withoutPassword : sample;
}

const without = (input: object, fields: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !fields.includes(field)));
