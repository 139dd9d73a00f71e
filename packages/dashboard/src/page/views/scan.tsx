// The scan in detail: the scanned blocks as bars and in words, the source of blocks, and the two servers.

import { useMemo, useState } from 'preact/hooks';
import { blocksOf, type HeightRange, type Stretch, scannedPart, stretches } from '../../model/coverage.ts';
import { byYear } from '../../model/years.ts';
import { formats, store } from '../app.ts';
import type { Source } from '../live/scan.ts';
import { Field } from '../parts/form.tsx';
import { Actions, Card, Columns, Facts } from '../parts/layout.tsx';
import { ServerCard } from '../parts/serverCard.tsx';
import { Follow, reach, SyncButton, SyncState } from '../parts/sync.tsx';
import { Hint } from '../parts/text.tsx';

const SOURCES = [
  ['node', 'the chain node'],
  ['compact', 'the compact server'],
] as const;
const SOURCE_HELP =
  'A compact server sends less, and is believed about what a block holds. Your own node is checked in full.';

export function Scan() {
  const [source, setSource] = useState<Source>(store.follow?.source ?? 'node');
  const choice = { value: source, onText: (chosen: string) => setSource(chosen as Source) };
  return (
    <Columns>
      <Card title="Scan">
        <SyncState />
        <Field label="Read blocks from" help={SOURCE_HELP} options={SOURCES} {...choice} />
        <Actions>
          <SyncButton source={source} />
        </Actions>
        <Follow source={source} />
      </Card>
      <Card title="What has been looked at">
        <Coverage />
      </Card>
      <ServerCard which="node" />
      <ServerCard which="compact_server" />
    </Columns>
  );
}

function Coverage() {
  const known = reach();
  const network = store.status?.network ?? 'regtest';
  const key = JSON.stringify([known ?? null, network]);
  const all = useMemo(() => (known === undefined ? [] : stretches(known)), [key]);
  const years = useMemo(() => byYear(all, network), [key]);
  if (known === undefined) return null;
  const accounts = store.funds?.coverage.accounts ?? [];
  const blocks = (state: Stretch['state']) => formats.counted(blocksOf(all, state), 'block');
  const whole = { start_height: all[0]?.start_height ?? 0, end_height: all.at(-1)?.end_height ?? 0 };
  return (
    <div class="coverage">
      {years ? (
        <ol class="years" aria-label="By year">
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
        <span class="key scanned">scanned</span>
        <span class="key missing">missing</span>
        <span class="key ahead">not reached yet</span>
      </p>
      <Facts
        rows={[
          ["Wallet's birthday", `block ${formats.count(known.birthday)}`],
          ['Scanned', blocks('scanned')],
          ['Missing in between', blocks('missing')],
          ['Not reached yet', known.tip === null ? 'unknown' : blocks('ahead')],
        ]}
      />
      {/* The companion's statements about the coverage, unchanged. */}
      {accounts.map(({ account, statement }) => (
        <Hint key={account} text={accounts.length > 1 ? `Account ${account}: ${statement}` : statement} />
      ))}
    </div>
  );
}

const WIDTH = 1000;
/** A gap of one block among millions must be visible. */
const THINNEST = 6;

function Bar({ known, whole }: { known: readonly Stretch[]; whole: HeightRange }) {
  const all = Math.max(1, whole.end_height - whole.start_height + 1);
  const x = (height: number): number => ((height - whole.start_height) / all) * WIDTH;
  // Missing ranges are drawn last, over their neighbours.
  const drawn = [...known].sort((a, b) => Number(a.state === 'missing') - Number(b.state === 'missing'));
  return (
    <svg viewBox={`0 0 ${WIDTH} 20`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      {drawn.map(({ state, start_height, end_height }) => {
        const width = Math.max(state === 'missing' ? THINNEST : 0, x(end_height + 1) - x(start_height));
        const left = Math.max(0, Math.min(x(start_height), WIDTH - width));
        return <rect key={start_height} class={state} x={left} y={0} width={width} height={20} />;
      })}
    </svg>
  );
}
