// An amount with every digit, its trailing zeros fainter. Screen readers and copies get the whole amount.

import { type Formats, UNIT } from '../../model/amounts.ts';
import { h } from './dom.ts';

export function amount(formats: Formats, zatoshi: number): HTMLElement {
  const { bold, faint } = formats.amount(zatoshi);
  return h('span', { class: 'amount' }, bold, h('span', { class: 'idle' }, faint), `\u00a0${UNIT}`);
}

export function change(formats: Formats, zatoshi: number): HTMLElement {
  const { bold, faint } = formats.amount(Math.abs(zatoshi));
  const sign = zatoshi < 0 ? '\u2212' : '+';
  return h(
    'span',
    { class: zatoshi < 0 ? 'amount out' : 'amount in' },
    sign,
    bold,
    h('span', { class: 'idle' }, faint),
    `\u00a0${UNIT}`,
  );
}
