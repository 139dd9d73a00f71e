// The scan in detail: the scanned blocks, the source of blocks, and the two servers.

import { useMemo, useState } from 'preact/hooks';
import { blocksOf, stretches } from '../../model/coverage.ts';
import { byYear } from '../../model/years.ts';
import type { Source } from '../live/syncRunner.ts';
import { useApp } from '../parts/app.ts';
import { CoverageMap } from '../parts/coverageMap.tsx';
import { Field } from '../parts/form.tsx';
import { Actions, Card, Facts } from '../parts/layout.tsx';
import { CompactServerCard, NodeCard } from '../parts/serverCard.tsx';
import { Follow, SyncButton, SyncState } from '../parts/sync.tsx';
import { reachOf } from '../parts/syncText.ts';
import { Hint } from '../parts/text.tsx';

const HELP =
  'A compact server sends less, and is believed about what a block holds. Your own node is checked in full.';

export function Scan() {
  const { store } = useApp();
  const [source, setSource] = useState<Source>(store.follow?.source ?? 'node');
  return (
    <div class="columns">
      <div>
        <Card title="Scan">
          <SyncState />
          <Field
            label="Read blocks from"
            help={HELP}
            control={(ids) => (
              <select
                {...ids}
                value={source}
                onInput={({ currentTarget }) => setSource(currentTarget.value as Source)}
              >
                <option value="node">the chain node</option>
                <option value="compact">the compact server</option>
              </select>
            )}
          />
          <Actions>
            <SyncButton source={source} />
          </Actions>
          <Follow source={source} />
        </Card>
        <Card title="What has been looked at">
          <Coverage />
        </Card>
      </div>
      <div>
        <NodeCard />
        <CompactServerCard />
      </div>
    </div>
  );
}

function Coverage() {
  const app = useApp();
  const { formats, store } = app;
  const reach = reachOf(app);
  const network = store.status?.network ?? 'regtest';
  const key = JSON.stringify([reach ?? null, network]);
  const known = useMemo(() => (reach === undefined ? [] : stretches(reach)), [key]);
  const years = useMemo(() => byYear(known, network), [key]);
  if (reach === undefined) return null;
  const accounts = store.funds?.coverage.accounts ?? [];
  const blocks = (state: 'scanned' | 'missing' | 'ahead') => formats.counted(blocksOf(known, state), 'block');
  return (
    <>
      <CoverageMap known={known} years={years} />
      <Facts
        rows={[
          ["Wallet's birthday", `block ${formats.count(reach.birthday)}`],
          ['Scanned', blocks('scanned')],
          ['Missing in between', blocks('missing')],
          ['Not reached yet', reach.tip === null ? 'unknown' : blocks('ahead')],
        ]}
      />
      {/* The companion's statements about the coverage, unchanged. */}
      {accounts.map(({ account, statement }) => (
        <Hint key={account} text={accounts.length > 1 ? `Account ${account}: ${statement}` : statement} />
      ))}
    </>
  );
}
