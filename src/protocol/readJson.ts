// Reads a JSON text without a silent loss: of two members of one name JSON.parse keeps the last, and a number that a double does
// not hold it rounds.

const NUMBER = /[-+.\deE]+/y;

/** Throws where the text is not JSON, or has a name twice. A number that would be rounded is read as Infinity, which `parseInput` refuses with its place. */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  /** The names of each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  const kept: string[] = [];
  let keptUpTo = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(undefined);
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = stringEnd(text, at);
      const names = open.at(-1);
      if (names !== undefined && isName(text, end)) {
        const name = JSON.parse(text.slice(at, end)) as string;
        if (names.has(name)) throw new SyntaxError('a name twice');
        names.add(name);
      }
      at = end - 1;
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      NUMBER.lastIndex = at;
      const [number] = NUMBER.exec(text)!;
      if (!isExact(number)) {
        kept.push(text.slice(keptUpTo, at), '1e999');
        keptUpTo = at + number.length;
      }
      at += number.length - 1;
    }
  }
  return keptUpTo === 0 ? value : JSON.parse(kept.join('') + text.slice(keptUpTo));
}

/** Whether a double, written as JSON again, is the same decimal number. */
const isExact = (number: string): boolean => decimal(number) === decimal(String(Number(number)));

/** One text for each number: its digits without zeros at the ends, and the power of ten behind them. */
function decimal(number: string): string {
  const [, sign, whole = '', fraction = '', exponent = 0] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`;
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const significant = digits.slice(0, end).replace(/^0+/, '');
  return significant === ''
    ? whole
      ? '0'
      : number
    : `${sign}${significant}e${Number(exponent) + whole.length - end}`;
}

/** The position after the closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (' \t\n\r'.includes(text[at]!)) at += 1;
  return text[at] === ':';
}
