// The birthday as somebody types it: a date or a height.

import { welcomeTexts } from '../texts/welcome.ts';
import { Objection } from './problems.ts';

/** A year of four digits is a date: no wallet with a shielded pool begins below block 9999. */
export function typedBirthday(typed: string): { birthday?: string; birthday_height?: number } {
  const text = typed.trim();
  if (text === '') return {};
  if (/^20\d\d(-\d\d){0,2}$/.test(text)) return { birthday: text };
  const height = text.replaceAll(/[\s.,'\u2019]/g, '');
  if (/^\d{1,10}$/.test(height)) return { birthday_height: Number(height) };
  throw new Objection(welcomeTexts().noBirthday, 'birthday');
}
