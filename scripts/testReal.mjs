// `npm run test:real`: the suite against a real zebrad and the reference's PCZT tool.
import { runForeignSuite } from './foreignSuite.mjs';
import { installPcztTool } from './pcztTool.mjs';
import { installRealNode } from './realNode.mjs';

await runForeignSuite('ava.real.config.mjs', [installRealNode, installPcztTool]);
