// Transactions as an expandable list: one line each, with details below it. Lines of unchanged transactions are kept,
// so that an expanded one stays open when a block arrives.

import type { Formats } from '../../model/amounts.ts';
import { changeOf, type Transaction } from '../../model/history.ts';
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

  show(transactions: readonly Transaction[]): void {
    const lines = new Map<string, Line>();
    for (const transaction of transactions) {
      const made = JSON.stringify(transaction);
      const old = this.#lines.get(transaction.txid);
      if (old?.made === made) lines.set(transaction.txid, old);
      else {
        const isOpen = old?.element.querySelector('details')?.open === true;
        lines.set(transaction.txid, { element: this.#line(transaction, isOpen), made });
      }
    }
    this.#lines = lines;
    if (lines.size > 0) this.element.replaceChildren(...[...lines.values()].map(({ element }) => element));
    else replace(this.element, h('li', { class: 'hint' }, this.#nothing));
  }

  #line(transaction: Transaction, isOpen: boolean): HTMLElement {
    const { formats } = this.#app;
    const moved = changeOf(transaction);
    const memos = memosOf(transaction);
    const label = labelOf(transaction);
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
          h('span', {}, kindOf(transaction), label !== undefined && h('bdi', { class: 'tag' }, label)),
          h('span', { class: 'when hint' }, momentOf(formats, transaction)),
          first !== undefined && h('span', { class: 'memo-line' }, first),
          change(formats, moved),
        ),
        this.#details(transaction),
      ),
    );
  }

  #details(transaction: Transaction): HTMLElement {
    const { formats } = this.#app;
    const { txid, height, confirmations, fee_zatoshi: fee } = transaction;
    const { received_outputs: received, sent_outputs: sent } = transaction;
    return h(
      'div',
      { class: 'details' },
      facts([
        ['Block', `${formats.count(height)}, ${formats.counted(confirmations, 'confirmation')}`],
        ...(fee === null ? [] : [['Fee', formats.amountText(fee)] as const]),
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
      received
        .filter(({ scope }) => scope === 'external')
        .map((output) =>
          h(
            'div',
            { class: 'part' },
            h(
              'p',
              {},
              `Received in ${output.pool}: ${formats.amountText(output.value_zatoshi)}`,
              output.label !== null && h('bdi', { class: 'tag' }, output.label),
            ),
            memoElement(output.memo),
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

const momentOf = (formats: Formats, { time }: Transaction): string => formats.moment(time);

const kindOf = ({ received_zatoshi, spent_zatoshi, sent_outputs }: Transaction): string => {
  if (spent_zatoshi === 0) return 'Received';
  return received_zatoshi > 0 &&
    sent_outputs.every(({ scope }) => scope === 'internal') &&
    sent_outputs.length > 0
    ? 'Moved within the wallet'
    : 'Sent';
};

type Said = Transaction['received_outputs'][number] | Transaction['sent_outputs'][number];

/** Outputs from and to other people; the wallet's own change is left out. */
const foreignOutputs = ({ received_outputs, sent_outputs }: Transaction): readonly Said[] =>
  [...received_outputs, ...sent_outputs].filter(({ scope }) => scope === 'external');

const memosOf = (transaction: Transaction): readonly { readonly text?: string | undefined }[] =>
  foreignOutputs(transaction).flatMap(({ memo }) => (memo === null ? [] : [memo]));

const labelOf = ({ received_outputs }: Transaction): string | undefined =>
  received_outputs.find(({ label }) => label !== null)?.label ?? undefined;
