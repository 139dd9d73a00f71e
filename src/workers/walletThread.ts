// Entry of the wallet thread: builds the wallet actor on real files, time and randomness, and serves its channel.

import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { workerData } from 'node:worker_threads';
import { systemClocks, type Timers } from '@wallet-companion/base/async';
import type { KernelModule } from '@wallet-companion/kernel/kernel';
import { WalletActor } from '../actors/wallet/walletActor.ts';
import { takeTexts } from '../protocol/eventTexts.ts';
import { unwrap } from '../protocol/result.ts';
import { type CarriedConfig, openConfigFile } from '../storage/config/configFile.ts';
import { configReportedTo, openWalletConfig } from '../storage/config/walletConfig.ts';
import { createInvoiceFiles } from '../storage/invoices/invoiceFile.ts';
import { createNoteDatabases } from '../storage/notes/noteDatabase.ts';
import { createWalletFile } from '../storage/wallet/walletFile.ts';
import { chainChannel, remoteChain } from './chainChannel.ts';
import { move } from './channel.ts';
import { DerivationQueue } from './derivationTurns.ts';
import { answerJson } from './jsonMessages.ts';
import { chooseKernelApart } from './kernelChoice.ts';
import { ProgramClient } from './pcztPrograms.ts';
import { createProofVerifier } from './proofVerifier.ts';
import { openScanPool } from './scanPool.ts';
import { SecretsHandled } from './secretsHandled.ts';
import { SleepingChain } from './sleepingChain.ts';
import { starterChannel } from './thread.ts';
import { createLog, environmentLevel, faultLogger } from './threadLog.ts';
import type {
  MainMethods,
  ReloadChanges,
  Reloaded,
  WalletMethods,
  WalletThreadData,
} from './threadMethods.ts';
import { WalletPools } from './walletPools.ts';

/** A start is over by then. */
const KERNEL_AFTER_MS = 1_000;

const data = workerData as WalletThreadData;
const { configDir, dataDir, scanThreads, carried, other } = data;
const log = createLog(other === undefined ? 'wallet' : `wallet ${other.name}`, data.logLevel);
const logFault = faultLogger(log);

const systemClock: Timers = {
  ...systemClocks,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

const otherConfig =
  other &&
  openWalletConfig({
    folder: dataDir,
    common: other.common,
    overrides: data.overrides,
    carried: carried?.config,
    sourceChosen: (source) => main.emit('sourceChosen', source),
  });
const ownConfig =
  otherConfig ??
  openConfigFile({ configDir, overrides: data.overrides, carried: carried?.config ?? data.config });

/** Loaded only where a fleet is configured. */
const fleet =
  ownConfig.get().fleet_redis_url === null
    ? undefined
    : (await import('./fleet.ts')).fleetPools(ownConfig.get(), scanThreads, log);

// From here on nothing is awaited: the first message comes when all below is there.
const main = starterChannel<MainMethods, WalletMethods>({
  calls: {
    dispatch: (message) => answerJson(message, dispatch),
    reload,
    retire: () => (secrets.mayRetire() ? { actor: actor.carried, config: configFile.carried() } : undefined),
    stop: () => actor.stop().catch((error: unknown) => logFault('wallet.stop', error)),
  },
  events: {
    connectChain: (port) => {
      chain = chainChannel(port);
      configureChain();
    },
    wakeChain: () => sleeping?.wake(),
    commonChanged,
    connectScanHub: (port) => pools.connect(port),
  },
});

const configFile = otherConfig ?? configReportedTo(ownConfig, (common) => main.emit('commonChanged', common));

let kernelModule: Promise<KernelModule | undefined> | undefined;
const chosenKernel = (): Promise<KernelModule | undefined> => {
  kernelModule ??=
    data.kernel === undefined
      ? chooseKernelApart({ configured: configFile.get().scan_kernel, configDir }).then((kernel) => {
          main.emit('kernelChosen', kernel);
          return kernel.module;
        })
      : Promise.resolve(data.kernel.module);
  return kernelModule;
};

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
const pools = new WalletPools({
  threads: scanThreads,
  openOwn: () => openScanPool(scanThreads, chosenKernel()),
  // Most single-command processes scan nothing, and several wallets share their workers.
  isLazy: data.oneCommand || other !== undefined || fleet !== undefined,
  report: (isOpen) => main.emit('poolChanged', isOpen),
});
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
  openPool: () => fleet?.(() => pools.open()) ?? pools.open(),
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
  carried: carried?.actor ?? (data.wrongTries && { wrongTries: data.wrongTries }),
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

async function reload(changes: ReloadChanges | undefined): Promise<Reloaded> {
  // Another wallet chose, and a person or this thread was faster.
  const isLate = changes?.block_source !== undefined && configFile.get().block_source !== 'auto';
  const change = changes === undefined ? () => configFile.reload() : () => configFile.update(changes, true);
  const config = isLate ? configFile.get() : await change();
  const { allowed_origins, anonymous_access, log_level, on_event, prover, signer } = config;
  log.level = log_level ?? environmentLevel();
  actor.configReloaded();
  return { allowed_origins, anonymous_access, log_level, on_event, prover, signer };
}

function commonChanged({ common, level }: { readonly common: CarriedConfig; readonly level: string }): void {
  log.level = level;
  const before = configFile.get();
  otherConfig?.takeCommon(common);
  const { node_url, compact_server_url, block_source } = configFile.get();
  actor.configReloaded();
  const isSame =
    node_url === before.node_url &&
    compact_server_url === before.compact_server_url &&
    block_source === before.block_source;
  if (!isSame) actor.serverChanged();
}

configureChain();
// Compiling takes part of a second: the first sync of a service should not wait for it, and neither should a start, which
// has other work for the processors, nor a command that scans nothing.
if (!data.oneCommand) systemClock.after(KERNEL_AFTER_MS, () => void chosenKernel());
