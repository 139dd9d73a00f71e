// The Combiner (ZIP 374): merges copies of one PCZT into one that has the fields of all of them. A field that differs
// between two copies is refused by name; the order of the copies makes no difference.
import { ACTION_POOLS, perActionPool } from '@wallet-companion/zcash/pools';
import { hasCompactFields, resolveCompactFields } from './compactFields.ts';
import {
  ACTION_BUNDLE,
  type ActionBundle,
  GLOBAL,
  SAPLING_BUNDLE,
  type SaplingBundle,
  TRANSPARENT,
} from './layout.ts';
import {
  isOpen,
  mergeModifiable,
  SHIELDED_MODIFIABLE,
  TRANSPARENT_INPUTS_MODIFIABLE,
  TRANSPARENT_OUTPUTS_MODIFIABLE,
} from './modifiable.ts';
import type { Pczt } from './pczt.ts';
import { inField, refuse, within } from './refusal.ts';
import { isSameValue } from './sameValue.ts';
import type { Wire, WireNode } from './wire.ts';

/** As many as other wallets accept at once. */
const MAX_COPIES = 20;
const DIFFERENT = 'the copies say different things';

/**
 * Combiner of ZIP 374: one PCZT with what any of 1 to 20 copies has. Throws `PcztRefusal` where two copies differ in a
 * field that both have, or in what is paid.
 */
export function combinePczts(copies: readonly Pczt[]): Pczt {
  if (copies.length === 0 || copies.length > MAX_COPIES)
    refuse('unsupported', '', `1 to ${MAX_COPIES} copies can be combined, not ${copies.length}`);
  const [first, ...rest] = copies.map((copy) => (hasCompactFields(copy) ? resolveCompactFields(copy) : copy));
  const all = [first!, ...rest];
  // Each pair is checked, since a merged copy no longer shows which lists were short or open.
  for (const [i, one] of all.entries()) for (const other of all.slice(i + 1)) checkLists(one, other);
  return rest.reduce(merge, first!);
}

function merge(a: Pczt, b: Pczt): Pczt {
  // No copy may add a lock time: it is an effect, and absent means 0.
  if (a.global.fallbackLockTime !== b.global.fallbackLockTime)
    refuse('conflict', 'global.fallbackLockTime', DIFFERENT);
  const txModifiable = mergeModifiable(a.global.txModifiable, b.global.txModifiable);
  const globals = [a, b].map(({ global }) => ({ ...global, txModifiable })) as [
    Pczt['global'],
    Pczt['global'],
  ];
  return {
    global: mergeAs('global', GLOBAL, ...globals),
    transparent: mergeAs('transparent', TRANSPARENT, a.transparent, b.transparent),
    sapling: mergeBundle('sapling', SAPLING_BUNDLE[2], a.sapling, b.sapling),
    ...perActionPool((pool) => mergeBundle(pool, ACTION_BUNDLE[2], a[pool], b[pool])),
  };
}

const mergeAs = <T>(name: string, wire: Wire<T>, a: T, b: T): T =>
  inField(name, () => mergeValue(wire, a, b)) as T;

const itemsOf = (bundle: SaplingBundle | ActionBundle): number =>
  'actions' in bundle ? bundle.actions.length : bundle.spends.length + bundle.outputs.length;

/** The value sum of the bundle with more items is that of the result. */
function mergeBundle<B extends SaplingBundle | ActionBundle>(name: string, wire: Wire<B>, a: B, b: B): B {
  if (itemsOf(a) === itemsOf(b)) return mergeAs(name, wire, a, b);
  const { valueSum } = itemsOf(a) > itemsOf(b) ? a : b;
  return mergeAs(name, wire, { ...a, valueSum }, { ...b, valueSum });
}

function mergeValue(node: WireNode, a: unknown, b: unknown): unknown {
  switch (node.kind) {
    case 'optional':
      if (a === undefined || b === undefined) return a ?? b;
      return requireSame(a, b);
    case 'list':
      return mergeLists(node.of, a as readonly unknown[], b as readonly unknown[]);
    case 'map':
      return mergeMaps(a as ReadonlyMap<string, unknown>, b as ReadonlyMap<string, unknown>);
    case 'record':
      return mergeRecords(node.fields, a as Fields, b as Fields);
    default:
      return requireSame(a, b);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function mergeRecords(fields: readonly (readonly [string, WireNode])[], a: Fields, b: Fields): Fields {
  const out: Record<string, unknown> = {};
  for (const [name, of] of fields) {
    try {
      out[name] = mergeValue(of, a[name], b[name]);
    } catch (error) {
      throw within(name, error);
    }
  }
  return out;
}

/** `checkLists` has checked whether the shorter list may be extended. */
function mergeLists(of: WireNode, a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  return longer.map((item, i) =>
    i < shorter.length ? inField(`[${i}]`, () => mergeValue(of, item, shorter[i])) : item,
  );
}

function mergeMaps(
  a: ReadonlyMap<string, unknown>,
  b: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, unknown> {
  const union = new Map(a);
  for (const [key, value] of b) union.set(key, a.has(key) ? requireSame(a.get(key), value) : value);
  return union;
}

const requireSame = (a: unknown, b: unknown): unknown =>
  isSameValue(a, b) ? a : refuse('conflict', '', DIFFERENT);

/** A copy may have more items than another if the other one allows additions. */
function checkLists(a: Pczt, b: Pczt): void {
  checkExtension('transparent.inputs', TRANSPARENT_INPUTS_MODIFIABLE, a, b, (one) => one.transparent.inputs);
  checkExtension(
    'transparent.outputs',
    TRANSPARENT_OUTPUTS_MODIFIABLE,
    a,
    b,
    (one) => one.transparent.outputs,
  );
  checkExtension('sapling.spends', SHIELDED_MODIFIABLE, a, b, (one) => one.sapling.spends);
  checkExtension('sapling.outputs', SHIELDED_MODIFIABLE, a, b, (one) => one.sapling.outputs);
  const spends = a.sapling.spends.length - b.sapling.spends.length;
  const outputs = a.sapling.outputs.length - b.sapling.outputs.length;
  if (spends * outputs < 0) refuse('conflict', 'sapling', 'each copy has what the other one lacks');
  checkFinalized('sapling', a.sapling, b.sapling);
  for (const pool of ACTION_POOLS) {
    checkExtension(`${pool}.actions`, SHIELDED_MODIFIABLE, a, b, (one) => one[pool].actions);
    checkFinalized(pool, a[pool], b[pool]);
  }
}

function checkExtension(
  field: string,
  bit: number,
  a: Pczt,
  b: Pczt,
  items: (pczt: Pczt) => readonly unknown[],
): void {
  const more = items(a).length - items(b).length;
  const shorter = more > 0 ? b : a;
  if (more !== 0 && !isOpen(shorter, bit))
    refuse('conflict', field, `one copy has ${items(a).length} and the other ${items(b).length}`);
}

/** A copy's binding key covers exactly its items. */
function checkFinalized<B extends SaplingBundle | ActionBundle>(name: string, a: B, b: B): void {
  if (a.bsk === undefined && b.bsk === undefined) return;
  if (itemsOf(a) !== itemsOf(b))
    refuse('conflict', name, 'one copy is finalized and the other has other items');
}
