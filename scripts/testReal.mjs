// `npm run test:real`: the suite against a real zebrad. Installs it once into a cache folder (scripts/realNode.mjs).
import { installRealNode } from './realNode.mjs';
import { buildAndRunAva } from './runAva.mjs';

installRealNode();
await buildAndRunAva(['--config', 'ava.real.config.mjs', ...process.argv.slice(2)]);
