// Lets one operation after the other lose its power and reports: each message names a scenario, an empty folder, the number of
// disks and a seed. Started in an environment of faultyFiles.ts.

import { FaultyFiles } from '../support/faultyFiles.ts';
import { losePower } from '../support/powerLosses.ts';
import { SCENARIOS } from '../support/scenarios.ts';

const files = new FaultyFiles();
process.on('message', async (message) => {
  const { name, room, ...order } = message as { name: string; room: string; most: number; seed: number };
  process.send?.(await losePower(files, SCENARIOS[name]!, room, order));
});
process.on('disconnect', () => process.exit());
