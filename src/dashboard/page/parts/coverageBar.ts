// Scanned, missing and not yet reached blocks as one bar; the figures stand below it in words.

import type { Formats } from '../../model/amounts.ts';
import type { Stretch } from '../../model/coverage.ts';
import { h, svg } from './dom.ts';

const WIDTH = 1000;
/** A hole of one block among millions must be seen. */
const THINNEST = 4;

const NAMES = { scanned: 'scanned', missing: 'missing', ahead: 'not reached yet' } as const;

export function coverageBar(known: readonly Stretch[], formats: Formats): HTMLElement {
  const first = known[0]?.start_height ?? 0;
  const last = known.at(-1)?.end_height ?? 0;
  const all = Math.max(1, last - first + 1);
  const x = (height: number): number => ((height - first) / all) * WIDTH;
  const drawn = [...known].sort((a, b) => Number(a.state === 'missing') - Number(b.state === 'missing'));
  return h(
    'div',
    { class: 'coverage' },
    svg(
      'svg',
      { viewBox: `0 0 ${WIDTH} 20`, preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' },
      drawn.map(({ state, start_height, end_height }) => {
        const width = Math.max(state === 'missing' ? THINNEST : 0, x(end_height + 1) - x(start_height));
        return svg('rect', {
          class: state,
          x: Math.min(x(start_height), WIDTH - width),
          y: 0,
          width,
          height: 20,
        });
      }),
    ),
    h(
      'div',
      { class: 'chart-days', 'aria-hidden': 'true' },
      h('span', {}, formats.count(first)),
      h('span', {}, formats.count(last)),
    ),
    h(
      'p',
      { class: 'legend', 'aria-hidden': 'true' },
      (['scanned', 'missing', 'ahead'] as const).map((state) =>
        h('span', { class: `key ${state}` }, NAMES[state]),
      ),
    ),
  );
}
