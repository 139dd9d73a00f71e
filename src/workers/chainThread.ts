// Entry of the chain thread: the only one that opens connections to nodes and compact servers.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openCompactUpstream } from '@wallet-companion/chain/compact';
import { openNodeSource } from '@wallet-companion/chain/node';
import { systemAfter } from '@wallet-companion/shielded/async';
import { ChainActor } from '../actors/chain/chainActor.ts';
import { createCompactStores } from '../storage/blocks/compactStores.ts';
import { serveChain } from './chainMailbox.ts';
import { serveMailbox } from './mailbox.ts';
import { createLog, faultLogger } from './threadLog.ts';
import type { ChainThreadData, FromChainThread, ToChainThread } from './threadMessages.ts';

const { front, logLevel } = workerData as ChainThreadData;
const log = createLog('chain', logLevel);
const logFault = faultLogger(log);
const actor = new ChainActor({
  openNode: openNodeSource,
  openCompact: openCompactUpstream,
  stores: createCompactStores({ after: systemAfter }),
  now: () => performance.now(),
  logFault,
  clockWrong: (warning) => log.warn({}, warning),
  tellServer: (data) =>
    parentPort?.postMessage({
      kind: 'event',
      event: { event: 'server.changed', data },
    } satisfies FromChainThread),
});

/** The port closes with the wallet thread, whose open ranges are then closed here. */
function serveWallet(port: MessagePort, isDefault: boolean): void {
  const chain = actor.asking(isDefault);
  port.once('close', () => chain.leave());
  serveChain(port, chain, logFault);
}

parentPort?.on('message', (message: ToChainThread) => {
  if (message.kind === 'wallet') serveWallet(message.port, message.isDefault);
  else log.level = message.level;
});
serveMailbox(front, (message) => actor.dispatch(message));
