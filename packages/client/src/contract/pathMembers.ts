// Input members in the HTTP path: `/api/payments/{payment_id}` has one. The client fills the path and leaves them out of
// body and query.

import { trimCopied } from './copiedText.ts';
import { badField } from './errors.ts';

const MEMBER = /^\{(\w+)\}$/;
/** What no path segment can be: browsers and node:http resolve dots, escaped or not. */
const NO_SEGMENT = /^\.{0,2}$/;

type Fields = Readonly<Record<string, unknown>>;

const memberOf = (segment: string): string | undefined => MEMBER.exec(segment)?.[1];

export const pathMembers = (path: string): readonly string[] =>
  path.split('/').flatMap((segment) => memberOf(segment) ?? []);

/** The path with its members filled in, and the rest of the input. Throws `INVALID_REQUEST`. */
export function filledPath(
  template: string,
  input: object,
): { readonly path: string; readonly rest: Fields } {
  const members = pathMembers(template);
  const given = input as Fields;
  const path = template.split('/').map((segment) => {
    const member = memberOf(segment);
    return member === undefined ? segment : segmentFor(member, given[member]);
  });
  const rest = Object.entries(given).filter(([name]) => !members.includes(name));
  return { path: path.join('/'), rest: Object.fromEntries(rest) };
}

function segmentFor(member: string, value: unknown): string {
  const text = trimCopied(String(value ?? ''));
  if (!NO_SEGMENT.test(text)) return encodeURIComponent(text);
  throw badField(member, text === '' ? 'is required' : 'is not valid');
}
