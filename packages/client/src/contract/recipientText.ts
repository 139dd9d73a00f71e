// Whom a person means: an address, a contact by name, or a payment request. One rule tells them apart, and names that
// break it are refused, so that no name is ever taken for an address.

import { trimCopied } from './copiedText.ts';

export type RecipientInput =
  | { readonly address: string }
  | { readonly contact: string }
  | { readonly uri: string };

/** The shortest addresses have 35 characters; a name that is one long word of ASCII is none. */
const ADDRESS = /^[0-9A-Za-z]{24,}$/;

/** The field of `payments.prepare` that takes the text. */
export function recipientIn(text: string): RecipientInput {
  const trimmed = trimCopied(text);
  if (/^zcash:/i.test(trimmed)) return { uri: trimmed };
  return ADDRESS.test(trimmed) ? { address: trimmed } : { contact: trimmed };
}
