// The birthday as somebody types it: a date or a height.

import { Objection } from './problems.ts';

export const BIRTHDAY_HELP =
  'A month or day before the first payment, or a block height. Left empty, everything since 2018 is read, which takes long.';

/** A year of four digits is a date: no wallet with a shielded pool begins below block 9999. */
export function typedBirthday(typed: string): { birthday?: string; birthday_height?: number } {
  const text = typed.trim();
  if (text === '') return {};
  if (/^20\d\d(-\d\d){0,2}$/.test(text)) return { birthday: text };
  const height = text.replaceAll(/[\s.,'\u2019]/g, '');
  if (/^\d{1,10}$/.test(height)) return { birthday_height: Number(height) };
  throw new Objection(
    'The birthday is a month such as 2021-06, or a block height such as 2900000.',
    'birthday',
  );
}
