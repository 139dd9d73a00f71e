// The scan in detail: the scanned blocks as bars and in words, the source of blocks, and the two servers. Opening the page
// sends no request to a server: a request would reveal to another machine that the user is present.

import { useMemo, useState } from 'preact/hooks';
import type { HeightRange, Stretch } from '../../model/coverage.ts';
import { BAR_WIDTH, barsOf, blocksOf, coverageTexts, scannedPart, stretches } from '../../model/coverage.ts';
import { peersText, serverFacts, serverText } from '../../model/serverText.ts';
import { byYear } from '../../model/years.ts';
import { scanTexts } from '../../texts/scan.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { call, formats, store } from '../live/app.ts';
import { SourceCard } from '../parts/choices.tsx';
import { ActionButton, Field, Form, type Typed } from '../parts/form.tsx';
import { Actions, Card, Columns, Details, type Fact, Facts, List } from '../parts/layout.tsx';
import { Estimate, KeepOpen, reachNow, SyncButton, SyncState } from '../parts/sync.tsx';
import { Hint } from '../parts/text.tsx';

export function Scan() {
  return (
    <Columns>
      <Card title={scanTexts().scan}>
        <SyncState />
        <Actions>
          <SyncButton />
          <Estimate />
        </Actions>
        <KeepOpen />
      </Card>
      <Card title={scanTexts().lookedAt}>
        <Coverage />
      </Card>
      <SourceCard />
      <ServerCard which="node" />
      <ServerCard which="compact_server" />
      <PeersCard />
    </Columns>
  );
}

function PeersCard() {
  const text = peersText(store.servers, formats);
  return text === undefined ? null : (
    <Card title={scanTexts().peers.title}>
      <p class="state" data-state={store.servers?.peers.warning ? 'behind' : 'up'} children={text} />
    </Card>
  );
}

function Coverage() {
  const known = reachNow();
  const network = store.status?.network ?? 'regtest';
  const key = JSON.stringify([known ?? null, network]);
  const all = useMemo(() => (known === undefined ? [] : stretches(known)), [key]);
  const years = useMemo(() => byYear(all, network), [key]);
  if (known === undefined) return null;
  const texts = scanTexts();
  const accounts = store.funds?.coverage.accounts ?? [];
  const blocks = (state: Stretch['state']) => formats.counted(blocksOf(all, state), 'block');
  const whole = { start_height: all[0]?.start_height ?? 0, end_height: all.at(-1)?.end_height ?? 0 };
  return (
    <div class="coverage">
      {years ? (
        <ol class="years" aria-label={texts.byYear}>
          {years.map((year) => (
            <li key={year.year}>
              <span>{year.year}</span>
              <Bar known={year.stretches} whole={year} />
              <span class="number">{formats.percent(scannedPart(year.stretches))}</span>
            </li>
          ))}
        </ol>
      ) : (
        <Bar known={all} whole={whole} />
      )}
      <p class="legend" aria-hidden="true">
        <span class="key scanned">{texts.scanned}</span>
        <span class="key missing">{texts.missing}</span>
        <span class="key ahead">{texts.ahead}</span>
      </p>
      <Facts
        rows={[
          [texts.birthday, texts.block(formats.count(known.birthday))],
          [texts.scannedFact, blocks('scanned')],
          [texts.missingFact, blocks('missing')],
          [texts.aheadFact, known.tip === null ? sharedTexts().unknown : blocks('ahead')],
        ]}
      />
      {accounts.map((one) => (
        <div key={one.account}>
          <Hint text={accounts.length > 1 ? texts.accountNumber(one.account) : ''} />
          <List class="hint" items={coverageTexts(one, formats)} />
        </div>
      ))}
    </div>
  );
}

function Bar({ known, whole }: { known: readonly Stretch[]; whole: HeightRange }) {
  return (
    <svg viewBox={`0 0 ${BAR_WIDTH} 20`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      {barsOf(known, whole).map(({ state, x, width }) => (
        <rect key={`${state} ${x}`} class={state} x={x} y={0} width={width} height={20} />
      ))}
    </svg>
  );
}

export function ServerCard({ which }: { which: 'node' | 'compact_server' }) {
  const [facts, setFacts] = useState<readonly Fact[]>([]);
  const texts = scanTexts();
  const [title, askText, announcement, saveText] =
    which === 'node'
      ? [texts.nodeTitle, texts.nodeAsk, texts.nodeAsked, texts.nodeSave]
      : [texts.serverTitle, texts.serverAsk, texts.serverAsked, texts.serverSave];
  const known = store.config?.[`${which}_url`] ?? '';
  const server = store.servers?.[which];
  // A scan sees new blocks before the next request for the tip.
  const seen = which === 'node' ? (store.sync?.chain_tip ?? 0) : 0;
  const tip_height = server?.tip_height == null ? null : Math.max(server.tip_height, seen);
  const ask = async () => {
    if (which === 'compact_server') setFacts(serverFacts(await call('lwd.info'), formats));
    store.set({ servers: await call('system.status'), announcement });
  };
  const save = async (typed: Typed) => {
    const url = typed('url').trim();
    if (which === 'compact_server') {
      store.configured(await call('config.compact_server_url', { url }), '');
      await ask();
    } else {
      const config = await call('config.node_url', { url, probe: true });
      store.configured(config, texts.nodeSaved);
    }
  };
  return (
    <Card title={title}>
      {server && (
        <p
          class="state"
          data-state={server.state}
          children={serverText({ ...server, tip_height }, formats)}
        />
      )}
      <Facts rows={[[texts.address, <code key="url">{known}</code>], ...facts]} />
      <Actions>
        <ActionButton text={askText} class="quiet" act={ask} />
      </Actions>
      <Details summary={texts.changeAddress}>
        <Form submit={saveText} act={save}>
          <Field name="url" label={texts.address} kind="url" defaultValue={known} />
        </Form>
      </Details>
    </Card>
  );
}
