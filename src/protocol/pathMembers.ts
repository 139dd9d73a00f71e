// Input members that the server reads from the HTTP path, which the client has filled.

import { pathMembers } from '@wallet-companion/client/contract';
import { CompanionError } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The path in the router's syntax. */
export const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * The path's segments in the places of the members, accepted in one spelling only: two spellings would be two keys for
 * caches and logs. Undefined for a path of another form.
 */
export function membersIn(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const members: [string, string][] = [];
  for (const [i, segment] of wanted.entries()) {
    const [member] = pathMembers(segment);
    const text = given[i]!;
    if (member === undefined ? text !== segment : text === '') return undefined;
    if (member !== undefined) members.push([member, text]);
  }
  return Object.fromEntries(members);
}

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
