// Every transaction and every note, with a search that runs in the page.

import { type Direction, matches } from '../../model/search.ts';
import type { Funds } from '../live/funds.ts';
import { announce } from '../parts/announce.ts';
import type { App, View } from '../parts/app.ts';
import { cardWith } from '../parts/card.ts';
import { h, replace, setText, show } from '../parts/dom.ts';
import { exportPart } from '../parts/exportPart.ts';
import { field } from '../parts/form.ts';
import { noteTable } from '../parts/noteTable.ts';
import { TransactionList } from '../parts/transactionList.ts';

const STEP = 50;

export function activityView(app: App): View {
  const list = new TransactionList(app, 'Nothing to show.');
  const search = field(
    'Search',
    h('input', {
      type: 'search',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: 'Memo, label, address, block',
    }),
  );
  const direction = field(
    'Show',
    h(
      'select',
      {},
      [
        ['all', 'Everything'],
        ['in', 'Received'],
        ['out', 'Sent'],
      ].map(([value = '', text = '']) => h('option', { value }, text)),
    ),
  );
  const found = h('p', { class: 'hint' });
  const more = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      hidden: true,
      onclick: () => {
        shown += STEP;
        draw();
      },
    },
    'Show more',
  );
  const notes = h('div');
  const isOpenOnly = h('input', { type: 'checkbox', id: 'unspent-only' });
  let shown = STEP;
  let shownNotes = STEP;
  let drawn: Funds | undefined;

  const draw = (): void => {
    const { funds } = app.store;
    if (funds === undefined) return;
    const sought = { words: search.input.value, direction: direction.input.value as Direction };
    const matching = funds.transactions.filter((transaction) => matches(transaction, sought));
    list.show(matching.slice(0, shown));
    show(more, matching.length > shown);
    const { formats } = app;
    const all = funds.transactions.length;
    const isNarrow = sought.words.trim() !== '' || sought.direction !== 'all';
    const text = isNarrow
      ? `${formats.count(matching.length)} of ${formats.counted(all, 'transaction')}`
      : `${formats.counted(all, 'transaction')}${funds.isCut ? ', the latest; older ones are there on the command line' : ''}`;
    setText(found, text);
    if (isNarrow) announce(text);
    drawNotes(funds);
  };
  const drawNotes = (funds: Funds): void => {
    const wanted = isOpenOnly.checked ? funds.notes.filter(({ spent }) => spent === null) : funds.notes;
    replace(
      notes,
      noteTable(wanted.slice(0, shownNotes), app.formats),
      wanted.length > shownNotes &&
        h(
          'button',
          {
            type: 'button',
            class: 'quiet',
            onclick: () => {
              shownNotes += STEP;
              drawNotes(funds);
            },
          },
          'Show more notes',
        ),
    );
  };
  for (const input of [search.input, direction.input]) {
    input.addEventListener('input', () => {
      shown = STEP;
      draw();
    });
  }
  isOpenOnly.addEventListener('change', () => app.store.funds !== undefined && drawNotes(app.store.funds));

  const element = h(
    'div',
    { class: 'wide' },
    cardWith(
      'Transactions',
      { aside: exportPart(app) },
      h('div', { class: 'filters', role: 'search' }, search.element, direction.element),
      found,
      list.element,
      more,
    ),
    cardWith(
      'Notes',
      { aside: h('label', { class: 'check', for: 'unspent-only' }, isOpenOnly, 'Only unspent') },
      h(
        'p',
        { class: 'hint' },
        'A note is one payment as the chain has it, like a coin: it is spent as a whole, and what is left comes back as a new one.',
      ),
      notes,
    ),
  );
  const update = (): void => {
    if (drawn === app.store.funds) return;
    drawn = app.store.funds;
    draw();
  };
  update();
  return { title: 'Activity', element, update };
}
