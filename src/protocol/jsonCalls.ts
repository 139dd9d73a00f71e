// Calls whose input and answer are the bytes of JSON texts. A text becomes a string only in the thread whose memory is
// cleared when the wallet locks: bytes can be moved there and wiped, strings cannot.

import { CompanionError } from './errors.ts';
import type { Dispatcher, JsonLink } from './link.ts';
import { parseInput } from './operations.ts';
import { readJsonWithPasswords, withPasswordText } from './passwords.ts';
import { ok } from './result.ts';

/**
 * An empty body is `{}`; passwords are bytes, and gone from `body`. Throws `INVALID_REQUEST` without any text of the body, which may
 * hold a password.
 */
export function parseJsonBody(body: Uint8Array): unknown {
  if (body.length === 0) return {};
  try {
    // Readers disagree on which of two equal names counts: a checker and an actor could see different payments.
    const value = readJsonWithPasswords(body);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The error is thrown below, without the text that the parser quotes.
  }
  throw new CompanionError(
    'INVALID_REQUEST',
    'The request body is not a complete JSON object, or has a name twice.',
  );
}

export const encodeJson = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(value));

/** Uses the link's own JSON calls where it has them. */
export function jsonLink(link: Dispatcher & Partial<JsonLink>): JsonLink {
  const { dispatchJson } = link;
  if (dispatchJson !== undefined) return { dispatchJson: dispatchJson.bind(link) };
  return {
    dispatchJson: async (name, body, { inPath, ...context }) => {
      const input = withPathMembers(parseJsonBody(body), inPath);
      const result = await link.dispatch(name, withPasswordText(parseInput(name, input)), context);
      return result.ok ? ok(encodeJson(result.value)) : result;
    },
  };
}

// Input members that the server reads from the HTTP path, which the client has filled.
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
