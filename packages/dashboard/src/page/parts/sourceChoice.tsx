// Where blocks come from, asked before there is a wallet: a node of one's own, peers of the network with what they have to send,
// a public server with who runs it and how it answers, or another address. None is taken without the person's choice, and none is asked before it.

import type { Output } from '@wallet-companion/client';
import { useState } from 'preact/hooks';
import { failureText } from '../../texts/errors.ts';
import { scanTexts } from '../../texts/scan.ts';
import { call, formats, store } from '../live/app.ts';
import { ActionButton, Check, Field, Form, type Typed } from './form.tsx';
import { useAnswer } from './hooks.ts';
import { Actions, Card, Details } from './layout.tsx';
import { Hint, Problem } from './text.tsx';

type Known = Output<'lwd.servers'>['servers'][number];
const KINDS = ['node', 'peers', 'public', 'other'] as const;
type Kind = (typeof KINDS)[number];

export function SourceChoice() {
  const texts = scanTexts();
  const { node_url: node, compact_server_url: server, network } = store.config ?? {};
  const [kind, setKind] = useState<Kind>();
  // A chain of one's own has those that the settings file names.
  const hasPeers = network !== 'regtest' || (store.servers?.peers.state ?? 'off') !== 'off';
  return (
    <Card title={texts.source}>
      <Hint text={usedText()} />
      <fieldset class="choices-row">
        <legend class="unseen">{texts.source}</legend>
        {KINDS.filter((one) => one !== 'peers' || hasPeers).map((one) => (
          <Check
            key={one}
            group="kind"
            text={texts.kinds[one]}
            isOn={kind === one}
            check={() => setKind(one)}
          />
        ))}
      </fieldset>
      {kind === 'node' && <Address which="node" known={node ?? ''} help={texts.nodeHelp} />}
      {kind === 'peers' && <Peers />}
      {kind === 'other' && <Address which="compact_server" known={server ?? ''} help={texts.serverNotice} />}
      {kind === 'public' && <PublicServers />}
    </Card>
  );
}

function usedText(): string {
  const texts = scanTexts();
  const { block_source: source, node_url: node = '', compact_server_url: server = '' } = store.config ?? {};
  switch (source) {
    case 'node':
      return texts.sourceUsed(node);
    case 'compact':
      return texts.sourceUsed(server);
    case 'peers':
      return store.servers?.peers.state === 'off' ? texts.peersOff : texts.peersUsed;
    default:
      return texts.sourceOpen;
  }
}

/** The server is asked at once, so that a wrong address shows here. */
async function chosen(url: string): Promise<void> {
  store.configured(await call('config.compact_server_url', { url }), '');
  store.configured(await call('config.block_source', { source: 'compact' }), '');
  store.set({ servers: await call('system.status'), announcement: scanTexts().sourceUsed(url) });
}

async function chosenNode(url: string): Promise<void> {
  store.configured(await call('config.node_url', { url, probe: true }), '');
  const config = await call('config.block_source', { source: 'node' });
  store.configured(config, scanTexts().nodeSaved);
}

async function chosenPeers(): Promise<void> {
  store.configured(await call('config.block_source', { source: 'peers' }), '');
  store.set({ servers: await call('system.status', { known: true }) });
  store.set({ announcement: usedText() });
}

/** What they have to send is known without asking anybody on the main network alone. */
function Peers() {
  const texts = scanTexts();
  const isMain = store.config?.network === 'main';
  const [{ value, problem }] = useAnswer(
    async () => (isMain ? call('sync.estimate', { source: 'peers' }) : undefined),
    [isMain],
  );
  const { read_from_height: first = 0, megabytes = 0, seconds = 0 } = value ?? {};
  return (
    <>
      <Hint text={texts.peersHelp} />
      {value && (
        <Hint
          text={texts.peersCost(
            texts.block(formats.count(first)),
            formats.count(Math.ceil(megabytes ?? 0)),
            formats.about(seconds),
          )}
        />
      )}
      <Problem text={problem} />
      <Hint text={isMain ? texts.peersLimits : ''} />
      <Actions>
        <ActionButton text={texts.usePeers} act={chosenPeers} />
      </Actions>
    </>
  );
}

type AddressProps = { which: 'node' | 'compact_server'; known: string; help: string };

function Address({ which, known, help }: AddressProps) {
  const texts = scanTexts();
  const save = (typed: Typed) => (which === 'node' ? chosenNode : chosen)(typed('url').trim());
  return (
    <Form submit={texts.nodeSave} act={save}>
      <Field name="url" label={texts.address} kind="url" defaultValue={known} help={help} required />
    </Form>
  );
}

function PublicServers() {
  const texts = scanTexts();
  const [{ value, problem }, setList] = useAnswer(() => call('lwd.servers'), []);
  const { servers = [], list_date: date = null } = value ?? {};
  const tryAll = async () => setList(await call('lwd.servers', { try: true }));
  return (
    <>
      <Hint text={texts.serverNotice} />
      <Problem text={problem} />
      {value && servers.length === 0 && <Hint text={texts.noServers} />}
      <ul class="origins">
        {servers.map((one) => (
          <li key={one.compact_server_url}>
            <p>
              <bdi>{one.operator}</bdi>
              {one.where && `, ${one.where}`}
            </p>
            <code>{one.compact_server_url}</code>
            <Hint text={triedText(one)} />
            <Actions>
              <ActionButton
                text={texts.useServer}
                class="quiet small"
                act={() => chosen(one.compact_server_url)}
              />
            </Actions>
          </li>
        ))}
      </ul>
      <Hint text={date === null ? '' : texts.listDate(formats.day(`${date}T12:00:00Z`))} />
      {servers.length > 0 && (
        <Details summary={texts.tryServers}>
          <Hint text={texts.tryHelp} />
          <ActionButton text={texts.tryNow} class="quiet" act={tryAll} />
        </Details>
      )}
    </>
  );
}

function triedText({ tried }: Known): string {
  const texts = scanTexts();
  if (tried === null) return '';
  if (tried.state === 'failed') return failureText(tried.code ?? '', tried.detail ?? texts.states.lost);
  const answered = texts.answeredIn(formats.count(tried.elapsed_ms));
  return tried.state === 'behind' ? `${answered} ${texts.serverBehind}` : answered;
}
