// `npm run test:full`: what `npm test` holds once, repeated at length: random schedules, failing files, tampered PCZTs, each
// attack from each name. These are the tests that ask the helper atLength.ts how far to go.
import { buildAndRunAva } from './runAva.mjs';
import { testFiles } from './testFiles.mjs';

process.env.WALLET_COMPANION_AT_LENGTH = '1';
await buildAndRunAva([...process.argv.slice(2), ...testFiles(['atLength'])]);
