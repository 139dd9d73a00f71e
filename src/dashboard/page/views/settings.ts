// Appearance, password, and secrets that need the password; also the settings that only config.json can change.

import { THEMES, type Theme } from '../../model/themes.ts';
import { announce } from '../parts/announce.ts';
import type { App, View } from '../parts/app.ts';
import { card, facts } from '../parts/card.ts';
import { h, replace, setText } from '../parts/dom.ts';
import { form, Objection, passwordField, take } from '../parts/form.ts';
import { pairingCard } from '../parts/pairing.ts';
import { revealCard } from '../parts/reveal.ts';

export function settingsView(app: App): View {
  const { store, formats } = app;
  const secrets = [phraseCard(app), viewingKeyCard(app)];
  const about = h('div');
  const theme = themeCard(app);
  const pairing = pairingCard(app);
  const password = passwordCard(app);
  const element = h(
    'div',
    { class: 'columns' },
    h('div', {}, theme.element, password.element, pairing.element, card('About', about)),
    h(
      'div',
      {},
      secrets.map(({ element }) => element),
      rescanCard(app),
    ),
  );
  app.call('system.version').then(
    ({ version, network }) => {
      const lock = store.config?.auto_lock_seconds ?? 0;
      replace(
        about,
        facts([
          ['Version', version],
          ['Network', network],
          ['Locks itself', lock === 0 ? 'never' : `after ${formats.duration(lock)} without use`],
          ['Confirmations needed', formats.count(store.config?.min_confirmations ?? 1)],
        ]),
        h(
          'p',
          { class: 'hint' },
          'These are set in config.json or with "wallet-companion config", never from a page.',
        ),
      );
    },
    () => undefined,
  );
  return {
    title: 'Settings',
    element,
    update: () => {
      theme.update();
      pairing.update();
    },
    leave: () => {
      for (const secret of secrets) secret.leave();
      password.leave();
    },
  };
}

function themeCard({ call, store }: App): { readonly element: HTMLElement; update(): void } {
  const inputs = THEMES.map(({ value }) =>
    h('input', {
      type: 'radio',
      name: 'theme',
      value,
      id: `theme-${value}`,
      onchange: async () => {
        store.config = await call('config.theme', { theme: value satisfies Theme });
        store.changed();
      },
    }),
  );
  const update = (): void => {
    for (const input of inputs) input.checked = input.value === store.config?.theme;
  };
  update();
  const element = card(
    'Appearance',
    h(
      'fieldset',
      { class: 'choices-row' },
      h('legend', { class: 'unseen' }, 'Colours'),
      THEMES.map(({ value, name }, index) =>
        h('label', { class: 'check', for: `theme-${value}` }, inputs[index]!, name),
      ),
    ),
  );
  return { element, update };
}

function passwordCard(app: App): { readonly element: HTMLElement; leave(): void } {
  const now = passwordField('Current password');
  const next = passwordField('New password', true);
  const again = passwordField('New password again', true);
  const said = h('p', { class: 'hint', role: 'status' });
  const element = card(
    'Password',
    form({
      fields: [now.element, next.element, again.element],
      submit: 'Change password',
      buttonClass: 'quiet',
      act: async () => {
        setText(said, '');
        const [password, chosen, repeated] = [take(now), take(next), take(again)];
        if (chosen !== repeated) throw new Objection('The two new passwords are not the same.', next);
        await app.call('wallet.change_password', { password, new_password: chosen });
        setText(said, 'The password was changed.');
      },
    }),
    said,
  );
  return { element, leave: () => [now, next, again].forEach(take) };
}

const phraseCard = (app: App) =>
  revealCard(app, {
    title: 'Recovery phrase',
    text: 'Look at it to write it down or to compare. Make sure that nobody sees your screen.',
    submit: 'Show the phrase',
    read: async (password) => {
      const { mnemonic, birthday_height, bip39_passphrase } = await app.call('wallet.backup', { password });
      return {
        phrase: mnemonic,
        facts: [
          ['Birthday', `block ${app.formats.count(birthday_height)}`],
          ...(bip39_passphrase === null ? [] : [['BIP-39 passphrase', bip39_passphrase] as const]),
        ],
      };
    },
  });

const viewingKeyCard = (app: App) =>
  revealCard(app, {
    title: 'Viewing key',
    text: 'Whoever has it sees every payment of this wallet, past and future, and cannot spend. Give it only to people who may see all that.',
    submit: 'Show the viewing key',
    read: async (password) => {
      const { viewing_key, birthday_height, kind } = await app.call('wallet.viewing_key', { password });
      return {
        key: viewing_key,
        facts: [
          ['Shows', kind === 'full' ? 'what comes in and goes out' : 'only what comes in'],
          ['Birthday', `block ${app.formats.count(birthday_height)}`],
        ],
      };
    },
  });

function rescanCard(app: App): HTMLElement {
  const { store } = app;
  return card(
    'Scan again',
    h(
      'details',
      {},
      h('summary', {}, 'Forget what was scanned'),
      h(
        'p',
        {},
        'Keys and password stay. Balance and transactions are unknown until everything has been scanned once more, which can take long.',
      ),
      form({
        fields: [],
        submit: 'Forget and begin anew',
        buttonClass: 'danger',
        act: async () => {
          await app.call('wallet.rescan');
          announce('What was scanned is forgotten.');
          await store.reload();
          location.hash = '#/scan';
        },
      }),
    ),
  );
}
