// Whether two values of a field are equal.
import { equalBytes } from '@wallet-companion/base/bytes';

type Fields = Readonly<Record<string, unknown>>;

/** Handles every kind of value in a layout except maps. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return equalBytes(a, b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => isSameValue(item, b[i]));
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null)
    return Object.keys(a).every((name) => isSameValue((a as Fields)[name], (b as Fields)[name]));
  return a === b;
}
