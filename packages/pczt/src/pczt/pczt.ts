// A partially created transaction in memory: every bundle is present, an unused one is empty. Values are never changed
// in place; a role makes a new value.
import type { DigestVersion } from '@wallet-companion/zcash/network';
import { type ActionPool, POOL, perActionPool } from '@wallet-companion/zcash/pools';
import type {
  ActionBundle,
  Encoding,
  Global,
  NoteVersion,
  SaplingBundle,
  TransparentBundle,
} from './layout.ts';

export type ActionBundles = { readonly [P in ActionPool]: ActionBundle };

export interface Pczt extends ActionBundles {
  readonly global: Global;
  readonly transparent: TransparentBundle;
  readonly sapling: SaplingBundle;
}

/** The first encoding that holds transactions of the version; undefined while PCZTs of the version do not exist. */
export const ENCODING_OF_VERSION: Readonly<Record<DigestVersion, Encoding | undefined>> = { 5: 1, 6: 2 };

interface Place {
  /** The first encoding with a place for the pool, after the pools before it. */
  readonly from: Encoding;
  readonly noteVersion: NoteVersion;
}
const PLACES: Readonly<Record<ActionPool, Place>> = {
  orchard: { from: 1, noteVersion: 'V2' },
  ironwood: { from: 2, noteVersion: 'V3' },
};

export const hasPlaceFor = (encoding: Encoding, pool: ActionPool): boolean => PLACES[pool].from <= encoding;

export const noteVersionOf = (pool: ActionPool): NoteVersion => PLACES[pool].noteVersion;

export const EMPTY_TRANSPARENT: TransparentBundle = { inputs: [], outputs: [] };

export const EMPTY_SAPLING: SaplingBundle = {
  spends: [],
  outputs: [],
  valueSum: 0n,
  anchor: undefined,
  bsk: undefined,
};

export const EMPTY_ACTIONS: ActionBundles = perActionPool((pool) => ({
  actions: [],
  flags: POOL[pool].actionFlags,
  valueSum: 0n,
  anchor: undefined,
  noteVersion: noteVersionOf(pool),
  zkproof: undefined,
  bsk: undefined,
}));

export const isEmptyTransparent = ({ inputs, outputs }: TransparentBundle): boolean =>
  inputs.length + outputs.length === 0;

export const isEmptySapling = ({ spends, outputs, valueSum, anchor, bsk }: SaplingBundle): boolean =>
  spends.length + outputs.length === 0 && valueSum === 0n && anchor === undefined && bsk === undefined;

/** Checks all fields but the anchor, which has two forms for "none". */
export function isEmptyButForAnchor(pool: ActionPool, bundle: ActionBundle): boolean {
  const { actions, flags, valueSum, noteVersion, zkproof, bsk } = bundle;
  const empty = EMPTY_ACTIONS[pool];
  return (
    actions.length === 0 &&
    flags === empty.flags &&
    valueSum === 0n &&
    noteVersion === empty.noteVersion &&
    zkproof === undefined &&
    bsk === undefined
  );
}

/** How encoding 1 writes a missing anchor; the crate reads it as missing in encoding 2 as well. */
export const NO_ANCHOR = new Uint8Array(32);
export const isNoAnchor = (anchor: Uint8Array | undefined): boolean =>
  anchor === undefined || anchor.every((byte) => byte === 0);

export const isEmptyActions = (pool: ActionPool, bundle: ActionBundle): boolean =>
  isEmptyButForAnchor(pool, bundle) && isNoAnchor(bundle.anchor);
