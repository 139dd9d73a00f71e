// How long things take that somebody waits for: the next block, a long quiet stretch, and answers of other routes while a
// scan runs. What the columns mean: docs/performance.md.
//
//   npm run bench answers -- [--parts next,quiet,far,routes] [--turns 30] [--blocks 100000]
//     [--far-blocks 6000] [--round-trip 100] [--shapes LIST] [--source LIST]
//     [--scale 0.5] [--scans 2] [--profiles DIR]

import { type Row, tableOf } from '#shielded-bench/table';
import { measureFarServer } from './answers/farServer.ts';
import { measureNextBlock } from './answers/nextBlock.ts';
import { measureOtherRoutes } from './answers/otherRoutes.ts';
import { measureQuietBlocks } from './answers/quietBlocks.ts';
import { listOption, numberOption, option } from './options.ts';
import { SHAPES, type ShapeName } from './sync/shapes.ts';

const PARTS = ['next', 'quiet', 'far', 'routes'] as const;
const SOURCES = ['node', 'store'] as const;
const NAMES: readonly ShapeName[] = SHAPES.map(({ name }) => name);

export async function run(): Promise<void> {
  const parts = listOption('parts', PARTS);
  console.log(`Node ${process.version}`);
  if (parts.includes('next')) {
    console.log('\nan open wallet follows one block');
    console.log(tableOf(await measureNextBlock(numberOption('turns', 30))));
  }
  if (parts.includes('quiet')) {
    console.log('\nquiet blocks from the store, the first scan of a process');
    console.log(tableOf([await measureQuietBlocks(numberOption('blocks', 100_000))]));
  }
  if (parts.includes('far')) {
    console.log('\nsmall blocks from a compact server far away, the first scan of a process');
    const [blocks, roundTripMs] = [numberOption('far-blocks', 6_000), numberOption('round-trip', 100)];
    console.log(tableOf([await measureFarServer(blocks, roundTripMs)]));
  }
  if (parts.includes('routes')) await otherRoutes();
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
