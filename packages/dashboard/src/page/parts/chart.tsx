// The balance over time as a step line: between two transactions nothing changes. A table has the same figures, for
// users who cannot see a line.

import { useLayoutEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { Point } from '../../model/transactions.ts';
import { overviewTexts } from '../../texts/overview.ts';
import { formats, store } from '../live/app.ts';
import { Actions, Details, Table } from './layout.tsx';

const HEIGHT = 220;
const TABLE_ROWS = 20;
const LETTER_WIDTH = 7;
/** Without 2.5, which would need another digit. */
const STEPS = Array.from({ length: 17 }, (_, power) =>
  [1, 2, 5].map((factor) => factor * 10 ** power),
).flat();

export function Chart({ points }: { points: readonly Point[] }) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<View | null>(null);
  const theme = store.config?.theme;
  useLayoutEffect(() => {
    const at = place.current!;
    const last = points.at(-1)!;
    const steps = [...points, { zatoshi: last.zatoshi, atMs: Math.max(Date.now(), last.atMs) }];
    const data: UPlot.AlignedData = [steps.map(({ atMs }) => atMs / 1000), steps.map((one) => one.zatoshi)];
    const plot = new UPlot(optionsFor(at, steps), data, at);
    view.current = new View(plot);
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
  const texts = overviewTexts();
  const rows = points.slice(1).reverse().slice(0, TABLE_ROWS);
  const press = (event: KeyboardEvent) => {
    const by = KEYS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    view.current?.step(by);
  };
  return (
    <figure class="chart">
      <div
        class="plot"
        ref={place}
        role="application"
        aria-label={texts.chartKeys}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys are those of an application.
        tabIndex={0}
        onKeyDown={press}
      />
      <Actions>
        {ZOOMS.map(([name, factor]) => (
          <button
            key={name}
            type="button"
            class="quiet small"
            onClick={() => view.current?.zoom(factor)}
            children={texts[name]}
          />
        ))}
      </Actions>
      <Details summary={texts.asTable}>
        <Table heads={[texts.when, texts.balanceAfter]} numbers={1}>
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

const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};
const ZOOMS = [
  ['zoomIn', 1 / 2],
  ['zoomOut', 2],
  ['showAll', Infinity],
] as const;

/** What a pointer does by moving and dragging, for keys and buttons. */
class View {
  readonly #plot: UPlot;

  constructor(plot: UPlot) {
    this.#plot = plot;
  }

  get #times(): readonly number[] {
    return this.#plot.data[0] as readonly number[];
  }

  /** To another change, which the window follows. Changes of one moment have one place, so the legend has the number of this one. */
  step(by: number): void {
    const plot = this.#plot;
    const at = plot.legend.idx ?? this.#times.length - 1;
    const idx = Math.min(Math.max(at + by, 0), this.#times.length - 1);
    const time = this.#times[idx]!;
    const { min = time, max = time } = plot.scales['x'] as { min?: number; max?: number };
    if (time < min || time > max) this.#show(time, max - min);
    queueMicrotask(() => {
      plot.setCursor({ left: plot.valToPos(time, 'x'), top: 0 });
      plot.setLegend({ idx }, false);
    });
  }

  /** Around the change that the legend has. */
  zoom(factor: number): void {
    const { min = 0, max = 0 } = this.#plot.scales['x'] as { min?: number; max?: number };
    const at = this.#times[this.#plot.legend.idx ?? 0]!;
    this.#show(Math.min(Math.max(at, min), max), (max - min) * factor);
  }

  #show(middle: number, width: number): void {
    const first = this.#times[0]!;
    const last = this.#times.at(-1)!;
    const min = Math.max(first, Math.min(middle - width / 2, last - width));
    this.#plot.setScale('x', { min, max: Math.min(last, Math.max(middle + width / 2, first + width)) });
  }
}

/** The colours are those of the style sheet, in the theme of the moment. */
function optionsFor(at: HTMLElement, steps: readonly Point[]): UPlot.Options {
  const texts = overviewTexts();
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
    cursor: { y: false },
    hooks: { ready: [showLast], setCursor: [showLast] },
    scales: { y: { range: (_plot, _lowest, highest) => [0, Math.max(1, highest) * 1.05] } },
    series: [
      {
        label: texts.when,
        value: (_plot, _seconds, _series, index) => when(index === null ? undefined : steps[index]),
      },
      {
        label: texts.balance,
        value: (_, one) => (one === null ? '' : formats.amountText(one)),
        ...line,
        paths,
      },
    ],
    axes: [
      { ...dates, grid: { show: false }, size: 32, space: 80 },
      { ...amounts, grid: { stroke: colour('color'), width: 0.25 }, incrs: STEPS, size: width },
    ],
  };
}

const when = (step: Point | undefined): string =>
  step === undefined
    ? ''
    : step.height === undefined
      ? formats.moment(step.atMs)
      : overviewTexts().atBlock(formats.moment(step.atMs), formats.count(step.height));

/** The legend has the newest figures while the pointer is elsewhere. */
function showLast(plot: UPlot): void {
  if (plot.cursor.idx == null) plot.setLegend({ idx: plot.data[0].length - 1 }, false);
}
