// Interrupts one operation after the other in all ways and reports: each message names a scenario, an empty folder and the kinds. The
// argument: most runs of a kind. Started in an environment of faultyFiles.ts.

import { FaultyFiles } from '../support/faultyFiles.ts';
import { Interruptions } from '../support/interruptions.ts';
import { SCENARIOS } from '../support/scenarios.ts';

const most = Number(process.argv[2]);
const files = new FaultyFiles();
process.on('message', async (message) => {
  const { name, room, kinds } = message as { name: string; room: string; kinds: readonly string[] };
  process.send?.(await new Interruptions(files, SCENARIOS[name]!, room, most, kinds).run());
});
process.on('disconnect', () => process.exit());
