// Building blocks of the PCZT encoding (ZIP 374, as the pczt crate writes it) as data: reading, writing and combining
// walk the same tables, so none of them can forget a field.

/** The parts of a table. `Wire<T>` defines the values of a node. */
export type WireNode =
  | { readonly kind: 'u8' | 'u32' | 'u64' | 'i128' | 'text' | 'signedMagnitude' }
  | { readonly kind: 'fixed'; readonly size: number }
  /** Bytes with a length prefix; `size` where only one length is valid. */
  | BytesNode
  | { readonly kind: 'optional'; readonly of: WireNode }
  /** An option that must have a value. */
  | { readonly kind: 'tagged'; readonly of: WireNode }
  /** A field that other encodings may omit, in an encoding that always has it. */
  | { readonly kind: 'present'; readonly of: WireNode }
  | { readonly kind: 'list'; readonly of: WireNode; readonly atMost: number }
  /** `keySize` undefined: the keys are texts. Otherwise byte strings, which are hexadecimal in memory. */
  | { readonly kind: 'map'; readonly keySize: number | undefined; readonly of: WireNode }
  /** A variant without payload. */
  | { readonly kind: 'choice'; readonly names: readonly string[] }
  /** A constant that is not written. */
  | { readonly kind: 'constant'; readonly value: string }
  /** A variant whose payloads are byte strings. The only one in the format has no number. */
  | { readonly kind: 'variant'; readonly of: readonly (readonly [string, BytesNode])[] }
  | { readonly kind: 'record'; readonly fields: readonly (readonly [string, WireNode])[] };

interface BytesNode {
  readonly kind: 'bytes';
  readonly size?: number;
  readonly atMost?: number;
}

declare const VALUE: unique symbol;
export type Wire<T> = WireNode & { readonly [VALUE]?: T };
export type ValueOf<W> = W extends Wire<infer T> ? T : never;

export interface Variant<Name extends string> {
  readonly kind: Name;
  readonly bytes: Uint8Array;
}

export const u8: Wire<number> = { kind: 'u8' };
export const u32: Wire<number> = { kind: 'u32' };
export const u64: Wire<bigint> = { kind: 'u64' };
export const i128: Wire<bigint> = { kind: 'i128' };
export const text: Wire<string> = { kind: 'text' };
/** A magnitude, then whether it is negative. */
export const signedMagnitude: Wire<bigint> = { kind: 'signedMagnitude' };
export const fixed = (size: number): Wire<Uint8Array> => ({ kind: 'fixed', size });
export const bytes: Wire<Uint8Array> & BytesNode = { kind: 'bytes' };
export const bytesOf = (size: number): Wire<Uint8Array> & BytesNode => ({ kind: 'bytes', size });
export const bytesUpTo = (atMost: number): Wire<Uint8Array> & BytesNode => ({ kind: 'bytes', atMost });

export const optional = <T>(of: Wire<T>): Wire<T | undefined> => ({ kind: 'optional', of });
export const tagged = <T>(of: Wire<T>): Wire<T> => ({ kind: 'tagged', of });
export const present = <T>(of: Wire<T>): Wire<T | undefined> => ({ kind: 'present', of });
export const list = <T>(of: Wire<T>, atMost: number): Wire<readonly T[]> => ({ kind: 'list', of, atMost });
export const textMap = <T>(of: Wire<T>): Wire<ReadonlyMap<string, T>> => ({
  kind: 'map',
  keySize: undefined,
  of,
});
export const bytesMap = <T>(keySize: number, of: Wire<T>): Wire<ReadonlyMap<string, T>> => ({
  kind: 'map',
  keySize,
  of,
});
export const choice = <Name extends string>(...names: readonly Name[]): Wire<Name> => ({
  kind: 'choice',
  names,
});
export const constant = <Name extends string>(value: Name): Wire<Name> => ({ kind: 'constant', value });
/** `Name` may have members that this encoding does not have. */
export const variant = <Name extends string>(
  of: readonly (readonly [Name, BytesNode])[],
): Wire<Variant<Name>> => ({ kind: 'variant', of });

type RecordOf<F> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** Fields in the order of their encoding. */
export const record = <F extends Readonly<Record<string, Wire<unknown>>>>(fields: F): Wire<RecordOf<F>> => ({
  kind: 'record',
  fields: Object.entries(fields),
});

/** The least size of a value in bytes: the limit for a count before any allocation. */
export function leastSize(node: WireNode): number {
  switch (node.kind) {
    case 'fixed':
      return node.size;
    case 'bytes':
      return node.size === undefined ? 1 : node.size + 1;
    case 'tagged':
      return 1 + leastSize(node.of);
    case 'present':
      return leastSize(node.of);
    case 'signedMagnitude':
      return 2;
    case 'constant':
      return 0;
    case 'variant':
      return (node.of.length > 1 ? 1 : 0) + Math.min(...node.of.map(([, of]) => leastSize(of)));
    case 'record':
      return node.fields.reduce((sum, [, of]) => sum + leastSize(of), 0);
    default:
      return 1;
  }
}
