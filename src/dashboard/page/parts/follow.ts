// Follow mode: one checkbox, and the state of follow mode.

import { announce } from './announce.ts';
import type { App } from './app.ts';
import { freshId, h, setText } from './dom.ts';
import { problemText } from './form.ts';

export interface FollowPart {
  readonly element: HTMLElement;
  update(): void;
}

/** `source`: the user's choice on the page. */
export function followPart(app: App, source: () => 'node' | 'compact'): FollowPart {
  const id = freshId();
  const { store } = app;
  const box = h('input', { type: 'checkbox', id });
  const text = h('p', { class: 'hint' });
  box.addEventListener('change', async () => {
    try {
      store.follow = await app.call('follow.set', { enabled: box.checked, source: source() });
      announce(box.checked ? 'New blocks are followed.' : 'New blocks are no longer followed.');
    } catch (thrown) {
      announce(problemText(thrown));
    }
    store.changed();
  });
  const update = (): void => {
    box.checked = store.follow?.enabled === true;
    setText(text, followText(app));
  };
  update();
  const label = h('label', { class: 'check', for: id }, box, 'Read new blocks as they come');
  return { element: h('div', { class: 'follow' }, label, text), update };
}

function followText({ store, formats }: App): string {
  const { follow } = store;
  switch (follow?.state) {
    case 'scanning':
      return 'Reading blocks now.';
    case 'caught_up':
      return 'Up to date. Goes on while the wallet is unlocked, with this page closed too.';
    case 'backing_off': {
      const next =
        follow.next_look_at === null ? '' : ` The next try is at ${formats.moment(follow.next_look_at)}.`;
      return `${follow.failure?.detail ?? 'The last look failed.'}${next}`;
    }
    default:
      return 'Goes on while the wallet is unlocked, with this page closed too.';
  }
}
