// Scanned, missing and not yet reached blocks as bars: one for each year, or one in all where no dates are known. The
// same figures are beside them in words.

import type { Formats } from '../../model/amounts.ts';
import { blocksOf, type HeightRange, type Stretch } from '../../model/coverage.ts';
import type { Year } from '../../model/years.ts';
import { h, svg } from './dom.ts';

const WIDTH = 1000;
/** A gap of one block among millions must be visible. */
const THINNEST = 6;

const NAMES = { scanned: 'scanned', missing: 'missing', ahead: 'not reached yet' } as const;

function bar(known: readonly Stretch[], whole: HeightRange): SVGSVGElement {
  const all = Math.max(1, whole.end_height - whole.start_height + 1);
  const x = (height: number): number => ((height - whole.start_height) / all) * WIDTH;
  // Missing ranges are drawn last, over their neighbours.
  const drawn = [...known].sort((a, b) => Number(a.state === 'missing') - Number(b.state === 'missing'));
  return svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} 20`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
      focusable: 'false',
    },
    drawn.map(({ state, start_height, end_height }) => {
      const width = Math.max(state === 'missing' ? THINNEST : 0, x(end_height + 1) - x(start_height));
      const left = Math.max(0, Math.min(x(start_height), WIDTH - width));
      return svg('rect', { class: state, x: left, y: 0, width, height: 20 });
    }),
  );
}

export function coverageMap(
  known: readonly Stretch[],
  years: readonly Year[] | undefined,
  formats: Formats,
): HTMLElement {
  const first = known[0]?.start_height ?? 0;
  const last = known.at(-1)?.end_height ?? 0;
  return h(
    'div',
    { class: 'coverage' },
    years === undefined
      ? [
          bar(known, { start_height: first, end_height: last }),
          h(
            'div',
            { class: 'chart-days', 'aria-hidden': 'true' },
            h('span', {}, formats.count(first)),
            h('span', {}, formats.count(last)),
          ),
        ]
      : h(
          'ol',
          { class: 'years', 'aria-label': 'By year' },
          years.map((year) => yearRow(year, formats)),
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

function yearRow(year: Year, formats: Formats): HTMLElement {
  const all = blocksOf(year.stretches, 'scanned', 'missing', 'ahead');
  const part = all === 0 ? 1 : blocksOf(year.stretches, 'scanned') / all;
  return h(
    'li',
    {},
    h('span', {}, String(year.year)),
    bar(year.stretches, year),
    h('span', { class: 'number' }, formats.percent(part)),
  );
}
