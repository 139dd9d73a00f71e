// A partially created transaction in memory: every bundle is there, an unused one is empty. Nothing here is changed in
// place; a role makes a new value.
import { type ActionPool, POOL, perActionPool } from '../pools.ts';
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

/** The newest transactions that an encoding was made for. */
const LAST_TRANSACTION_VERSION: Readonly<Record<Encoding, number>> = { 1: 5, 2: 6 };

/** Whether the encoding has a place for the pool; these are in the order of the pools. */
export const hasPlaceFor = (encoding: Encoding, pool: ActionPool): boolean =>
  POOL[pool].transactionVersion <= LAST_TRANSACTION_VERSION[encoding];

/** A pool's notes are told apart by their lead byte, which numbers their versions too. */
export const leadByteOf = (pool: ActionPool): number => POOL[pool].leadBytes[0]!.allowed[0]!;
export const noteVersionOf = (pool: ActionPool): NoteVersion => `V${leadByteOf(pool)}` as NoteVersion;

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

/** Everything but the anchor, of which there are two ways to have none. */
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

/** What encoding 1 writes for no anchor; the crate takes it for none in encoding 2 as well. */
export const NO_ANCHOR = new Uint8Array(32);
export const isNoAnchor = (anchor: Uint8Array | undefined): boolean =>
  anchor === undefined || anchor.every((byte) => byte === 0);

export const isEmptyActions = (pool: ActionPool, bundle: ActionBundle): boolean =>
  isEmptyButForAnchor(pool, bundle) && isNoAnchor(bundle.anchor);
