// A wallet that already exists: restored from its recovery phrase, or watched by a viewing key.

import type { App } from '../parts/app.ts';
import { birthdayField, birthdayInput } from '../parts/birthday.ts';
import { card } from '../parts/card.ts';
import { h } from '../parts/dom.ts';
import { field, form, Objection, passwordField, take, textField } from '../parts/form.ts';
import type { Flow } from './welcome.ts';

const secretArea = (rows: number): HTMLTextAreaElement =>
  h('textarea', {
    rows,
    required: true,
    autocomplete: 'off',
    autocapitalize: 'none',
    autocorrect: 'off',
    // A spelling checker may send the typed text to a server.
    spellcheck: 'false',
  });

export function restoreFlow(app: App, back: () => void): Flow {
  const phrase = field(
    'Recovery phrase',
    secretArea(4),
    '12 to 24 words with spaces between. Capitals do not matter.',
  );
  const extra = textField(
    'BIP-39 passphrase',
    { type: 'password', autocomplete: 'off' },
    'Only if you chose one together with the phrase. Most wallets have none.',
  );
  const birthday = birthdayField();
  const password = passwordField(
    'New password',
    true,
    'It protects the wallet on this machine. Nobody can reset it.',
  );
  const again = passwordField('New password again', true);
  const element = card(
    'Restore a wallet',
    form({
      fields: [
        phrase.element,
        birthday.element,
        password.element,
        again.element,
        h('details', {}, h('summary', {}, 'There was a passphrase'), extra.element),
      ],
      submit: 'Restore wallet',
      more: [h('button', { type: 'button', class: 'quiet', onclick: back }, 'Back')],
      act: async () => {
        const birth = birthdayInput(birthday);
        const [chosen, repeated] = [take(password), take(again)];
        if (chosen !== repeated) throw new Objection('The two passwords are not the same.', password);
        const passphrase = extra.input.value;
        await app.call('wallet.restore', {
          mnemonic: phrase.input.value,
          password: chosen,
          ...(passphrase === '' ? {} : { bip39_passphrase: passphrase }),
          ...birth,
        });
        take(phrase);
        take(extra);
        await app.store.reload();
      },
    }),
  );
  return { element, leave: () => [phrase, extra, password, again].forEach(take) };
}

export function watchFlow(app: App, back: () => void): Flow {
  const key = field(
    'Viewing key',
    secretArea(4),
    'A unified viewing key (uview…, uivk…) or a Sapling one (zxviews…).',
  );
  const birthday = birthdayField();
  const password = passwordField('New password', true, 'It protects the viewing key on this machine.');
  const again = passwordField('New password again', true);
  const element = card(
    'Watch a wallet',
    form({
      fields: [key.element, birthday.element, password.element, again.element],
      submit: 'Watch wallet',
      more: [h('button', { type: 'button', class: 'quiet', onclick: back }, 'Back')],
      act: async () => {
        const birth = birthdayInput(birthday);
        const [chosen, repeated] = [take(password), take(again)];
        if (chosen !== repeated) throw new Objection('The two passwords are not the same.', password);
        await app.call('wallet.import_viewing_key', {
          viewing_key: key.input.value,
          password: chosen,
          ...birth,
        });
        take(key);
        await app.store.reload();
      },
    }),
  );
  return { element, leave: () => [key, password, again].forEach(take) };
}
