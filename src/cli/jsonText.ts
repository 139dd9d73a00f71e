// Answers for programs (--json), which people look at too.

/**
 * One line of JSON, the same value as any other writer's, with everything escaped that JSON leaves raw and that a
 * terminal may act on: DEL, C1 controls, bidirectional overrides, line and paragraph separators.
 */
export const jsonText = (value: unknown): string =>
  `${JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, jsonEscape)}\n`;

/** By UTF-16 unit, as JSON escapes are. */
const jsonEscape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
