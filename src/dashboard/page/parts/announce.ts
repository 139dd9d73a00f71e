// One place that tells a screen reader what changed without being asked for. Never amounts: somebody may listen in.

import { h, setText } from './dom.ts';

const region = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });

export const announcer = (): HTMLElement => region;

export const announce = (text: string): void => setText(region, text);
