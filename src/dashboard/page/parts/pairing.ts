// Browser extensions that request pairing, and paired ones: the user compares the code that the extension shows.

import type { Output } from '@wallet-companion/client';
import type { App } from './app.ts';
import { card, facts } from './card.ts';
import { h, replace } from './dom.ts';
import { actionButton, form, passwordField, take } from './form.ts';

type Pairings = Output<'pairing.list'>;

export function pairingCard(app: App): { readonly element: HTMLElement; update(): void } {
  const place = h('div');
  let drawn: Pairings | undefined;
  const update = (): void => {
    const { pairings } = app.store;
    if (pairings === undefined || pairings === drawn) return;
    drawn = pairings;
    const { requests, allowed_origins: allowed } = pairings;
    replace(
      place,
      requests.length === 0
        ? h('p', { class: 'hint' }, 'None is asking to be let in.')
        : requests.map((request) => requestForm(app, request)),
      allowed.length > 0 &&
        h(
          'ul',
          { class: 'origins' },
          allowed.map((origin) => allowedForm(app, origin)),
        ),
    );
  };
  update();
  return { element: card('Browser extensions', place), update };
}

function requestForm(app: App, request: Pairings['requests'][number]): HTMLElement {
  const password = passwordField('Password');
  return h(
    'div',
    { class: 'request' },
    h(
      'p',
      {},
      'An extension that calls itself ',
      h('bdi', {}, `“${request.name ?? 'nothing'}”`),
      ' asks to be let in. It could then read what this page shows. Allow it only if it shows the same code:',
    ),
    h('p', { class: 'code' }, request.code),
    facts([['Its address', h('code', {}, request.origin)]]),
    form({
      fields: [password.element],
      submit: 'The code is the same: allow',
      act: async () => {
        const given = { code: request.code, password: take(password) };
        app.store.pairings = await app.call('pairing.allow', given);
        app.store.changed();
      },
      more: [
        actionButton('Refuse', 'quiet', async () => {
          app.store.pairings = await app.call('pairing.refuse', { code: request.code });
          app.store.changed();
        }),
      ],
    }),
  );
}

function allowedForm(app: App, origin: string): HTMLElement {
  const password = passwordField('Password');
  return h(
    'li',
    {},
    h('code', {}, origin),
    h(
      'details',
      {},
      h('summary', {}, 'Let in no longer'),
      form({
        fields: [password.element],
        submit: 'Shut it out',
        buttonClass: 'danger',
        act: async () => {
          app.store.pairings = await app.call('pairing.revoke', { origin, password: take(password) });
          app.store.changed();
        },
      }),
    ),
  );
}
