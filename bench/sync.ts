// A scan as a whole, by shape of traffic and by source: blocks and outputs a second, what each thread takes of the
// processor, on which stage it goes, what the kernel alone would take, and the memory. Notes found and balance are
// checked before a figure counts.
//
//   npm run bench sync -- [--shapes quiet,today,flood,merchant] [--sources node,compact,store,peers,zebrad]
//                         [--workers 1,2] [--scale 0.1] [--no-stages] [--profiles DIR] [--no-complete]
//                         [--peer [--turns 3]] [--skip-emptied]
//
// Columns and how they are measured: docs/inside/performance.md. Another Node's figures: run it with that Node.
import path from 'node:path';
import { type Row, tableOf } from '@wallet-companion/kernel/bench/table';
import { kernelSeconds, measureKernel } from './chains/kernelFigure.ts';
import { flag, listOption, numberOption, option } from './options.ts';
import { comparePeer } from './sync/comparePeer.ts';
import { factsOf, preparedChain } from './sync/preparedChain.ts';
import { saturation } from './sync/saturation.ts';
import {
  type CaseOptions,
  cpuOf,
  measureCase,
  profileCase,
  type Scan,
  type SourceName,
} from './sync/scanCase.ts';
import { serve } from './sync/serving.ts';
import { SHAPES, type ShapeName } from './sync/shapes.ts';
import { byStage, STAGES, type Stage, shares } from './sync/stages.ts';
import { HELPERS } from './sync/threadTimes.ts';
import { measureZebrad } from './sync/zebrad.ts';

const SOURCES = ['node', 'compact', 'store', 'peers', 'zebrad'] as const satisfies readonly (
  | SourceName
  | 'zebrad'
)[];
const SHAPE_NAMES: readonly ShapeName[] = SHAPES.map(({ name }) => name);

export async function run(): Promise<void> {
  const shapes = listOption('shapes', SHAPE_NAMES);
  const named = listOption('sources', SOURCES);
  const sources = named.filter((source) => source !== 'zebrad');
  const workerCounts = (option('workers') ?? '1,2').split(',').map(Number);
  const scale = numberOption('scale', 1);
  const complete = !flag('no-complete');
  const kernel = await measureKernel();
  console.log(
    `Node ${process.version}; the ${kernel.variant} kernel alone, us per output with two viewing keys: Sapling ${kernel.sapling.toFixed(1)}, Orchard ${kernel.orchard.toFixed(1)}`,
  );
  const wanted = sources.length > 0 || flag('peer') ? shapes : [];
  for (const shape of SHAPES.filter(({ name }) => wanted.includes(name))) {
    const folder = preparedChain(shape, Math.max(10, Math.round(shape.blocks * scale)));
    const facts = factsOf(folder);
    console.log(
      `\n${shape.name}: ${shape.what}; ${facts.blocks.length - 1} blocks, ${facts.outputs} outputs, ${facts.notes} notes of ours`,
    );
    const servers = await serve(new URL('sync/serverProcess.js', import.meta.url), folder);
    try {
      const alone = kernelSeconds(kernel, facts.blocks.at(-1)!.treeSizes);
      const figures: Row[] = [];
      const stages: Row[] = [];
      const saturated: Row[] = [];
      for (const source of sources) {
        for (const workers of workerCounts) {
          const options = { servers, facts, source, workers, complete };
          for (const scan of await measureCase(options)) {
            figures.push(figureRow(options, scan, alone));
            const which = scan.first ? 'first' : 'again';
            if (workers === Math.max(...workerCounts))
              saturated.push({ source, scan: which, ...saturation(scan, facts.blocks.length - 1) });
          }
          if (!flag('no-stages')) stages.push(...(await stageRows(shape.name, options)));
        }
      }
      if (figures.length > 0) console.log(tableOf(figures));
      if (saturated.length > 0)
        console.log(`\nblocks/s with more workers, by simulation\n${tableOf(saturated)}`);
      if (stages.length > 0) console.log(`\n% of each thread's time under the profiler\n${tableOf(stages)}`);
      if (flag('peer'))
        console.log(`\n${tableOf(await comparePeer(servers, facts, complete, numberOption('turns', 3)))}`);
    } finally {
      servers.stop();
    }
  }
  if (named.includes('zebrad')) {
    console.log('\nzebrad: blocks that it made itself, all but a few with nothing in them for a wallet');
    const rows = await measureZebrad(Math.max(...workerCounts));
    if (rows === undefined) console.log('not installed; npm run test:real installs it');
    else console.log(tableOf(rows));
  }
}

function figureRow({ facts, source, workers }: CaseOptions, scan: Scan, kernelAlone: number): Row {
  const cpu = cpuOf(scan);
  const seconds = (role: string): string => (scan.cpu[role] ?? 0).toFixed(2);
  return {
    source,
    workers,
    scan: scan.first ? 'first' : 'again',
    'blocks/s': Math.round((facts.blocks.length - 1) / scan.seconds),
    'outputs/s': Math.round(facts.outputs / scan.seconds),
    'CPU us/output': Math.round((cpu * 1e6) / facts.outputs),
    'CPU s': cpu.toFixed(2),
    main: seconds('main'),
    wallet: seconds('wallet'),
    chain: seconds('chain'),
    scanning: seconds('scan'),
    helpers: seconds(HELPERS),
    'kernel alone %': Math.round((100 * kernelAlone) / cpu),
    'peak RSS MiB': scan.peakMebibytes,
  };
}

/** Percent of each thread's time by stage; `all` weighs the threads by their processor time. */
async function stageRows(shape: string, options: CaseOptions): Promise<Row[]> {
  const { source, workers } = options;
  const kept = option('profiles');
  const { cpu, times } = await profileCase(
    options,
    kept === undefined ? undefined : path.join(kept, `${shape}-${source}-${workers}`),
  );
  const all = byStage(() => 0);
  const row = (thread: string, seconds: number, parts: Readonly<Record<Stage, number>>): Row => ({
    source,
    workers,
    thread,
    'CPU s': seconds.toFixed(2),
    ...byStage((stage) => (100 * parts[stage]).toFixed(1)),
  });
  const rows = [...times].map(([thread, spent]) => {
    const seconds = cpu[thread] ?? 0;
    const parts = shares(spent);
    for (const stage of STAGES) all[stage] += seconds * parts[stage];
    return row(thread, seconds, parts);
  });
  const whole = Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);
  const percent = byStage((stage) => all[stage] / whole);
  const helpers = (100 * (cpu[HELPERS] ?? 0)) / whole;
  return [...rows, { ...row('all', whole, percent), [HELPERS]: helpers.toFixed(1) }];
}
