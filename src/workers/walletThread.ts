// Entry of the wallet thread: builds the wallet actor on real files, time and randomness, and serves its mailbox.

import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { Clock } from '../actors/wallet/ports/walletEnvironment.ts';
import { WalletActor } from '../actors/wallet/walletActor.ts';
import { openConfigFile } from '../storage/config/configFile.ts';
import { createNoteDatabases } from '../storage/notes/noteDatabase.ts';
import { createWalletFile } from '../storage/wallet/walletFile.ts';
import { mailboxOf, remoteChain } from './chainMailbox.ts';
import { serveMailbox } from './mailbox.ts';
import { chooseScanKernel } from './scanKernel.ts';
import { openScanPool } from './scanPool.ts';
import { createLog, faultLogger } from './threadLog.ts';
import type { FromWalletThread, ToWalletThread, WalletThreadData } from './threadMessages.ts';

const { configDir, dataDir, overrides, version, scanThreads, follow, front, chain } =
  workerData as WalletThreadData;
const parent = parentPort;
if (parent === null) throw new Error('the wallet thread must be started as a worker');
const tell = (message: FromWalletThread): void => parent.postMessage(message);
const logFault = faultLogger(createLog('wallet'));

const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

// Compiling takes part of a second, which the first sync should not wait for.
const kernelModule = chooseScanKernel().then(({ module, report }) => {
  tell({ kind: 'kernel', kernel: report });
  return module;
});

let chainMailbox = mailboxOf(chain);
const actor = new WalletActor({
  walletFile: createWalletFile({ dataDir, randomBytes }),
  configFile: openConfigFile({ configDir, overrides }),
  noteDatabases: createNoteDatabases({ dataDir, randomBytes }),
  chain: remoteChain(() => chainMailbox),
  openPool: () => openScanPool(scanThreads, kernelModule),
  clock: systemClock,
  randomBytes: (length) => new Uint8Array(randomBytes(length)),
  emit: (event) => tell({ kind: 'event', event }),
  logFault,
  version,
  dataDir,
  configDir,
  follow,
});

/** Not waited for: messages on a port keep their order, and a chain thread that is gone must not silence this one. */
const configureChain = (): void => {
  actor
    .start()
    .catch((error: unknown) => logFault('wallet.configure_chain', error))
    .finally(() => tell({ kind: 'ready' }));
};

parent.on('message', (message: ToWalletThread) => {
  if (message.kind === 'chain') {
    chainMailbox = mailboxOf(message.port);
    configureChain();
  } else {
    actor
      .stop()
      .catch((error: unknown) => logFault('wallet.stop', error))
      .finally(() => tell({ kind: 'stopped' }));
  }
});
configureChain();
serveMailbox(front, (message) => actor.dispatch(message));
