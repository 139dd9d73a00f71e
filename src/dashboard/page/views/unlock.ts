// The view of a locked wallet.

import type { App, View } from '../parts/app.ts';
import { card } from '../parts/card.ts';
import { h, setText, show } from '../parts/dom.ts';
import { form, passwordField, take } from '../parts/form.ts';

const REASONS: Readonly<Record<string, string>> = {
  idle: 'It locked itself because nobody used it for a while.',
  thread_lost: 'A part of the companion had to be restarted, which locks the wallet.',
  asked: 'It was locked.',
};

export function unlockView({ store, call }: App): View {
  const password = passwordField('Password');
  const why = h('p', { class: 'hint' });
  const element = h(
    'div',
    { class: 'narrow' },
    card(
      'Unlock your wallet',
      why,
      form({
        fields: [password.element],
        submit: 'Unlock',
        act: async () => {
          await call('wallet.unlock', { password: take(password) });
          await store.reload();
        },
      }),
    ),
  );
  const update = (): void => {
    const reason = REASONS[store.lockedBecause ?? ''];
    setText(why, reason ?? '');
    show(why, reason !== undefined);
  };
  update();
  return { title: 'Unlock', element, update, leave: () => void take(password) };
}
