// Interrupts one operation in all ways and reports. Arguments: scenario, an empty folder, most runs of a kind. Started
// in an environment of faultyFiles.ts.

import { FaultyFiles } from '../support/faultyFiles.ts';
import { Interruptions } from '../support/interruptions.ts';
import { SCENARIOS } from '../support/scenarios.ts';

const [name = '', room = '', most = ''] = process.argv.slice(2);
const report = await new Interruptions(new FaultyFiles(), SCENARIOS[name]!, room, Number(most)).run();
process.send?.(report, () => process.exit(0));
