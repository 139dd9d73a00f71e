// Transactions as a list that opens: a line each, and what is known of one below it. Lines are kept as they are while
// their transaction does not change, so that an open one stays open when a block comes.

import { changeOf, type Transaction } from '../../model/history.ts';
import type { Funds, Note } from '../live/funds.ts';
import { change } from './amount.ts';
import type { App } from './app.ts';
import { facts } from './card.ts';
import { copyButton } from './copy.ts';
import { h, replace } from './dom.ts';
import { memoElement } from './memo.ts';

interface Line {
  readonly element: HTMLElement;
  readonly made: string;
}

export class TransactionList {
  readonly element = h('ul', { class: 'transactions' });
  readonly #app: App;
  readonly #nothing: string;
  #lines = new Map<string, Line>();

  constructor(app: App, nothing: string) {
    this.#app = app;
    this.#nothing = nothing;
  }

  show(transactions: readonly Transaction[], funds: Funds): void {
    const lines = new Map<string, Line>();
    for (const transaction of transactions) {
      const notes = funds.notesByTxid.get(transaction.txid) ?? [];
      const made = JSON.stringify([transaction, notes]);
      const old = this.#lines.get(transaction.txid);
      if (old?.made === made) lines.set(transaction.txid, old);
      else {
        const isOpen = old?.element.querySelector('details')?.open === true;
        lines.set(transaction.txid, { element: this.#line(transaction, notes, isOpen), made });
      }
    }
    this.#lines = lines;
    if (lines.size > 0) this.element.replaceChildren(...[...lines.values()].map(({ element }) => element));
    else replace(this.element, h('li', { class: 'hint' }, this.#nothing));
  }

  #line(transaction: Transaction, notes: readonly Note[], isOpen: boolean): HTMLElement {
    const { formats } = this.#app;
    const moved = changeOf(transaction);
    const memos = memosOf(transaction, notes);
    const first = memos.find((memo) => memo.text !== undefined)?.text;
    return h(
      'li',
      {},
      h(
        'details',
        { open: isOpen },
        h(
          'summary',
          {},
          h('span', {}, kindOf(transaction)),
          h('span', { class: 'when hint' }, formats.moment(transaction.time)),
          first !== undefined && h('span', { class: 'memo-line' }, first),
          change(formats, moved),
        ),
        this.#details(transaction, notes),
      ),
    );
  }

  #details(transaction: Transaction, notes: readonly Note[]): HTMLElement {
    const { formats } = this.#app;
    const { txid, height, confirmations, sent_outputs: sent, received_zatoshi, spent_zatoshi } = transaction;
    return h(
      'div',
      { class: 'details' },
      facts([
        ['Block', `${formats.count(height)}, ${formats.counted(confirmations, 'confirmation')}`],
        ['Received', formats.amountText(received_zatoshi)],
        ...(spent_zatoshi === 0 ? [] : [['Spent', formats.amountText(spent_zatoshi)] as const]),
        [
          'Transaction',
          h(
            'span',
            { class: 'with-copy' },
            h('code', {}, txid),
            copyButton('the transaction id', () => txid),
          ),
        ],
      ]),
      notes
        .filter(({ scope }) => scope === 'external')
        .map((note) =>
          h(
            'div',
            { class: 'part' },
            h('p', {}, `Received in ${note.pool}: ${formats.amountText(note.value_zatoshi)}`),
            memoElement(note.memo),
          ),
        ),
      sent
        .filter(({ scope }) => scope === 'external')
        .map((output) =>
          h(
            'div',
            { class: 'part' },
            h('p', {}, `Sent: ${formats.amountText(output.value_zatoshi)} to`),
            h('code', {}, output.recipient),
            memoElement(output.memo),
          ),
        ),
      !transaction.complete &&
        h('p', { class: 'hint' }, 'The whole transaction has not been read yet: memos may be missing.'),
    );
  }
}

const kindOf = ({ received_zatoshi, spent_zatoshi, sent_outputs }: Transaction): string => {
  if (spent_zatoshi === 0) return 'Received';
  return received_zatoshi > 0 &&
    sent_outputs.every(({ scope }) => scope === 'internal') &&
    sent_outputs.length > 0
    ? 'Moved within the wallet'
    : 'Sent';
};

/** Of notes that others sent, and of what was sent to others. */
export const memosOf = (
  transaction: Transaction,
  notes: readonly Note[],
): readonly { readonly text?: string | undefined }[] =>
  [...notes, ...transaction.sent_outputs].flatMap(({ memo, scope }) =>
    memo === null || scope === 'internal' ? [] : [memo],
  );
