// Heights and amounts as types of their own, and what text is before it is compared.

export { type Height, MAX_HEIGHT } from '../values/height.ts';
export { normalForm } from '../values/normalForm.ts';
export { MOST_SLIPS, slipsBetween } from '../values/slipsBetween.ts';
export type { Zatoshi } from '../values/zatoshi.ts';
