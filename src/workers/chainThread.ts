// Entry of the chain thread: the only one that opens connections to nodes and compact servers.

import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import path from 'node:path';
import { workerData } from 'node:worker_threads';
import { systemAfter } from '@wallet-companion/base/async';
import { Outgoing } from '@wallet-companion/base/proxy';
import { openCompactUpstream } from '@wallet-companion/chain/compact';
import { openNodeSource } from '@wallet-companion/chain/node';
import { dialTcp, PeerNetwork } from '@wallet-companion/chain/peers';
import { isOnion, isServerOnThisMachine } from '@wallet-companion/client/contract';
import { Equihash } from '@wallet-companion/kernel/equihash';
import { loadEquihash } from '@wallet-companion/kernel/kernelLoad';
import { ChainActor } from '../actors/chain/chainActor.ts';
import { unwrap } from '../protocol/result.ts';
import { createCompactStores } from '../storage/blocks/compactStores.ts';
import { headersFile, peersFile } from '../storage/files/dataFiles.ts';
import { serveChain } from './chainChannel.ts';
import { starterChannel } from './thread.ts';
import { createLog, faultLogger } from './threadLog.ts';
import type { ChainEvents, ChainThreadData, ChainThreadMethods } from './threadMethods.ts';

const { logLevel, proxy } = workerData as ChainThreadData;
const log = createLog('chain', logLevel);
const logFault = faultLogger(log);
const outgoing = new Outgoing({
  proxy,
  isHere: isServerOnThisMachine,
  isOnion,
  randomBytes,
  after: systemAfter,
});
const actor = new ChainActor({
  openNode: (endpoint, parameters) => openNodeSource(endpoint, parameters, outgoing.wayOf('node')),
  openCompact: (url, parameters) => openCompactUpstream(url, parameters, outgoing.wayOf('compact')),
  openPeers: ({ parameters, folder, named, start }) =>
    new PeerNetwork({
      parameters,
      start,
      named,
      files: {
        headers: path.join(folder, headersFile(parameters.network)),
        peers: path.join(folder, peersFile(parameters.network)),
      },
      after: systemAfter,
      now: () => Date.now(),
      elapsed: () => performance.now(),
      randomBytes,
      dial: (place) => dialTcp(place, systemAfter, outgoing.wayOf('peers')),
      // The proxy resolves a name when it is dialled.
      resolve:
        proxy === null
          ? async (name) => (await lookup(name, { all: true })).map(({ address }) => address)
          : async (name) => [name],
      solver: async (problem) => {
        const equihash = new Equihash(await loadEquihash(), problem);
        return (input, solution) => equihash.solves(input, solution);
      },
      left: ({ host, port }, why) => log.debug({ host, port }, `a peer was left: ${why}`),
      failed: logFault,
    }),
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
