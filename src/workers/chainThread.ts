// Entry of the chain thread: the only one that opens connections to nodes and compact servers.

import { workerData } from 'node:worker_threads';
import { systemAfter } from '@wallet-companion/base/async';
import { openCompactUpstream } from '@wallet-companion/chain/compact';
import { openNodeSource } from '@wallet-companion/chain/node';
import { ChainActor } from '../actors/chain/chainActor.ts';
import { unwrap } from '../protocol/result.ts';
import { createCompactStores } from '../storage/blocks/compactStores.ts';
import { serveChain } from './chainChannel.ts';
import { starterChannel } from './thread.ts';
import { createLog, faultLogger } from './threadLog.ts';
import type { ChainEvents, ChainThreadData, ChainThreadMethods } from './threadMethods.ts';

const { logLevel } = workerData as ChainThreadData;
const log = createLog('chain', logLevel);
const logFault = faultLogger(log);
const actor = new ChainActor({
  openNode: openNodeSource,
  openCompact: openCompactUpstream,
  stores: createCompactStores({ after: systemAfter }),
  now: () => performance.now(),
  logFault,
  clockWrong: (warning) => log.warn({}, warning),
  reportServer: (data) => main.emit('happened', { event: 'server.changed', data }),
});

const main = starterChannel<ChainEvents, ChainThreadMethods>({
  calls: { dispatch: async (message) => unwrap(await actor.dispatch(message)) },
  events: {
    connectWallet: ({ port: wallet, isDefault }) => {
      const chain = actor.asking(isDefault);
      // The port closes with the wallet thread, whose open ranges are then closed here.
      wallet.once('close', () => chain.leave());
      serveChain(wallet, chain, logFault);
    },
    logLevelChanged: (level) => {
      log.level = level;
    },
  },
});
