// A source of blocks, the node or the compact server: its state and its address. Opening the page sends no
// request to a server: a request would reveal to another machine that the user is present.

import type { Output } from '@wallet-companion/client';
import { useState } from 'preact/hooks';
import { serverText } from '../../model/serverText.ts';
import { call, formats, store } from '../app.ts';
import { ActionButton, Field, Form, type Typed } from './form.tsx';
import { Actions, Card, Details, type Fact, Facts } from './layout.tsx';

const TEXTS = {
  node: { title: 'Chain node', ask: 'Ask the node', said: 'The node was asked.', submit: 'Ask it and save' },
  compact_server: {
    title: 'Compact server',
    ask: 'Ask the server',
    said: 'The compact server has answered.',
    submit: 'Save',
  },
} as const;

export function ServerCard({ which }: { which: keyof typeof TEXTS }) {
  const [facts, setFacts] = useState<readonly Fact[]>([]);
  const { title, said, ...texts } = TEXTS[which];
  const known = store.config?.[`${which}_url`] ?? '';
  const server = store.servers?.[which];
  // A scan sees new blocks before the next request for the tip.
  const seen = which === 'node' ? (store.sync?.chain_tip ?? 0) : 0;
  const tip_height = server?.tip_height == null ? null : Math.max(server.tip_height, seen);
  const ask = async () => {
    if (which === 'compact_server') setFacts(factsOf(await call('lwd.info')));
    store.set({ servers: await call('system.status'), said });
  };
  const save = async (typed: Typed) => {
    const url = typed('url').trim();
    if (which === 'compact_server') {
      store.set({ config: await call('config.compact_server_url', { url }) });
      await ask();
    } else {
      const config = await call('config.node_url', { url, probe: true });
      store.set({ config, said: 'The new address is saved: the node answers.' });
    }
  };
  return (
    <Card title={title}>
      {server && (
        <p class="state" data-state={server.state}>
          {serverText({ ...server, tip_height }, formats)}
        </p>
      )}
      <Facts rows={[['Address', <code key="url">{known}</code>], ...facts]} />
      <Actions>
        <ActionButton text={texts.ask} class="quiet" act={ask} />
      </Actions>
      <Details summary="Change the address">
        <Form submit={texts.submit} act={save}>
          <Field name="url" label="Address" kind="url" defaultValue={known} />
        </Form>
      </Details>
    </Card>
  );
}

function factsOf(info: Output<'lwd.info'>): readonly Fact[] {
  const { store: kept } = info;
  const blocks = kept?.block_count
    ? `${formats.counted(kept.block_count, 'block')}, up to ${formats.count(kept.last_height ?? 0)}`
    : 'none';
  return [
    ['Software', [info.vendor, info.version].filter(Boolean).join(' ') || 'not said'],
    ['Network', info.chain_name],
    ['Its newest block', formats.count(info.block_height)],
    ['Blocks kept here', blocks],
  ];
}
