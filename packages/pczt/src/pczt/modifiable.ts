// The bits of `tx_modifiable` (ZIP 374): which parts may still be added to a PCZT.
import type { Pczt } from './pczt.ts';

export const TRANSPARENT_INPUTS_MODIFIABLE = 0b0000_0001;
export const TRANSPARENT_OUTPUTS_MODIFIABLE = 0b0000_0010;
/** There is a signature with SIGHASH_SINGLE: inputs and outputs must stay in pairs. */
export const HAS_SIGHASH_SINGLE = 0b0000_0100;
export const SHIELDED_MODIFIABLE = 0b1000_0000;

export const ALL_MODIFIABLE =
  TRANSPARENT_INPUTS_MODIFIABLE | TRANSPARENT_OUTPUTS_MODIFIABLE | SHIELDED_MODIFIABLE;
export const KNOWN_MODIFIABLE_BITS = ALL_MODIFIABLE | HAS_SIGHASH_SINGLE;

/** The merged bits of two copies: a part that one copy has closed stays closed, and a signature stays recorded. */
export const mergeModifiable = (a: number, b: number): number =>
  (a & b & ALL_MODIFIABLE) | ((a | b) & HAS_SIGHASH_SINGLE);

/** The PCZT without further additions: a shielded signature covers all of it. */
export const forbidAdditions = (pczt: Pczt): Pczt => ({
  ...pczt,
  global: { ...pczt.global, txModifiable: pczt.global.txModifiable & ~ALL_MODIFIABLE },
});

export const isOpen = ({ global }: Pick<Pczt, 'global'>, bit: number): boolean =>
  (global.txModifiable & bit) !== 0;
