// Whether an object in a JSON text has two members of one name: JSON.parse keeps the last without an error.

/** `text` must be valid: JSON.parse has accepted it. */
export function hasRepeatedName(text: string): boolean {
  /** The names of each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(undefined);
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = stringEnd(text, at);
      const names = open.at(-1);
      if (names !== undefined && isName(text, end)) {
        const name = JSON.parse(text.slice(at, end)) as string;
        if (names.has(name)) return true;
        names.add(name);
      }
      at = end - 1;
    }
  }
  return false;
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
