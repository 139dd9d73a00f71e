// `npm run test:full`: checks that `npm test` makes once, repeated at length: random schedules, failing files, tampered
// PCZTs, generated payments. A variable that is already set takes precedence.
import { buildAndRunAva } from './runAva.mjs';
import { testFiles } from './testFiles.mjs';

const LENGTHS = {
  WALLET_COMPANION_TRUTH_RUNS: '2000',
  WALLET_COMPANION_CRASH_RUNS: '8',
  WALLET_COMPANION_PCZT_RUNS: '50000',
  WALLET_COMPANION_PAYMENT_RUNS: '300',
};

for (const [name, length] of Object.entries(LENGTHS)) process.env[name] ??= length;
const files = testFiles([
  'truth/schedules',
  'truth/companion',
  'crashes',
  'shielded/pczt/fuzz',
  'shielded/spending/proposalProperties',
  'shielded/spending/builderProperties',
]);
await buildAndRunAva([...process.argv.slice(2), ...files]);
