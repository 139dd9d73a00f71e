// `npm run test:real`: the suite against a real zebrad. Installs it once into a cache folder (scripts/realNode.mjs).
import { spawnSync } from 'node:child_process';
import { installRealNode } from './realNode.mjs';
import { closingLine, runAva } from './runAva.mjs';

installRealNode();
const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] });
if (build.status !== 0) process.exit(build.status ?? 1);
const result = await runAva(['--config', 'ava.real.config.mjs', ...process.argv.slice(2)]);
console.log(closingLine(result));
process.exit(result.status);
