// Text that people copy, and whom they name in it: mail, chats and QR readers add blanks and invisible characters around
// it, and QR codes have capitals alone. One rule for addresses, identifiers, keys and payment requests.

/** White space, line ends, controls, and what is invisible (joiners, marks of direction, byte order marks, fillers). */
const EDGE = /[\s\p{Cc}\p{Cf}\p{Zs}\p{DI}\u2800\ufffc]/u;

/** The text without blanks and invisible characters at its ends. Two loops: a regular expression takes quadratic time. */
export function trimCopied(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && EDGE.test(text[start]!)) start++;
  while (end > start && EDGE.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** The same, and capitals alone (Bech32 in QR codes, hexadecimal) in small letters; mixed case stays as it is. */
export function copiedCode(text: string): string {
  const code = trimCopied(text);
  return /[a-z]/.test(code) ? code : code.toLowerCase();
}

// Whom a person means: an address, a contact by name, or a payment request. One rule tells them apart, and names that
// break it are refused, so that no name is ever taken for an address.
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
