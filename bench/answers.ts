// How long things take that somebody waits for: the next block, a long quiet stretch, and answers of other routes while a
// scan runs. What the columns mean: docs/inside/performance.md.
//
//   npm run bench answers -- [--parts next,long,month,far,routes] [--turns 30] [--blocks N] [--long quiet,now] [--from compact,store]
//     [--far-blocks 6000] [--round-trip 100] [--shapes LIST] [--source LIST]
//     [--scale 0.5] [--scans 2] [--profiles DIR]

import { type Row, tableOf } from '@wallet-companion/kernel/bench/table';
import { measureAfterAMonth } from './answers/afterAMonth.ts';
import { measureFarServer } from './answers/farServer.ts';
import { LONG, type LongName } from './answers/longPlan.ts';
import { measureLongStretch } from './answers/longStretch.ts';
import { measureNextBlock } from './answers/nextBlock.ts';
import { measureOtherRoutes } from './answers/otherRoutes.ts';
import { measureKernel } from './chains/kernelFigure.ts';
import { listOption, numberOption, option } from './options.ts';
import { SHAPES, type ShapeName } from './sync/shapes.ts';

const PARTS = ['next', 'long', 'month', 'far', 'routes'] as const;
const LONG_NAMES = Object.keys(LONG) as LongName[];
const SOURCES = ['node', 'store'] as const;
const STRETCH_SOURCES = ['compact', 'store'] as const;
const NAMES: readonly ShapeName[] = SHAPES.map(({ name }) => name);

export async function run(): Promise<void> {
  const parts = listOption('parts', PARTS);
  console.log(`Node ${process.version}`);
  if (parts.includes('next')) {
    console.log('\nan open wallet follows one block');
    console.log(tableOf(await measureNextBlock(numberOption('turns', 30))));
  }
  if (parts.includes('long')) await longStretches();
  if (parts.includes('month')) await afterAMonth();
  if (parts.includes('far')) {
    console.log('\nsmall blocks from a compact server far away, the first scan of a process');
    const [blocks, roundTripMs] = [numberOption('far-blocks', 6_000), numberOption('round-trip', 100)];
    console.log(tableOf([await measureFarServer(blocks, roundTripMs)]));
  }
  if (parts.includes('routes')) await otherRoutes();
}

async function longStretches(): Promise<void> {
  console.log('\nmany blocks with little in them, the first scan of a process');
  const kernel = await measureKernel();
  const rows: Row[] = [];
  for (const name of listOption('long', LONG_NAMES))
    for (const source of listOption('from', STRETCH_SOURCES))
      rows.push(
        await measureLongStretch(name, numberOption('blocks', LONG[name].blocks), source === 'store', kernel),
      );
  console.log(tableOf(rows));
}

async function afterAMonth(): Promise<void> {
  const { scan, preparations } = await measureAfterAMonth(numberOption('blocks', LONG.now.blocks));
  console.log(`\na month since NU7, the first scan\n${tableOf([scan])}`);
  console.log(`\na payment of two notes is prepared after it\n${tableOf(preparations)}`);
}

async function otherRoutes(): Promise<void> {
  const latencies: Row[] = [];
  const turns: Row[] = [];
  const shapes = listOption('shapes', NAMES);
  for (const shape of SHAPES.filter(({ name }) => shapes.includes(name))) {
    for (const source of listOption('source', SOURCES)) {
      const figures = await measureOtherRoutes({
        shape,
        source,
        blocks: Math.max(10, Math.round(shape.blocks * numberOption('scale', 0.5))),
        scans: numberOption('scans', 2),
        profiles: option('profiles'),
      });
      latencies.push(...figures.latencies);
      turns.push(figures.turns);
    }
  }
  console.log(`\nother routes while a scan runs\n${tableOf(latencies)}`);
  console.log(`\nlongest turns of the event loops, ms of processor time\n${tableOf(turns)}`);
}
