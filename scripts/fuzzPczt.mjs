// `node scripts/fuzzPczt.mjs [runs of each stage] [words of its title] [seed]` after a build: tampers with the stages of the
// PCZT vectors. A line for each stage: how many were still readable, and the memory after the first tenth and at the end.
import { fuzzedStages, fuzzStage } from '../packages/pczt/dist/test/helpers/pcztFuzzing.js';

const [runs = '100000', words = '', seed = '1'] = process.argv.slice(2);
for (const stage of fuzzedStages().filter(({ title }) => title.includes(words))) {
  const started = performance.now();
  const { title, read, resident, heap } = fuzzStage(stage, Number(runs), Number(seed));
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${title}: ${runs} mutations, ${read} read, resident ${resident.join(' -> ')} MiB, held ${heap.join(' -> ')} MiB, ${seconds} s`,
  );
}
