// The balance over time as a step line: between two transactions nothing changes. A table has the same figures, for
// users who cannot see a line.

import type { Formats } from '../../model/amounts.ts';
import { niceStep, type Point, thinned } from '../../model/history.ts';
import { h, svg } from './dom.ts';

const WIDTH = 640;
const HEIGHT = 200;
const TOP = 10;
const BOTTOM = 178;
const COLUMNS = 320;
const TABLE_ROWS = 20;

export function chart(points: readonly Point[], nowMs: number, formats: Formats): HTMLElement {
  const first = points[0]!;
  const highest = Math.max(1, ...points.map(({ zatoshi }) => zatoshi));
  const step = niceStep(highest);
  const ceiling = Math.ceil(highest / step) * step;
  const span = Math.max(1, nowMs - first.atMs);
  const x = (atMs: number): number => ((atMs - first.atMs) / span) * WIDTH;
  const y = (zatoshi: number): number => BOTTOM - (Math.max(0, zatoshi) / ceiling) * (BOTTOM - TOP);
  const round = (value: number): string => value.toFixed(1);
  const shown = thinned(points, COLUMNS);
  const line = shown
    .map(({ atMs, zatoshi }, index) =>
      index === 0 ? `M${round(x(atMs))} ${round(y(zatoshi))}` : `H${round(x(atMs))}V${round(y(zatoshi))}`,
    )
    .join('');
  const path = `${line}H${WIDTH}`;
  const lines = Array.from({ length: Math.round(ceiling / step) + 1 }, (_, index) => index * step);
  return h(
    'figure',
    { class: 'chart' },
    h(
      'div',
      { class: 'chart-area' },
      svg(
        'svg',
        {
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
          preserveAspectRatio: 'none',
          'aria-hidden': 'true',
          focusable: 'false',
        },
        lines.map((value) => svg('path', { class: 'grid', d: `M0 ${round(y(value))}H${WIDTH}` })),
        svg('path', { class: 'area', d: `${path}V${BOTTOM}H0Z` }),
        svg('path', { class: 'line', d: path }),
      ),
      h(
        'div',
        { class: 'chart-values', 'aria-hidden': 'true' },
        lines.map((value) => {
          const label = h('span', {}, formats.axis(value, step));
          label.style.top = `${((y(value) / HEIGHT) * 100).toFixed(2)}%`;
          return label;
        }),
      ),
    ),
    h(
      'div',
      { class: 'chart-days', 'aria-hidden': 'true' },
      h('span', {}, formats.day(first.atMs)),
      h('span', {}, formats.day(nowMs)),
    ),
    table(points, formats),
  );
}

function table(points: readonly Point[], formats: Formats): HTMLElement {
  const rows = points.slice(1).reverse().slice(0, TABLE_ROWS);
  return h(
    'details',
    {},
    h('summary', {}, 'The same as a table'),
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, 'When'),
          h('th', { scope: 'col', class: 'number' }, 'Balance after it'),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map(({ atMs, zatoshi }) =>
          h(
            'tr',
            {},
            h('td', {}, formats.moment(atMs)),
            h('td', { class: 'number' }, formats.amountText(zatoshi)),
          ),
        ),
      ),
    ),
  );
}
