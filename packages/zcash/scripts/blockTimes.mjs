// Writes src/zcash/blockTimeTable.ts from test/fixtures/main-chain-times.csv: heights of the main chain and their
// blocks' times (Unix seconds), facts that any node tells (getblockheader), here those of the checkpoints that mobile
// wallets publish. `--print` prints instead. Newer rows in that file, and a run, bring the table up to date.
//
// Rows are left out as long as two neighbours stay within nine days. Where the facts are further apart than twelve, as
// they are before Blossom, points are put between them on a straight line, and one day later than it: the chain strayed
// less than an hour from such lines wherever there are facts to tell, which a test holds.
import { readFileSync, writeFileSync } from 'node:fs';

const FACTS = new URL('../test/fixtures/main-chain-times.csv', import.meta.url);
const TABLE = new URL('../src/zcash/blockTimeTable.ts', import.meta.url);
const DAY = 86_400;
const HOUR = 3_600;
const CLOSE = 9 * DAY;
const TOO_FAR = 12 * DAY;
const MARGIN = DAY;
const LINE = 118;

const facts = readFileSync(FACTS, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',').map(Number));

const thinned = [...facts];
for (let i = 1; i < thinned.length - 1; ) {
  if (thinned[i + 1][1] - thinned[i - 1][1] <= CLOSE) thinned.splice(i, 1);
  else i += 1;
}

const filled = thinned.flatMap(([height, time], i) => {
  const [nextHeight, nextTime] = thinned[i + 1] ?? [height, time];
  const parts = nextTime - time > TOO_FAR ? Math.ceil((nextTime - time) / CLOSE) : 1;
  const between = Array.from({ length: parts - 1 }, (_, k) => {
    const share = (k + 1) / parts;
    const at = height + Math.floor((nextHeight - height) * share);
    return [at, time + Math.ceil((nextTime - time) * share) + MARGIN];
  });
  return [[height, time], ...between];
});

const hours = filled.map(([height, time]) => [height, Math.ceil(time / HOUR)]);
const steps = hours.slice(1).map(([height, hour], i) => `${height - hours[i][0]}/${hour - hours[i][1]}`);

const lines = [''];
for (const step of steps) {
  const line = lines.at(-1);
  if (line.length + 1 + step.length > LINE) lines.push(step);
  else lines[lines.length - 1] = line === '' ? step : `${line} ${step}`;
}

const text = `// When the blocks of the main chain were made, about one in a week. Written by scripts/blockTimes.mjs, which says from
// what.

export const FIRST_BLOCK_TIME = { height: ${hours[0][0]}, hour: ${hours[0][1]} } as const;

/** From each block to the next: blocks/hours. No block is younger than the hour (since 1970) that it adds up to. */
export const BLOCK_TIME_STEPS = \`
${lines.join('\n')}
\`;
`;
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(TABLE, text);
