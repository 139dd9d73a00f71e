// A secret that is shown after the password, and removed again: by the button, by leaving the page, or after a while.

import type { App } from './app.ts';
import { card, facts } from './card.ts';
import { copyButton } from './copy.ts';
import { h, replace } from './dom.ts';
import { form, passwordField, take } from './form.ts';
import { phraseGrid } from './phraseGrid.ts';

const SHOWN_MS = 120_000;

export interface Revealed {
  readonly phrase?: string;
  readonly key?: string;
  readonly facts: readonly (readonly [string, string])[];
}

export interface RevealOptions {
  readonly title: string;
  readonly text: string;
  readonly submit: string;
  readonly read: (password: string) => Promise<Revealed>;
}

export function revealCard(
  _app: App,
  { title, text, submit, read }: RevealOptions,
): { readonly element: HTMLElement; leave(): void } {
  const password = passwordField('Password');
  const place = h('div');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isGone = false;
  const hide = (): void => {
    clearTimeout(timer);
    for (const secret of place.querySelectorAll('.word, code')) secret.textContent = '';
    replace(place, ask);
  };
  const reveal = (revealed: Revealed): void => {
    const { key, phrase } = revealed;
    replace(
      place,
      phrase !== undefined && phraseGrid(phrase).element,
      key !== undefined && h('p', { class: 'address' }, h('code', {}, key)),
      facts(revealed.facts),
      h(
        'div',
        { class: 'actions' },
        h('button', { type: 'button', onclick: hide }, 'Hide'),
        // Copied text stays in the system's clipboard: acceptable for a viewing key, not for the phrase.
        key !== undefined &&
          copyButton('the viewing key', () => place.querySelector('code')?.textContent ?? ''),
      ),
    );
    place.querySelector<HTMLElement>('button')?.focus();
    timer = setTimeout(hide, SHOWN_MS);
  };
  const ask = form({
    fields: [password.element],
    submit,
    buttonClass: 'quiet',
    act: async () => {
      const revealed = await read(take(password));
      if (!isGone) reveal(revealed);
    },
  });
  replace(place, ask);
  return {
    element: card(title, h('p', { class: 'hint' }, text), place),
    leave: () => {
      isGone = true;
      take(password);
      hide();
    },
  };
}
