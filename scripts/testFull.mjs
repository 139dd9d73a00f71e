// `npm run test:full`: what `npm test` holds once, repeated at length: random schedules, failing files, tampered PCZTs,
// made-up payments. A variable that is set already wins.
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
