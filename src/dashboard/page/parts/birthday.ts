// Where the search for old payments begins. Without it the scan reads everything since Sapling began, which takes long.

import { type Field, Objection, textField } from './form.ts';

export const birthdayField = (): Field =>
  textField(
    'Birthday (block height)',
    { inputmode: 'numeric', maxlength: 10, class: 'short' },
    'The block before which this wallet received nothing. Left empty, everything since 2018 is read, which takes long.',
  );

export function birthdayInput(field: Field): { readonly birthday_height?: number } {
  const text = field.input.value.replaceAll(/[\s.,'\u2019]/g, '');
  if (text === '') return {};
  if (!/^\d{1,10}$/.test(text))
    throw new Objection('The birthday is a block height, such as 2900000.', field);
  return { birthday_height: Number(text) };
}
