// The first page: the balance and its certainty, its history, and the latest transactions.

import { UNIT } from '../../model/amounts.ts';
import { balanceSentence, balanceState } from '../../model/balance.ts';
import { balanceHistory } from '../../model/history.ts';
import { unknownUpgradeText } from '../../model/serverText.ts';
import type { Funds } from '../live/funds.ts';
import { amount } from '../parts/amount.ts';
import type { App, View } from '../parts/app.ts';
import { card, cardWith } from '../parts/card.ts';
import { chart } from '../parts/chart.ts';
import { h, replace, setText, show } from '../parts/dom.ts';
import { syncStrip } from '../parts/syncStrip.ts';
import { TransactionList } from '../parts/transactionList.ts';

const LATEST = 5;

export function overviewView(app: App): View {
  const total = h('p', { class: 'total' });
  const sentence = h('p', { class: 'hint' });
  const warning = h('p', { class: 'notice', hidden: true });
  const outdated = h('p', { class: 'notice', hidden: true, role: 'alert' });
  const pools = h('tbody');
  const history = h('div');
  const latest = new TransactionList(app, 'None are known yet.');
  const strip = syncStrip(app);
  const element = h(
    'div',
    { class: 'columns' },
    h(
      'div',
      {},
      card(
        'Balance',
        total,
        sentence,
        outdated,
        warning,
        h(
          'table',
          { class: 'pools' },
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              h('th', { scope: 'col' }, 'Pool'),
              h('th', { scope: 'col', class: 'number' }, 'Amount'),
              h('th', { scope: 'col', class: 'number' }, 'Notes'),
            ),
          ),
          pools,
        ),
      ),
      strip.element,
    ),
    h(
      'div',
      {},
      cardWith('History', { aside: h('span', { class: 'hint' }, `in ${UNIT}`) }, history),
      card(
        'Latest transactions',
        latest.element,
        h('p', { class: 'more' }, h('a', { href: '#/activity' }, 'All transactions')),
      ),
    ),
  );
  let drawn: Funds | undefined;
  const update = (): void => {
    strip.update();
    showUnknownUpgrade();
    const { funds, sync } = app.store;
    if (funds === undefined) {
      setText(total, 'Reading…');
      return;
    }
    const tip = sync?.chain_tip ?? null;
    setText(sentence, balanceSentence(funds.balance, tip, app.formats));
    if (drawn === funds) return;
    drawn = funds;
    showBalance(funds);
    showHistory(funds);
    latest.show(funds.transactions.slice(0, LATEST));
  };

  const showUnknownUpgrade = (): void => {
    const text = unknownUpgradeText(app.store.servers, app.formats);
    show(outdated, text !== undefined);
    setText(outdated, text ?? '');
  };

  const showBalance = ({ balance }: Funds): void => {
    const { formats } = app;
    const isUnknown = balanceState(balance) === 'unknown';
    replace(total, isUnknown ? 'Unknown' : amount(formats, balance.total_zatoshi));
    warning.hidden = balance.warning === undefined && balance.pending_zatoshi === 0;
    const pending =
      balance.pending_zatoshi === 0
        ? ''
        : `${formats.amountText(balance.pending_zatoshi)} of it still waits for confirmations. `;
    setText(warning, pending + (balance.warning ?? ''));
    replace(
      pools,
      // The companion lists pools by age; users look for the newest first.
      Object.entries(balance.pools)
        .toReversed()
        .map(([pool, part]) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row', class: 'pool' }, pool),
            h('td', { class: 'number' }, isUnknown ? 'unknown' : amount(formats, part.total_zatoshi)),
            h('td', { class: 'number' }, isUnknown ? 'unknown' : formats.count(part.note_count)),
          ),
        ),
    );
  };

  const showHistory = ({ balance, transactions, isCut }: Funds): void => {
    if (balanceState(balance) === 'unknown' || transactions.length === 0) {
      const text =
        balanceState(balance) === 'unknown'
          ? 'There is nothing to draw before the first scan.'
          : 'No transactions have been found yet.';
      replace(history, h('p', { class: 'hint' }, text));
      return;
    }
    const points = balanceHistory(balance.total_zatoshi, transactions);
    const note = [
      ...(balance.complete ? [] : ['Blocks are missing, so this may change.']),
      ...(isCut ? [`The latest ${app.formats.count(transactions.length)} transactions.`] : []),
    ].join(' ');
    replace(
      history,
      chart(points, Math.max(Date.now(), points.at(-1)!.atMs), app.formats),
      note !== '' && h('p', { class: 'hint' }, note),
    );
  };

  update();
  return { title: 'Overview', element, update };
}
