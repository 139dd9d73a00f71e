// What stands behind the names of benches: `--word value` and `--word`.
const words = process.argv.slice(2);

/** The text behind `--name`; undefined without it. */
export function option(name: string): string | undefined {
  const place = words.indexOf(`--${name}`);
  if (place === -1) return undefined;
  const value = words[place + 1];
  if (value === undefined || value.startsWith('--')) throw new Error(`--${name} takes a value`);
  return value;
}

export const flag = (name: string): boolean => words.includes(`--${name}`);

export function numberOption(name: string, otherwise: number): number {
  const text = option(name);
  const value = text === undefined ? otherwise : Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new Error(`--${name} takes a number above 0`);
  return value;
}

/** A comma between two; all of `known` when the option is not given. */
export function listOption<T extends string>(name: string, known: readonly T[]): readonly T[] {
  const text = option(name);
  if (text === undefined) return known;
  return text.split(',').map((word) => {
    const found = known.find((one) => one === word);
    if (found === undefined) throw new Error(`--${name} takes some of ${known.join(', ')}`);
    return found;
  });
}
