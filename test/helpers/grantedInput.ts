// Samples of operations for callers with grants.

import { examples } from '../../scripts/generate/examples.ts';
import { ADMIN_FIELDS } from '../../src/protocol/grants.ts';
import type { OperationName } from '../../src/protocol/operations.ts';
import { inputFields } from '../../src/protocol/textInput.ts';

/** As a grant without `admin` may send it. */
export const grantedInput = (name: OperationName): object =>
  Object.fromEntries(
    Object.entries(examples[name].input).filter(([field]) => !ADMIN_FIELDS.some((admin) => admin === field)),
  );

/** As little as is needed: what narrows an answer could hide what should not be in it. */
export const leastInput = (name: OperationName): object => {
  const required = inputFields(name).filter((field) => field.required);
  const sample = examples[name].input as Record<string, unknown>;
  return Object.fromEntries(required.map((field) => [field.name, sample[field.name]]));
};
