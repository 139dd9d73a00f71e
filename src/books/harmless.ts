// Text of a stranger in a spreadsheet: a memo must never run as a formula, nor look like a separate cell or row, in any program that
// reads the file with any separator.
//
// A spreadsheet recognises a formula by its first character, so an apostrophe goes before that. Since the cell may begin
// elsewhere for a program that splits at other separators, or ignores quotes, the same is done after each of those. Line
// breaks and unseen characters are written as escapes: one line is one row. JSON has memos as they are.

/** Control, format (also bidirectional overrides) and separator characters except the plain space. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * What may begin a formula, in any width, at the start or after a character that may separate cells or close a quote; some
 * programs skip white space between the two.
 */
const FORMULA =
  /(^|[,;|:"'\u2018-\u201f\uff0c\uff1b\uff02\uff07])(\s*)(?=[=+\-@\u2212\u207a\u208a\ufe62\ufe63\ufe66\ufe6b\uff1d\uff0b\uff0d\uff20])/gu;

/** Text that no spreadsheet runs. */
export const harmless = (text: string): string =>
  visible(text).replaceAll(FORMULA, (_, before: string, space: string) => `${before}${space}'`);

/** Text of one line, without characters that nobody sees. */
export const visible = (text: string): string => text.replaceAll(UNSEEN, escaped);

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
