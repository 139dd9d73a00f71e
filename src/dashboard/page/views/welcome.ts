// No wallet yet: create one, restore one from its phrase, or watch one by its viewing key.

import type { App, View } from '../parts/app.ts';
import { card } from '../parts/card.ts';
import { h, replace } from '../parts/dom.ts';
import { createFlow } from './create.ts';
import { restoreFlow, watchFlow } from './restore.ts';

export interface Flow {
  readonly element: HTMLElement;
  leave(): void;
}

export function welcomeView(app: App): View {
  let flow: Flow | undefined;
  const element = h('div', { class: 'narrow' });
  const begin = (make: (app: App, back: () => void) => Flow): void => {
    flow = make(app, choose);
    replace(element, flow.element);
    element.querySelector<HTMLElement>('h2')?.focus();
    element.querySelector<HTMLElement>('input, textarea')?.focus();
  };
  const choice = (title: string, text: string, make: (app: App, back: () => void) => Flow): HTMLElement =>
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'choice', onclick: () => begin(make) },
        h('strong', {}, title),
        h('span', {}, text),
      ),
    );
  const choose = (): void => {
    flow?.leave();
    flow = undefined;
    replace(
      element,
      card(
        'There is no wallet here yet',
        h(
          'p',
          {},
          'The keys stay on this machine, in a file that only your password opens. This wallet watches and counts; it cannot spend.',
        ),
        h(
          'ul',
          { class: 'choices' },
          choice('Create a new wallet', 'You get a recovery phrase to write down.', createFlow),
          choice('Restore a wallet', 'You have a recovery phrase of 12 to 24 words.', restoreFlow),
          choice('Watch a wallet', 'You have a viewing key, and no phrase.', watchFlow),
        ),
      ),
    );
  };
  choose();
  return { title: 'Welcome', element, leave: () => flow?.leave() };
}
