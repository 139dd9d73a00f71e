// A titled part of a page.

import { type Child, freshId, h } from './dom.ts';

export function card(title: string, ...children: readonly Child[]): HTMLElement {
  return cardWith(title, {}, ...children);
}

/** `aside` is placed beside the title. */
export function cardWith(
  title: string,
  { aside, className = '' }: { readonly aside?: Child; readonly className?: string },
  ...children: readonly Child[]
): HTMLElement {
  const id = freshId();
  return h(
    'section',
    { class: `card ${className}`.trim(), 'aria-labelledby': id },
    h('div', { class: 'card-head' }, h('h2', { id }, title), aside ?? false),
    children,
  );
}

export function facts(rows: readonly (readonly [string, Child])[]): HTMLElement {
  return h(
    'dl',
    { class: 'facts' },
    rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}
