// The balance over time as a step line: between two transactions nothing changes. A table has the same figures, for
// users who cannot see a line.

import { useLayoutEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { Point } from '../../model/history.ts';
import { formats, store } from '../live/app.ts';
import { Details, Table } from './layout.tsx';

const HEIGHT = 220;
const TABLE_ROWS = 20;
const LETTER_WIDTH = 7;
/** Without 2.5, which would need another digit. */
const STEPS = Array.from({ length: 17 }, (_, power) =>
  [1, 2, 5].map((factor) => factor * 10 ** power),
).flat();

export function Chart({ points }: { points: readonly Point[] }) {
  const place = useRef<HTMLDivElement>(null);
  const theme = store.config?.theme;
  useLayoutEffect(() => {
    const at = place.current!;
    const last = points.at(-1)!;
    const steps = [...points, { ...last, atMs: Math.max(Date.now(), last.atMs) }];
    const data: UPlot.AlignedData = [steps.map(({ atMs }) => atMs / 1000), steps.map((one) => one.zatoshi)];
    const plot = new UPlot(optionsFor(at), data, at);
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
        <Table heads={['When', 'Balance after it']} numbers={1}>
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
function optionsFor(at: HTMLElement): UPlot.Options {
  const colour = (property: 'color' | 'fill' | 'stroke') => () => getComputedStyle(at)[property];
  const line = { stroke: colour('stroke'), fill: colour('fill'), width: 2, points: { show: false } };
  const paths = UPlot.paths.stepped!({ align: 1 });
  const axis = (text: (tick: number, step: number) => string): UPlot.Axis => ({
    stroke: colour('color'),
    font: '12px system-ui, sans-serif',
    ticks: { show: false },
    values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => text(tick, step)),
  });
  const dates = axis((tick, step) => formats.date(tick * 1000, step));
  const amounts = axis((tick, step) => formats.axis(tick, step));
  const width: UPlot.Axis.Size = (_plot, labels) =>
    Math.max(...(labels ?? ['']).map(({ length }) => length)) * LETTER_WIDTH + 14;
  return {
    width: at.clientWidth,
    height: HEIGHT,
    cursor: { y: false, drag: { setScale: false } },
    hooks: { ready: [showLast], setCursor: [showLast] },
    scales: { y: { range: (_plot, _lowest, highest) => [0, Math.max(1, highest) * 1.05] } },
    series: [
      { label: 'When', value: (_, seconds) => (seconds === null ? '' : formats.moment(seconds * 1000)) },
      { label: 'Balance', value: (_, one) => (one === null ? '' : formats.amountText(one)), ...line, paths },
    ],
    axes: [
      { ...dates, grid: { show: false }, size: 32, space: 80 },
      { ...amounts, grid: { stroke: colour('color'), width: 0.25 }, incrs: STEPS, size: width },
    ],
  };
}

/** The legend has the newest figures while the pointer is elsewhere. */
function showLast(plot: UPlot): void {
  if (plot.cursor.idx == null) plot.setLegend({ idx: plot.data[0].length - 1 }, false);
}
