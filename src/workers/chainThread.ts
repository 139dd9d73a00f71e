// Entry of the chain thread: the only one that opens connections to nodes and compact servers.

import { parentPort, workerData } from 'node:worker_threads';
import { ChainActor } from '../actors/chain/chainActor.ts';
import { openCompactUpstream } from '../actors/chain/compact/compactUpstream.ts';
import { openNodeSource } from '../actors/chain/node/nodeSource.ts';
import { systemAfter } from '../async/after.ts';
import { createCompactStores } from '../storage/blocks/compactStores.ts';
import { serveChain } from './chainMailbox.ts';
import { serveMailbox } from './mailbox.ts';
import { createLog, faultLogger } from './threadLog.ts';
import type { ChainThreadData, ToChainThread } from './threadMessages.ts';

const { front, wallet } = workerData as ChainThreadData;
const logFault = faultLogger(createLog('chain'));
const actor = new ChainActor({
  openNode: openNodeSource,
  openCompact: openCompactUpstream,
  stores: createCompactStores({ after: systemAfter }),
  now: () => performance.now(),
  logFault,
});

parentPort?.on('message', (message: ToChainThread) => serveChain(message.port, actor, logFault));
serveChain(wallet, actor, logFault);
serveMailbox(front, (message) => actor.dispatch(message));
