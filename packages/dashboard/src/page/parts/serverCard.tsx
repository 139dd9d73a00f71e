// A source of blocks, the node or the compact server: its state and its address. Opening the page sends no
// request to a server: a request would reveal to another machine that the user is present.

import type { Output } from '@wallet-companion/client';
import { useState } from 'preact/hooks';
import { serverText } from '../../model/serverText.ts';
import { type App, useApp } from './app.ts';
import { ActionButton, Form, TextField } from './form.tsx';
import { Actions, Card, Details, type Fact, Facts } from './layout.tsx';

interface ServerProps {
  title: string;
  which: 'node' | 'compact_server';
  ask: string;
  submit: string;
  /** Asks the server itself; the facts of its answer. */
  read: (app: App) => Promise<readonly Fact[]>;
  save: (app: App, url: string) => Promise<readonly Fact[]>;
}

function ServerCard({ title, which, ask, submit, read, save }: ServerProps) {
  const app = useApp();
  const { store, formats } = app;
  const [facts, setFacts] = useState<readonly Fact[]>([]);
  const url = store.config?.[`${which}_url`] ?? '';
  const server = store.servers?.[which];
  // A scan sees new blocks before the next request for the tip.
  const seen = which === 'node' ? (store.sync?.chain_tip ?? 0) : 0;
  const tip_height = server?.tip_height == null ? null : Math.max(server.tip_height, seen);
  return (
    <Card title={title}>
      {server && (
        <p class="state" data-state={server.state}>
          {serverText({ ...server, tip_height }, formats)}
        </p>
      )}
      <Facts rows={[['Address', <code key="url">{url}</code>], ...facts]} />
      <Actions>
        <ActionButton text={ask} class="quiet" act={async () => setFacts(await read(app))} />
      </Actions>
      <Details summary="Change the address">
        <Form submit={submit} act={async (typed) => setFacts(await save(app, typed('url').trim()))}>
          <TextField name="url" label="Address" inputMode="url" defaultValue={url} maxLength={2048} />
        </Form>
      </Details>
    </Card>
  );
}

export function NodeCard() {
  return (
    <ServerCard
      title="Chain node"
      which="node"
      ask="Ask the node"
      submit="Ask it and save"
      read={async ({ call, store }) => {
        store.set({ servers: await call('system.status'), said: 'The node was asked.' });
        return [];
      }}
      save={async ({ call, store }, url) => {
        const config = await call('config.node_url', { url, probe: true });
        store.set({ config, said: 'The new address is saved: the node answers.' });
        return [];
      }}
    />
  );
}

export function CompactServerCard() {
  return (
    <ServerCard
      title="Compact server"
      which="compact_server"
      ask="Ask the server"
      submit="Save"
      read={askCompactServer}
      save={async (app, url) => {
        app.store.set({ config: await app.call('config.compact_server_url', { url }) });
        return askCompactServer(app);
      }}
    />
  );
}

async function askCompactServer(app: App): Promise<readonly Fact[]> {
  const facts = factsOf(await app.call('lwd.info'), app);
  app.store.set({ servers: await app.call('system.status'), said: 'The compact server has answered.' });
  return facts;
}

function factsOf(info: Output<'lwd.info'>, { formats }: App): readonly Fact[] {
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
