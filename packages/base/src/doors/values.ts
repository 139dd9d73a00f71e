// Types for heights and amounts, exact arithmetic of money, amounts and times as text, how far a block may be ahead of a clock, and the normal form of text before it is compared.

export { type Height, MAX_FUTURE_SECONDS, MAX_HEIGHT } from '../values/height.ts';
export type { Marked } from '../values/kind.ts';
export {
  CURRENCY_PATTERN,
  fromMinorUnits,
  isPrice,
  MONEY_PATTERN,
  minorUnits,
  moneyFor,
  moneySum,
  moneyText,
  toMinorUnits,
  zatoshiFor,
} from '../values/money.ts';
export { normalForm } from '../values/normalForm.ts';
export { MOST_SLIPS, slipsBetween } from '../values/slipsBetween.ts';
export { agreesWith, blockTimeText, dayText, isAhead, timeText, timeTextOrNull } from '../values/timeText.ts';
export { type Zatoshi, zecColumn, zecText } from '../values/zatoshi.ts';
