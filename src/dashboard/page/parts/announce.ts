// One element that announces background changes to a screen reader. Never amounts: other people may hear them.

import { h, setText } from './dom.ts';

const region = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });

export const announcer = (): HTMLElement => region;

export const announce = (text: string): void => setText(region, text);
