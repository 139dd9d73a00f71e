// `npm run test:full`: what `npm test` holds once, repeated at length: random schedules, failing files, tampered PCZTs, each
// attack from each name. These are the tests that ask the helper atLength.ts how far to go, or through a helper of theirs.
import { readdirSync, readFileSync } from 'node:fs';
import { PACKAGES } from './packages.mjs';
import { buildAndRunAva } from './runAva.mjs';
import { testFiles } from './testFiles.mjs';

const helpers = ['test', ...PACKAGES.map((root) => `${root}/test`)]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .filter((file) => /\/atLength(?:\.ts)?'/.test(readFileSync(file, 'utf8')))
  .map((file) => file.replace(/^.*[\\/]|\.ts$/g, ''));

process.env.WALLET_COMPANION_AT_LENGTH = '1';
await buildAndRunAva([...process.argv.slice(2), ...testFiles(['atLength', ...helpers])]);
