// Input members that the server reads from the HTTP path, which the client has filled.

import { CompanionError } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The whole input. A member that body or query also has is refused, even if it is equal: one of the two would win. */
export function withPathMembers(input: unknown, members: Fields | undefined): unknown {
  if (members === undefined || typeof input !== 'object' || input === null || Array.isArray(input))
    return input;
  const given = input as Fields;
  const twice = Object.keys(members).filter((name) => (given[name] ?? null) !== null);
  if (twice.length === 0) return { ...input, ...members };
  throw new CompanionError('INVALID_REQUEST', 'A field of the path must not be given once more.', {
    errors: twice.map((path) => ({ path, message: 'is in the path already' })),
  });
}
