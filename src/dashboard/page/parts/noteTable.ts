// Notes as a table that becomes cards on a narrow screen.

import type { Formats } from '../../model/amounts.ts';
import type { Note } from '../live/funds.ts';
import { amount } from './amount.ts';
import { h } from './dom.ts';

export function noteTable(notes: readonly Note[], formats: Formats): HTMLElement {
  if (notes.length === 0) return h('p', { class: 'hint' }, 'No notes.');
  const heads = ['Pool', 'Block', 'Memo', 'State', 'Amount'];
  return h(
    'table',
    { class: 'notes' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map((head) => h('th', { scope: 'col', class: head === 'Amount' ? 'number' : '' }, head)),
      ),
    ),
    h(
      'tbody',
      {},
      notes.map((note) => row(note, formats)),
    ),
  );
}

function row(note: Note, formats: Formats): HTMLElement {
  const state = note.spent === null ? 'Unspent' : `Spent in block ${formats.count(note.spent.height)}`;
  const memo = note.memo?.text ?? (note.memo === null ? '' : 'not text');
  return h(
    'tr',
    {},
    h(
      'td',
      { class: 'pool' },
      note.pool,
      note.scope === 'internal' && h('span', { class: 'tag' }, 'change'),
      note.label !== null && h('bdi', { class: 'tag' }, note.label),
    ),
    h('td', {}, formats.count(note.height)),
    h('td', { class: 'memo-cell', dir: 'auto' }, memo),
    h('td', { class: note.spent === null ? '' : 'hint' }, state),
    h('td', { class: 'number' }, amount(formats, note.value_zatoshi)),
  );
}
