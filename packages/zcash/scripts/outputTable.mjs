// Writes src/zcash/outputTable.ts from test/fixtures/main-chain-outputs.csv: how many outputs and actions each pool of
// the main chain held up to and including a block. Facts that any node tells (`getblock`, tree sizes), here counted from the
// note commitment trees in the checkpoints that mobile wallets publish. `--print` prints instead. Newer rows in that
// file, and a run, bring the table up to date.
//
// Rows are left out as long as a straight line stays within 150,000 outputs of all of them: a thousandth of the chain.
import { readFileSync, writeFileSync } from 'node:fs';

const FACTS = new URL('../test/fixtures/main-chain-outputs.csv', import.meta.url);
const TABLE = new URL('../src/zcash/outputTable.ts', import.meta.url);
const STRAY = 150_000;
const LINE = 118;

const facts = readFileSync(FACTS, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [height, , ...pools] = line.split(',').map(Number);
    return [height, pools.reduce((sum, count) => sum + count, 0)];
  });

/** Both ends, and between them whatever lies too far from the line. */
function thinned(rows) {
  const [first, last] = [rows[0], rows.at(-1)];
  const slope = (last[1] - first[1]) / (last[0] - first[0]);
  const stray = rows.map(([height, outputs]) => Math.abs(first[1] + (height - first[0]) * slope - outputs));
  const worst = stray.indexOf(Math.max(...stray));
  if (stray[worst] <= STRAY) return [first, last];
  return [...thinned(rows.slice(0, worst + 1)), ...thinned(rows.slice(worst)).slice(1)];
}

// The end of the table says what comes after it: the last era is kept apart from those before.
const LAST_ERA = 2_600_000;
const era = facts.findIndex(([height]) => height >= LAST_ERA);
const recent = facts.findLastIndex(([height]) => height <= facts.at(-1)[0] - 20_000);
const rows = [
  [0, era],
  [era, recent],
  [recent, facts.length - 1],
].flatMap(([from, to], i) => thinned(facts.slice(from, to + 1)).slice(i === 0 ? 0 : 1));
const steps = rows.slice(1).map(([height, outputs], i) => `${height - rows[i][0]}/${outputs - rows[i][1]}`);

const lines = [''];
for (const step of steps) {
  const line = lines.at(-1);
  if (line.length + 1 + step.length > LINE) lines.push(step);
  else lines[lines.length - 1] = line === '' ? step : `${line} ${step}`;
}

const text = `// How many shielded outputs the main chain has, era by era. Written by scripts/outputTable.mjs, which says from what.

export const FIRST_OUTPUT_HEIGHT = ${rows[0][0]};

/** From each block to the next: blocks/outputs and actions of all pools together. */
export const OUTPUT_STEPS = \`
${lines.join('\n')}
\`;
`;

if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(TABLE, text);
