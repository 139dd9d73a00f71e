// Where blocks come from: the node and the compact server, whether they answer, and their addresses.

import type { Output } from '../../../client/operationTypes.ts';
import { announce } from './announce.ts';
import type { App } from './app.ts';
import { card, facts } from './card.ts';
import { h, replace, setText } from './dom.ts';
import { actionButton, form, problemText, textField } from './form.ts';

interface ServerCard {
  readonly element: HTMLElement;
  update(): void;
}

export function nodeCard(app: App): ServerCard {
  const { store } = app;
  const state = h('p', {});
  const url = h('code', {}, store.config?.node_url ?? '');
  const wanted = textField('Address', {
    inputmode: 'url',
    value: store.config?.node_url ?? '',
    maxlength: 2048,
  });
  const element = card(
    'Chain node',
    state,
    facts([['Address', url]]),
    h(
      'details',
      {},
      h('summary', {}, 'Change the address'),
      form({
        fields: [wanted.element],
        submit: 'Ask it and save',
        act: async () => {
          store.config = await app.call('config.node_url', { url: wanted.input.value.trim(), probe: true });
          announce('The new address is saved: the node answers.');
          store.changed();
        },
      }),
    ),
  );
  const update = (): void => {
    setText(url, store.config?.node_url ?? '');
    const { sync } = store;
    const error = sync?.last_error ?? null;
    const tip = sync?.chain_tip ?? null;
    const isNodes = error !== null && /^NODE_|UPSTREAM/.test(error.code);
    setText(
      state,
      isNodes
        ? `It did not answer as it should: ${error.detail}`
        : tip === null
          ? 'Not asked yet.'
          : `Its chain has ${app.formats.count(tip)} blocks, as last seen.`,
    );
  };
  return { element, update };
}

export function compactServerCard(app: App): ServerCard {
  const { store } = app;
  const place = h(
    'div',
    {},
    h('p', { class: 'hint' }, 'Not asked yet. Asking tells the server that you are there.'),
  );
  const wanted = textField('Address', {
    inputmode: 'url',
    value: store.config?.compact_server_url ?? '',
    maxlength: 2048,
  });
  const ask = async (): Promise<void> => {
    replace(place, h('p', { class: 'hint' }, 'Asking…'));
    try {
      replace(place, facts(factsOf(await app.call('lwd.info'), app)));
      announce('The compact server has answered.');
    } catch (thrown) {
      replace(place, h('p', { class: 'problem', role: 'alert' }, problemText(thrown)));
    }
  };
  const element = card(
    'Compact server',
    place,
    h('div', { class: 'actions' }, actionButton('Ask it', 'quiet', ask)),
    h(
      'details',
      {},
      h('summary', {}, 'Change the address'),
      form({
        fields: [wanted.element],
        submit: 'Save',
        act: async () => {
          store.config = await app.call('config.compact_server_url', { url: wanted.input.value.trim() });
          store.changed();
          await ask();
        },
      }),
    ),
  );
  return { element, update: () => undefined };
}

function factsOf(info: Output<'lwd.info'>, { formats }: App): readonly (readonly [string, Node | string])[] {
  const { store } = info;
  const kept =
    store === null || store.block_count === 0
      ? 'none'
      : `${formats.counted(store.block_count, 'block')}, up to ${formats.count(store.last_height ?? 0)}`;
  return [
    ['Address', h('code', {}, info.compact_server_url)],
    ['Software', [info.vendor, info.version].filter(Boolean).join(' ') || 'not said'],
    ['Network', info.chain_name],
    ['Its newest block', formats.count(info.block_height)],
    ['Blocks kept here', kept],
  ];
}
