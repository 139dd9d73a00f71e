// An address to be paid at. Every address leads to this wallet; a fresh one for each payer keeps payers apart.

import type { Output } from '../../../client/operationTypes.ts';
import { announce } from '../parts/announce.ts';
import type { App, View } from '../parts/app.ts';
import { card } from '../parts/card.ts';
import { copyButton } from '../parts/copy.ts';
import { h, replace } from '../parts/dom.ts';
import { actionButton, problemText } from '../parts/form.ts';

export function receiveView(app: App): View {
  const place = h('div', {}, h('p', { class: 'hint' }, 'Reading…'));
  let isGone = false;
  const showAddress = (address: Output<'address.get'>): void => {
    if (isGone) return;
    const { unified_address: unified, sapling_address: sapling } = address;
    replace(
      place,
      h('p', { class: 'address' }, h('code', {}, unified)),
      h(
        'div',
        { class: 'actions' },
        copyButton('the address', () => unified),
      ),
      sapling !== null &&
        h(
          'details',
          {},
          h('summary', {}, 'For a payer whose wallet is older'),
          h(
            'p',
            { class: 'hint' },
            'The Sapling address of the same wallet. Use it only where the one above is not understood.',
          ),
          h('p', { class: 'address' }, h('code', {}, sapling)),
          h(
            'div',
            { class: 'actions' },
            copyButton('the Sapling address', () => sapling),
          ),
        ),
    );
  };
  const element = h(
    'div',
    { class: 'narrow' },
    card(
      'Your address',
      h(
        'p',
        { class: 'hint' },
        'Whoever has this address can pay you, and cannot see what you have. It stays valid.',
      ),
      place,
      h(
        'div',
        { class: 'actions' },
        actionButton('New address', '', async () => {
          showAddress(await app.call('address.next'));
          announce('A new address is shown.');
        }),
      ),
    ),
  );
  app
    .call('address.get')
    .then(showAddress, (thrown) =>
      replace(place, h('p', { class: 'problem', role: 'alert' }, problemText(thrown))),
    );
  return {
    title: 'Receive',
    element,
    leave: () => {
      isGone = true;
      replace(place);
    },
  };
}
