// Text that people copy: mail, chats and QR readers add blanks and invisible characters around it, and QR codes have
// capitals alone. One rule for addresses, identifiers, keys and payment requests.

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
