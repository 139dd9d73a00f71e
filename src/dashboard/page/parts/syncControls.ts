// The parts that show, start and stop a scan, for all pages that have them.

import type { Source } from '../live/syncRunner.ts';
import type { App } from './app.ts';
import { h, setText, show } from './dom.ts';
import { actionButton } from './form.ts';
import { syncText } from './syncText.ts';

/** `source` returns the source of blocks, and is called at the start of a scan. */
export function syncControls(app: App, source: () => Source) {
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Scanned blocks' });
  const text = h('p', {});
  const rate = h('p', { class: 'hint' });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const start = actionButton('Scan now', '', () => app.runner.run(source()));
  const stop = actionButton('Stop', 'quiet', () => app.runner.stop());
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
  return { state: [text, bar, rate, problem], buttons: [start, stop], update } as const;
}
