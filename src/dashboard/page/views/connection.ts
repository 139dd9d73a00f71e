// The view before the companion's first answer, and when it no longer answers.

import type { View } from '../parts/app.ts';
import { card } from '../parts/card.ts';
import { h } from '../parts/dom.ts';

export function connectingView(): View {
  return {
    title: 'Connecting',
    element: h('div', { class: 'narrow' }, h('p', { class: 'hint' }, 'Asking the companion…')),
  };
}

export function lostView(isWindow: boolean): View {
  const how = isWindow
    ? 'Close this window and open it again.'
    : 'Start it again with "wallet-companion serve"; this page then comes back by itself.';
  return {
    title: 'No connection',
    element: h(
      'div',
      { class: 'narrow' },
      card(
        'The companion does not answer',
        h('p', {}, `It was stopped, or it is starting. Nothing of the wallet is shown meanwhile. ${how}`),
      ),
    ),
  };
}
