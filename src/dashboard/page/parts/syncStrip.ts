// How far the scan is, in the overview: a bar, a sentence, and the button.

import type { App } from './app.ts';
import { card } from './card.ts';
import { h, setText, show } from './dom.ts';
import { actionButton } from './form.ts';
import { syncText } from './syncText.ts';

export function syncStrip(app: App): { readonly element: HTMLElement; update(): void } {
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Scanned blocks' });
  const text = h('p', {});
  const rate = h('p', { class: 'hint' });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const start = actionButton('Scan now', '', () => app.runner.run(app.store.follow?.source ?? 'node'));
  const stop = actionButton('Stop', 'quiet', () => app.runner.stop());
  const element = card(
    'Scan',
    text,
    bar,
    rate,
    problem,
    h('div', { class: 'actions' }, start, stop, h('a', { href: '#/scan' }, 'Details')),
  );
  const update = (): void => {
    const told = syncText(app);
    const isRunning = app.runner.isRunning || app.store.sync?.syncing === true;
    setText(text, told.state);
    setText(rate, told.rate);
    show(rate, told.rate !== '');
    setText(problem, told.problem);
    show(problem, told.problem !== '');
    bar.value = told.part;
    bar.setAttribute('aria-valuetext', told.state);
    show(start, !isRunning);
    show(stop, isRunning);
  };
  return { element, update };
}
