// Every way in which one field of a PCZT can be another: a walk over the tables of the layout, so that no field can be
// forgotten.

import { ACTION_POOLS } from '@wallet-companion/zcash/pools';
import { ACTION_BUNDLE, GLOBAL, SAPLING_BUNDLE, TRANSPARENT } from '../../src/pczt/layout.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import type { WireNode } from '../../src/pczt/wire.ts';

export interface Variation {
  /** As `ironwood.actions[0].spend.rk`. */
  readonly field: string;
  /** `added`: something that was not there; `removed`: what may be left out. */
  readonly how: 'changed' | 'added' | 'removed';
  readonly pczt: Pczt;
}

type Varied = readonly [field: string, how: Variation['how'], value: unknown];

const BUNDLES: readonly (readonly [keyof Pczt, WireNode])[] = [
  ['global', GLOBAL],
  ['transparent', TRANSPARENT],
  ['sapling', SAPLING_BUNDLE[2]],
  ...ACTION_POOLS.map((pool) => [pool, ACTION_BUNDLE[2]] as const),
];

export function* variationsOf(pczt: Pczt): Generator<Variation, void, void> {
  for (const [name, node] of BUNDLES)
    for (const [field, how, value] of vary(node, pczt[name]))
      yield { field: `${name}${field}`, how, pczt: { ...pczt, [name]: value } };
}

function* vary(node: WireNode, value: unknown): Generator<Varied, void, void> {
  switch (node.kind) {
    case 'u8':
    case 'u32':
      yield ['', 'changed', (value as number) ^ 1];
      yield ['', 'changed', (value as number) ^ 0x40];
      return;
    case 'u64':
    case 'i128':
    case 'signedMagnitude':
      yield ['', 'changed', (value as bigint) + 1n];
      return;
    case 'text':
      yield ['', 'changed', `${value}x`];
      return;
    case 'fixed':
      yield* flips(value as Uint8Array);
      return;
    case 'bytes':
      yield* flips(value as Uint8Array);
      if (node.size === undefined) yield ['', 'changed', Uint8Array.of(...(value as Uint8Array), 1)];
      return;
    case 'optional':
      if (value === undefined) yield ['', 'added', madeUp(node.of)];
      else {
        yield ['', 'removed', undefined];
        yield* vary(node.of, value);
      }
      return;
    case 'tagged':
    case 'present':
      yield* vary(node.of, value);
      return;
    case 'list':
      yield* varyList(node.of, value as readonly unknown[]);
      return;
    case 'map':
      yield* varyMap(node, value as ReadonlyMap<string, unknown>);
      return;
    case 'choice':
      for (const name of node.names) if (name !== value) yield ['', 'changed', name];
      return;
    case 'constant':
      return;
    case 'variant': {
      const { kind, bytes } = value as { kind: string; bytes: Uint8Array };
      for (const [name, of] of node.of) {
        if (name === kind)
          for (const [, how, other] of vary(of, bytes)) yield ['', how, { kind, bytes: other }];
        else yield ['', 'changed', { kind: name, bytes: madeUp(of) }];
      }
      return;
    }
    case 'record': {
      const fields = value as Readonly<Record<string, unknown>>;
      for (const [name, of] of node.fields)
        for (const [field, how, other] of vary(of, fields[name]))
          yield [`.${name}${field}`, how, { ...fields, [name]: other }];
    }
  }
}

function* flips(bytes: Uint8Array): Generator<Varied, void, void> {
  for (const at of new Set([0, bytes.length - 1]))
    if (at >= 0) yield ['', 'changed', bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))];
}

function* varyList(of: WireNode, items: readonly unknown[]): Generator<Varied, void, void> {
  yield ['', 'changed', [...items, items.at(-1) ?? madeUp(of)]];
  if (items.length > 0) yield ['', 'changed', items.slice(0, -1)];
  if (items.length > 1) yield ['', 'changed', items.toReversed()];
  for (const [i, item] of items.entries())
    for (const [field, how, value] of vary(of, item))
      yield [`[${i}]${field}`, how, items.map((one, at) => (at === i ? value : one))];
}

function* varyMap(
  { keySize, of }: Extract<WireNode, { kind: 'map' }>,
  entries: ReadonlyMap<string, unknown>,
): Generator<Varied, void, void> {
  const key = keySize === undefined ? 'somebody else' : '07'.repeat(keySize);
  yield ['', 'added', new Map([...entries, [key, madeUp(of)]])];
  for (const [name, entry] of entries) {
    yield ['', 'removed', new Map([...entries].filter(([other]) => other !== name))];
    for (const [field, how, value] of vary(of, entry))
      yield [`.${name}${field}`, how, new Map([...entries, [name, value]])];
  }
}

function madeUp(node: WireNode): unknown {
  switch (node.kind) {
    case 'u8':
    case 'u32':
      return 1;
    case 'u64':
    case 'i128':
    case 'signedMagnitude':
      return 1n;
    case 'text':
      return 'made up';
    case 'fixed':
      return new Uint8Array(node.size).fill(1);
    case 'bytes':
      return new Uint8Array(node.size ?? 3).fill(1);
    case 'optional':
      return undefined;
    case 'tagged':
    case 'present':
      return madeUp(node.of);
    case 'list':
      return [];
    case 'map':
      return new Map();
    case 'choice':
      return node.names[0];
    case 'constant':
      return node.value;
    case 'variant': {
      const [kind, of] = node.of[0]!;
      return { kind, bytes: madeUp(of) };
    }
    case 'record':
      return Object.fromEntries(node.fields.map(([name, of]) => [name, madeUp(of)]));
  }
}
