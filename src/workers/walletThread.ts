// Entry of the wallet thread: builds the wallet actor on real files, time and randomness, and serves its channel.

import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { workerData } from 'node:worker_threads';
import { systemClocks, type Timers } from '@wallet-companion/base/async';
import { WalletActor } from '../actors/wallet/walletActor.ts';
import { takeTexts } from '../protocol/eventTexts.ts';
import { unwrap } from '../protocol/result.ts';
import { createInvoiceFiles } from '../storage/invoices/invoiceFile.ts';
import { createNoteDatabases } from '../storage/notes/noteDatabase.ts';
import { createWalletFile } from '../storage/wallet/walletFile.ts';
import { chainChannel, remoteChain } from './chainChannel.ts';
import { move } from './channel.ts';
import { DerivationQueue } from './derivationTurns.ts';
import { answerJson } from './jsonMessages.ts';
import { SigningThreads } from './ownSigner.ts';
import { ProgramClient } from './pcztPrograms.ts';
import { createProofVerifier } from './proofVerifier.ts';
import { RemoteConfig } from './remoteConfig.ts';
import { openRemotePool } from './remotePool.ts';
import { SecretsHandled } from './secretsHandled.ts';
import { SleepingChain } from './sleepingChain.ts';
import { starterChannel } from './thread.ts';
import { createLog, faultLogger } from './threadLog.ts';
import type { MainMethods, WalletMethods, WalletThreadData } from './threadMethods.ts';

const data = workerData as WalletThreadData;
const { configDir, dataDir, scanThreads } = data;
const log = createLog(data.thread, data.logLevel);
const logFault = faultLogger(log);

const systemClock: Timers = {
  ...systemClocks,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

const configFile = new RemoteConfig(data.config, () => main);

/** Loaded only where a fleet is configured. */
const fleet =
  configFile.get().fleet_redis_url === null
    ? undefined
    : (await import('./fleet.ts')).fleetPools(configFile.get(), scanThreads, log);

// From here on nothing is awaited: the first message comes when all below is there.
const main = starterChannel<MainMethods, WalletMethods>({
  calls: {
    dispatch: (message) => answerJson(message, dispatch),
    retire: () => (secrets.mayRetire() ? actor.carried : undefined),
    stop: () => actor.stop().catch((error: unknown) => logFault('wallet.stop', error)),
  },
  events: {
    connectChain: (port) => {
      chain = chainChannel(port);
      configureChain();
    },
    wakeChain: () => sleeping?.wake(),
    configChanged: ({ config, byThisWallet }) => {
      const before = configFile.get();
      configFile.take(config);
      if (!byThisWallet) actor.configChanged(before);
    },
    logLevelChanged: (level) => {
      log.level = level;
    },
  },
});

let chain = data.chain && chainChannel(data.chain);
const reportReady = (configured: Promise<void>): void => {
  configured
    .catch((error: unknown) => logFault('wallet.configure_chain', error))
    .finally(() => main.emit('ready'));
};
const remote = remoteChain(() => chain);
const sleeping = data.isChainAsleep
  ? new SleepingChain(remote, (configured) => {
      main.emit('wakeChain');
      reportReady(configured);
    })
  : undefined;
const derivations = new DerivationQueue(main);
const programs = new ProgramClient(main);
// Most single-command processes scan nothing.
const isLazy = data.oneCommand || fleet !== undefined;
const openPool = () => openRemotePool({ main, threads: scanThreads, isLazy });
const secrets = new SecretsHandled(() => main.emit('spent'));
const actor = new WalletActor({
  walletFile: createWalletFile({
    dataDir,
    randomBytes,
    derivations,
    ...(data.kdf === undefined ? {} : { kdf: data.kdf }),
  }),
  configFile,
  noteDatabases: createNoteDatabases({ dataDir, randomBytes }),
  invoiceFiles: createInvoiceFiles({ dataDir, randomBytes }),
  chain: sleeping?.service ?? remote,
  prover: programs,
  proofVerifier: createProofVerifier(),
  signer: programs,
  prices: {
    state: async () => unwrap(await main.call('prices', undefined)),
    dayRates: async () => unwrap(await main.call('dayRates', undefined)),
  },
  ownSigner: new SigningThreads(derivations),
  openPool: () => fleet?.(openPool) ?? openPool(),
  scanThreads,
  clock: systemClock,
  randomBytes: (length) => new Uint8Array(randomBytes(length)),
  emit: (event) => {
    const taken = takeTexts(event);
    main.emit('happened', taken.texts === undefined ? taken : move(taken, [taken.texts.buffer]));
    secrets.sawEvent(event);
    if (event.event === 'wallet.locked') programs.giveUpAll();
  },
  logFault,
  version: data.version,
  dataDir,
  configDir,
  oneCommand: data.oneCommand,
  carried: data.carried ?? (data.wrongTries && { wrongTries: data.wrongTries }),
});

/** Sent before the response: a caller who ends the thread after a wrong try must not escape the wait. */
let reportedTries = actor.carried.wrongTries;
async function dispatch(message: unknown): Promise<unknown> {
  const result = await secrets.during(message, () => actor.dispatch(message));
  const { wrongTries } = actor.carried;
  if (!isDeepStrictEqual(wrongTries, reportedTries)) {
    reportedTries = wrongTries;
    main.emit('triesChanged', wrongTries);
  }
  return unwrap(result);
}

/** Not awaited: messages on a port keep their order, and a lost chain thread must not stop this one. */
const configureChain = (): void => {
  const started = actor.start();
  if (sleeping?.isAsleep !== true) reportReady(started);
};

configureChain();
