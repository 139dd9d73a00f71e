// Makes the password a known field of every POST operation, so that clients may send it without knowing which
// operations need it. Where it is not needed, the wallet actor still checks it and does not pass it on.

import * as field from './fields.ts';
import { NEEDS_PASSWORD, type Operation } from './operation.ts';

const NOT_NEEDED = 'Not needed; when given it is checked first, and opens the session';

/**
 * The fields of an operation, plus the password if it is a POST that lacks one. (Without any fields, every key has type
 * never.)
 */
export type WithCheckedPassword<O extends Operation, Fields> = 'password' extends keyof O['input']['shape']
  ? Fields
  : O['http']['method'] extends 'POST'
    ? (string extends keyof Fields ? unknown : Fields) & { readonly password?: string | undefined }
    : Fields;

/** The operation, with an optional password if it is a POST that lacks one. */
export function withCheckedPassword(operation: Operation): Operation {
  const { http, input, errors, needsPasswordBy: setting } = operation;
  if (http.method === 'GET' || Object.hasOwn(input.shape, 'password')) return operation;
  const text = setting === undefined ? NOT_NEEDED : `Needed where ${setting} is set`;
  return {
    ...operation,
    input: input.extend({ password: field.password.describe(text).optional() }),
    errors: [...new Set([...errors, ...NEEDS_PASSWORD])],
    checksPassword: true,
  };
}
