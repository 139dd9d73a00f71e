// The scan in detail: the scanned blocks, the source of blocks, and the two servers.

import type { Output } from '@wallet-companion/client';
import { blocksOf, stretches } from '../../model/coverage.ts';
import { byYear } from '../../model/years.ts';
import type { Source } from '../live/syncRunner.ts';
import type { App, View } from '../parts/app.ts';
import { card, facts } from '../parts/card.ts';
import { coverageMap } from '../parts/coverageBar.ts';
import { type Child, h, replace } from '../parts/dom.ts';
import { followPart } from '../parts/follow.ts';
import { field } from '../parts/form.ts';
import { compactServerCard, nodeCard } from '../parts/servers.ts';
import { syncControls } from '../parts/syncControls.ts';
import { reachOf } from '../parts/syncText.ts';

export function scanView(app: App): View {
  const { formats, store } = app;
  const map = h('div');
  const source = field(
    'Read blocks from',
    h(
      'select',
      {},
      h('option', { value: 'node' }, 'the chain node'),
      h('option', { value: 'compact' }, 'the compact server'),
    ),
    'A compact server sends less, and is believed about what a block holds. Your own node is checked in full.',
  );
  if (store.follow?.source === 'compact') source.input.value = 'compact';
  const follow = followPart(app, () => source.input.value as Source);
  const controls = syncControls(app, () => source.input.value as Source);
  const node = nodeCard(app);
  const server = compactServerCard(app);
  const element = h(
    'div',
    { class: 'columns' },
    h(
      'div',
      {},
      card(
        'Scan',
        ...controls.state,
        source.element,
        h('div', { class: 'actions' }, ...controls.buttons),
        follow.element,
      ),
      card('What has been looked at', map),
    ),
    h('div', {}, node.element, server.element),
  );
  let drawn = '';
  const update = (): void => {
    controls.update();
    node.update();
    server.update();
    follow.update();
    const reach = reachOf(app);
    const key = JSON.stringify([reach ?? null, store.funds?.coverage]);
    if (reach === undefined || key === drawn) return;
    drawn = key;
    const known = stretches(reach);
    replace(
      map,
      coverageMap(known, byYear(known, store.status?.network ?? 'regtest'), formats),
      facts([
        ["Wallet's birthday", `block ${formats.count(reach.birthday)}`],
        ['Scanned', formats.counted(blocksOf(known, 'scanned'), 'block')],
        ['Missing in between', formats.counted(blocksOf(known, 'missing'), 'block')],
        [
          'Not reached yet',
          reach.tip === null ? 'unknown' : formats.counted(blocksOf(known, 'ahead'), 'block'),
        ],
      ]),
      statements(store.funds?.coverage),
    );
  };
  update();
  return { title: 'Scan', element, update };
}

/** The companion's statements about the coverage, unchanged. */
function statements(coverage: Output<'coverage.get'> | undefined): Child {
  const accounts = coverage?.accounts ?? [];
  return accounts.map(({ account, statement }) =>
    h('p', { class: 'hint' }, accounts.length > 1 ? `Account ${account}: ${statement}` : statement),
  );
}
