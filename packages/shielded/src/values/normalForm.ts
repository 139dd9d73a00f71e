// Unicode normal forms of text that may be a password or a recovery phrase. What the engine normalises it copies into
// memory that it frees unwiped, where no end of a thread clears it: so as little as possible is given to it.

/**
 * What `text.normalize(form)` is. Nothing composes with an ASCII character that follows (UAX #15, §9.1), so the text is
 * cut before each: ASCII stays as it is, and the rest goes in pieces that are short in the scripts of most passwords.
 */
export const normalForm = (text: string, form: 'NFKC' | 'NFKD'): string =>
  text.replace(PIECE, (piece) => piece.normalize(form));

/** A run of other characters, with the ASCII character that they may combine with. */
const PIECE = /\p{ASCII}?\P{ASCII}+/gu;
