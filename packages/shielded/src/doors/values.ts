// Types for heights and amounts, and the normal form of text before it is compared.

export { type Height, MAX_HEIGHT } from '../values/height.ts';
export { normalForm } from '../values/normalForm.ts';
export { MOST_SLIPS, slipsBetween } from '../values/slipsBetween.ts';
export type { Zatoshi } from '../values/zatoshi.ts';
