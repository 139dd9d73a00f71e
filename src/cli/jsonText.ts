// Answers for programs (--json), which are also shown on terminals.

/**
 * One line of JSON, the same value as from any other writer, but with escapes for all characters that JSON leaves raw
 * and that a terminal may interpret: DEL, C1 controls, bidirectional overrides, line and paragraph separators.
 */
export const jsonText = (value: unknown): string =>
  `${JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, jsonEscape)}\n`;

/** One escape for each UTF-16 unit, as in JSON. */
const jsonEscape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
