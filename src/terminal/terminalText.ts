// Text measured in the cells of a terminal: senders choose the characters of memos, and many scripts take two cells each.

import type { TerminalOutput } from './streams.ts';

const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{DI}]/u;
/** East Asian wide and fullwidth characters (Unicode, UAX 11), and characters that are drawn as emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Selects the emoji form of the character before it, which is wide on terminals that support it. */
const EMOJI_SELECTOR = '\ufe0f';

const CUT = '...';

function characterWidth(character: string): number {
  if (character === EMOJI_SELECTOR) return 1;
  if (ZERO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

const ASCII = /^[\x20-\x7e]*$/;

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));

/** Cuts the text to `width` cells; a cut text ends with dots. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return startOf(text, width - CUT.length) + CUT;
}

function startOf(text: string, width: number): string {
  let taken = 0;
  let start = '';
  for (const character of text) {
    taken += characterWidth(character);
    if (taken > width) break;
    start += character;
  }
  return start;
}

/** Lines of whole words. A word that is wider than a line gets a separate line: a split word could not be copied. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

const USUAL_COLUMNS = 80;

/** Undefined without a terminal: output for programs and files is not wrapped. Some terminals tell no width. */
export const widthOf = ({ isTTY, columns = 0 }: TerminalOutput): number | undefined =>
  isTTY !== true ? undefined : columns > 0 ? columns : USUAL_COLUMNS;
