// The birthday: the scan begins there. Without it the scan begins at Sapling's activation, which takes long.

import { Objection } from './app.ts';
import { TextField, type Typed } from './form.tsx';

const HELP =
  'A month or day before the first payment, or a block height. Left empty, everything since 2018 is read, which takes long.';

export function BirthdayField() {
  const attributes = { maxLength: 12, class: 'short', placeholder: '2021-06' };
  return <TextField name="birthday" label="Birthday" help={HELP} {...attributes} />;
}

/** A year of four digits is a date: no wallet with a shielded pool begins below block 9999. */
export function birthdayOf(typed: Typed): { birthday?: string; birthday_height?: number } {
  const text = typed('birthday').trim();
  if (text === '') return {};
  if (/^20\d\d(-\d\d){0,2}$/.test(text)) return { birthday: text };
  const height = text.replaceAll(/[\s.,'\u2019]/g, '');
  if (/^\d{1,10}$/.test(height)) return { birthday_height: Number(height) };
  throw new Objection(
    'The birthday is a month such as 2021-06, or a block height such as 2900000.',
    'birthday',
  );
}
