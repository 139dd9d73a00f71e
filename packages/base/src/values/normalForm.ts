// Unicode normal forms of text that may be a password or a recovery phrase. The engine copies what it normalises into
// memory that it frees without wiping, even when the thread ends: so it receives as little of the text as possible.

/**
 * The result of `text.normalize(form)`. No character composes with an ASCII character after it (UAX #15, §9.1), so the
 * text is cut before each: ASCII stays as it is, and the rest goes in pieces, short in the scripts of most passwords.
 */
export const normalForm = (text: string, form: 'NFKC' | 'NFKD'): string =>
  text.replace(PIECE, (piece) => piece.normalize(form));

/** A run of non-ASCII characters, with the ASCII character before it that they may combine with. */
const PIECE = /\p{ASCII}?\P{ASCII}+/gu;
