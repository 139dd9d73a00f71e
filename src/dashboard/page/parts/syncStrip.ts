// The progress of the scan in the overview: a bar, a sentence, and the button.

import type { App } from './app.ts';
import { card } from './card.ts';
import { h } from './dom.ts';
import { syncControls } from './syncControls.ts';

export function syncStrip(app: App): { readonly element: HTMLElement; update(): void } {
  const { state, buttons, update } = syncControls(app, () => app.store.follow?.source ?? 'node');
  const element = card(
    'Scan',
    ...state,
    h('div', { class: 'actions' }, ...buttons, h('a', { href: '#/scan' }, 'Details')),
  );
  return { element, update };
}
