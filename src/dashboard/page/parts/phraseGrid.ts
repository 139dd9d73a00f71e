// A recovery phrase as a numbered grid. The view that shows it must call `clear`, which removes it from the page.

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
