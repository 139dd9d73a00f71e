// `npm run test:world`: the suite against other servers, wallets, browsers and file systems. Its tools take an hour to build.
import { installLightwalletd, installZainod } from './compactServers.mjs';
import { installEarlierBuild } from './earlierBuild.mjs';
import { runForeignSuite } from './foreignSuite.mjs';
import { installPcztTool } from './pcztTool.mjs';
import { installPeerWallet } from './peerWallet.mjs';
import { installRealNode } from './realNode.mjs';

const installers = [
  installRealNode,
  installPcztTool,
  installLightwalletd,
  installZainod,
  installPeerWallet,
  installEarlierBuild,
];
await runForeignSuite('ava.world.config.mjs', installers, { goesOn: true });
