// `npm run test:real`: the suite against a real zebrad and the reference's PCZT tool. Installs both once into a
// cache folder (scripts/realNode.mjs, pcztTool.mjs).
import { installPcztTool } from './pcztTool.mjs';
import { installRealNode } from './realNode.mjs';
import { buildAndRunAva } from './runAva.mjs';

installRealNode();
installPcztTool();
await buildAndRunAva(['--config', 'ava.real.config.mjs', ...process.argv.slice(2)]);
