// A memo is another person's text: shown as text, with its direction isolated, and never as a link.

import { h } from './dom.ts';

interface Memo {
  readonly text?: string | undefined;
  readonly hex?: string | undefined;
}

export function memoElement(memo: Memo | null): HTMLElement | false {
  if (memo === null) return false;
  if (memo.text !== undefined) return h('blockquote', { class: 'memo', dir: 'auto' }, memo.text);
  return h(
    'details',
    { class: 'memo-bytes' },
    h('summary', {}, 'A memo that is not text'),
    h('code', {}, (memo.hex ?? '').replace(/(?:00)+$/, '')),
  );
}
