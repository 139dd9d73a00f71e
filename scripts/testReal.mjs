// `npm run test:real`: the suite against a real zebrad and the reference's PCZT tool. Installs both once into a cache
// folder (scripts/realNode.mjs, pcztTool.mjs); `--installed` as first argument skips the installation.
import { installPcztTool } from './pcztTool.mjs';
import { installRealNode } from './realNode.mjs';
import { buildAndRunAva } from './runAva.mjs';

const [first, ...rest] = process.argv.slice(2);
const takesWhatIsThere = first === '--installed';
if (!takesWhatIsThere) {
  installRealNode();
  installPcztTool();
}
const given = takesWhatIsThere || first === undefined ? rest : [first, ...rest];
await buildAndRunAva(['--config', 'ava.real.config.mjs', ...given]);
