// Scanned, missing and not yet reached blocks as bars: one for each year, or one in all where no dates are known. The
// same figures are beside them in words.

import { type HeightRange, type Stretch, scannedPart } from '../../model/coverage.ts';
import type { Year } from '../../model/years.ts';
import { useApp } from './app.ts';

const WIDTH = 1000;
/** A gap of one block among millions must be visible. */
const THINNEST = 6;

const NAMES = { scanned: 'scanned', missing: 'missing', ahead: 'not reached yet' } as const;

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

interface MapProps {
  known: readonly Stretch[];
  years: readonly Year[] | undefined;
}

export function CoverageMap({ known, years }: MapProps) {
  const { formats } = useApp();
  const whole = { start_height: known[0]?.start_height ?? 0, end_height: known.at(-1)?.end_height ?? 0 };
  return (
    <div class="coverage">
      {years === undefined ? (
        <>
          <Bar known={known} whole={whole} />
          <div class="ends" aria-hidden="true">
            <span>{formats.count(whole.start_height)}</span>
            <span>{formats.count(whole.end_height)}</span>
          </div>
        </>
      ) : (
        <ol class="years" aria-label="By year">
          {years.map((year) => (
            <li key={year.year}>
              <span>{year.year}</span>
              <Bar known={year.stretches} whole={year} />
              <span class="number">{formats.percent(scannedPart(year.stretches))}</span>
            </li>
          ))}
        </ol>
      )}
      <p class="legend" aria-hidden="true">
        {(['scanned', 'missing', 'ahead'] as const).map((state) => (
          <span key={state} class={`key ${state}`}>
            {NAMES[state]}
          </span>
        ))}
      </p>
    </div>
  );
}
