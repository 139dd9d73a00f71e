// A recovery phrase as a numbered grid. Whoever shows it takes it away again: `clear` leaves nothing of it in the page.

import { h, replace } from './dom.ts';

export interface PhraseGrid {
  readonly element: HTMLElement;
  clear(): void;
}

export function phraseGrid(phrase: string): PhraseGrid {
  const element = h(
    'ol',
    { class: 'phrase', 'aria-label': 'Recovery phrase' },
    phrase.split(' ').map((word) => h('li', {}, h('span', { class: 'word' }, word))),
  );
  return {
    element,
    clear() {
      for (const word of element.querySelectorAll('.word')) word.textContent = '';
      replace(element);
    },
  };
}
