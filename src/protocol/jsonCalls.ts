// Calls whose input and answer are the bytes of JSON texts. A text becomes a string only in the thread whose memory is
// cleared when the wallet locks: bytes can be moved there and be wiped, strings can be neither.

import { CompanionError } from './errors.ts';
import type { JsonLink, Link } from './link.ts';
import { parseInput } from './operations.ts';
import { withPathMembers } from './pathMembers.ts';
import { hasRepeatedName } from './repeatedName.ts';
import { ok } from './result.ts';

/** What comes before the value; JSON's own white space. */
const OBJECT_OR_ARRAY = /^[ \t\n\r]*[[{]/;

/** Nothing at all is `{}`. Throws `INVALID_REQUEST`; nothing of the body, which may hold a password, goes on. */
export function parseJsonBody(body: Uint8Array): unknown {
  if (body.length === 0) return {};
  try {
    const text = new TextDecoder('utf-8').decode(body);
    if (OBJECT_OR_ARRAY.test(text)) {
      const value: unknown = JSON.parse(text);
      // Which of the two counts, readers do not agree on: one that checks and one that acts could see different payments.
      if (!hasRepeatedName(text)) return value;
    }
  } catch {
    // Said below, without the text that the parser quotes.
  }
  throw new CompanionError(
    'INVALID_REQUEST',
    'The request body is not a complete JSON object, or has a name twice.',
  );
}

export const encodeJson = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(value));

/** The link's own way, where it has one. */
export function jsonLink(link: Pick<Link, 'dispatch'> & Partial<JsonLink>): JsonLink {
  const { dispatchJson } = link;
  if (dispatchJson !== undefined) return { dispatchJson: dispatchJson.bind(link) };
  return {
    dispatchJson: async (name, body, { inPath, ...context }) => {
      const input = withPathMembers(parseJsonBody(body), inPath);
      const result = await link.dispatch(name, parseInput(name, input), context);
      return result.ok ? ok(encodeJson(result.value)) : result;
    },
  };
}
