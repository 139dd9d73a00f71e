// The balance over time as a step line: between two transactions nothing changes. A table has the same figures, for
// users who cannot see a line.

import { useLayoutEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { Formats } from '../../model/amounts.ts';
import type { Point } from '../../model/history.ts';
import { useApp } from './app.ts';
import { Details, Table } from './layout.tsx';

const HEIGHT = 220;
const TABLE_ROWS = 20;
const LETTER_WIDTH = 7;
const FONT = '12px system-ui, sans-serif';
/** Without 2.5, which would need another digit. */
const STEPS = Array.from({ length: 17 }, (_, power) =>
  [1, 2, 5].map((factor) => factor * 10 ** power),
).flat();

export function Chart({ points, nowMs }: { points: readonly Point[]; nowMs: number }) {
  const { formats, store } = useApp();
  const place = useRef<HTMLDivElement>(null);
  const theme = store.config?.theme;
  useLayoutEffect(() => {
    const at = place.current!;
    const steps = [...points, { atMs: nowMs, zatoshi: points.at(-1)!.zatoshi }];
    const data: UPlot.AlignedData = [steps.map(({ atMs }) => atMs / 1000), steps.map((one) => one.zatoshi)];
    const plot = new UPlot(options(at, formats), data, at);
    const size = new ResizeObserver(() => plot.setSize({ width: at.clientWidth, height: HEIGHT }));
    size.observe(at);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => plot.redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      size.disconnect();
      plot.destroy();
    };
  }, [points, theme]);
  const rows = points.slice(1).reverse().slice(0, TABLE_ROWS);
  return (
    <figure class="chart">
      <div class="plot" ref={place} aria-hidden="true" />
      <Details summary="The same as a table">
        <Table heads={['When', 'Balance after it']} numbers={['Balance after it']}>
          {rows.map(({ atMs, zatoshi }, index) => (
            <tr key={index}>
              <td>{formats.moment(atMs)}</td>
              <td class="number">{formats.amountText(zatoshi)}</td>
            </tr>
          ))}
        </Table>
      </Details>
    </figure>
  );
}

/** The colours are those of the style sheet, in the theme of the moment. */
function options(at: HTMLElement, formats: Formats): UPlot.Options {
  const colour = (property: 'color' | 'fill' | 'stroke') => () => getComputedStyle(at)[property];
  const axis = { stroke: colour('color'), font: FONT, ticks: { show: false } };
  return {
    width: at.clientWidth,
    height: HEIGHT,
    cursor: { y: false, points: { size: 8 }, drag: { setScale: false } },
    scales: { y: { range: (_plot, _lowest, highest) => [0, Math.max(1, highest) * 1.05] } },
    series: [
      { label: 'When', value: (_plot, seconds) => (seconds == null ? '' : formats.moment(seconds * 1000)) },
      {
        label: 'Balance',
        value: (_plot, zatoshi) => (zatoshi == null ? '' : formats.amountText(zatoshi)),
        stroke: colour('stroke'),
        fill: colour('fill'),
        width: 2,
        points: { show: false },
        paths: UPlot.paths.stepped!({ align: 1 }),
      },
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 80,
        values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => formats.date(tick * 1000, step)),
      },
      {
        ...axis,
        grid: { stroke: colour('color'), width: 0.25 },
        incrs: STEPS,
        space: 40,
        size: (_plot, labels) =>
          Math.max(...(labels ?? ['']).map(({ length }) => length)) * LETTER_WIDTH + 14,
        values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => formats.axis(tick, step)),
      },
    ],
  };
}
