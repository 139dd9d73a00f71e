// The sources of blocks: the node and the compact server, their state and their addresses. Opening the page sends no
// request to a server: a request would reveal to another machine that the user is present.

import type { Output } from '@wallet-companion/client';
import { serverText } from '../../model/serverText.ts';
import { announce } from './announce.ts';
import type { App } from './app.ts';
import { card, facts } from './card.ts';
import { h, replace, setText } from './dom.ts';
import { actionButton, form, problemText, textField } from './form.ts';

export interface ServerCard {
  readonly element: HTMLElement;
  update(): void;
}

export function nodeCard(app: App): ServerCard {
  const { store } = app;
  const url = h('code', {}, store.config?.node_url ?? '');
  const { element: status, update: updateStatus } = serverStatus(app, 'node');
  const wanted = textField('Address', {
    inputmode: 'url',
    value: store.config?.node_url ?? '',
    maxlength: 2048,
  });
  const ask = actionButton('Ask the node', 'quiet', async () => {
    store.servers = await app.call('system.status');
    announce('The node was asked.');
    store.changed();
  });
  const element = card(
    'Chain node',
    status,
    facts([['Address', url]]),
    h('div', { class: 'actions' }, ask),
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
    updateStatus();
  };
  return { element, update };
}

export function compactServerCard(app: App): ServerCard {
  const { store } = app;
  const url = h('code', {}, store.config?.compact_server_url ?? '');
  const { element: status, update: updateStatus } = serverStatus(app, 'compact_server');
  const details = h('div');
  const wanted = textField('Address', {
    inputmode: 'url',
    value: store.config?.compact_server_url ?? '',
    maxlength: 2048,
  });
  const ask = async (): Promise<void> => {
    try {
      replace(details, facts(factsOf(await app.call('lwd.info'), app)));
      store.servers = await app.call('system.status');
      store.changed();
      announce('The compact server has answered.');
    } catch (thrown) {
      replace(details, h('p', { class: 'problem', role: 'alert' }, problemText(thrown)));
    }
  };
  const element = card(
    'Compact server',
    status,
    facts([['Address', url]]),
    details,
    h('div', { class: 'actions' }, actionButton('Ask the server', 'quiet', ask)),
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
  const update = (): void => {
    setText(url, store.config?.compact_server_url ?? '');
    updateStatus();
  };
  return { element, update };
}

function serverStatus({ store, formats }: App, which: 'node' | 'compact_server'): ServerCard {
  const element = h('p', { class: 'state' });
  const update = (): void => {
    const server = store.servers?.[which];
    if (server === undefined) return;
    // A scan sees new blocks before the next request for the tip.
    const seen = which === 'node' ? (store.sync?.chain_tip ?? 0) : 0;
    const tip = server.tip_height === null ? null : Math.max(server.tip_height, seen);
    setText(element, serverText({ ...server, tip_height: tip }, formats));
    element.dataset['state'] = server.state;
  };
  update();
  return { element, update };
}

function factsOf(info: Output<'lwd.info'>, { formats }: App): readonly (readonly [string, Node | string])[] {
  const { store } = info;
  const kept =
    store === null || store.block_count === 0
      ? 'none'
      : `${formats.counted(store.block_count, 'block')}, up to ${formats.count(store.last_height ?? 0)}`;
  return [
    ['Software', [info.vendor, info.version].filter(Boolean).join(' ') || 'not said'],
    ['Network', info.chain_name],
    ['Its newest block', formats.count(info.block_height)],
    ['Blocks kept here', kept],
  ];
}
