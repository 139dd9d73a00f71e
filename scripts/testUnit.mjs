// `npm run test:unit`: the tests that are computation alone, without sockets, threads and databases.
import { spawnSync } from 'node:child_process';
import { closingLine, runAva } from './runAva.mjs';

const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] });
if (build.status !== 0) process.exit(build.status ?? 1);
const result = await runAva(['--config', 'ava.unit.config.mjs', ...process.argv.slice(2)]);
console.log(closingLine(result));
process.exit(result.status);
