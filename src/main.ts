#!/usr/bin/env node
// Composition root: the only file that wires storage, threads and fronts together.

import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from './actors/wallet/ports/storage.ts';
import type { CliEnvironment, LocalOptions, OpenedLink, ServeOptions } from './cli/cliEnvironment.ts';
import { httpLink } from './cli/httpLink.ts';
import type { LocalSettings } from './cli/localSettings.ts';
import { runCli } from './cli/runCli.ts';
import { createHttpApp } from './http/app.ts';
import { listen } from './http/listen.ts';
import { openDesktop } from './ipc/desktop/window.ts';
import { createSocketLink } from './ipc/socketLink.ts';
import { isOwnSocket, socketPath } from './ipc/socketPath.ts';
import { type SocketServing, serveSocket } from './ipc/socketServer.ts';
import { CompanionError } from './protocol/errors.ts';
import { faultFields } from './protocol/faultFields.ts';
import type { JsonLink, Link } from './protocol/link.ts';
import { openConfigFile } from './storage/config/configFile.ts';
import {
  createDataDirectory,
  type Directories,
  locateDirectories,
  tidyDirectories,
} from './storage/files/directories.ts';
import { acquireDirectoryLock, type DirectoryLock, type LockHolder } from './storage/sqlite/directoryLock.ts';
import { createWalletFile } from './storage/wallet/walletFile.ts';
import { Companion, STOP_PATIENCE_MS } from './workers/companion.ts';
import { createLog, type Log } from './workers/threadLog.ts';

const version = packageVersion(path.dirname(fileURLToPath(import.meta.url)));

/** Scanning may use every core: the other threads have little to do, and the system gives them their turn. */
const SCAN_THREADS = Math.min(16, availableParallelism());
/**
 * Requests that run when the companion is told to stop may end: they do as soon as it has stopped, which may take its
 * patience with a scan that commits.
 */
const HTTP_GRACE_MS = STOP_PATIENCE_MS + 2_000;
/**
 * After that the process ends as it is: a thread may be held by a disk that hangs, which nothing interrupts. All stores
 * survive a kill.
 */
const STOP_FORCED_MS = HTTP_GRACE_MS + 8_000;

/** From the package.json above the compiled code. */
function packageVersion(folder: string): string {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) return packageVersion(path.dirname(folder));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

interface Started {
  readonly companion: Companion;
  readonly lock: DirectoryLock;
  readonly dataDir: string;
  readonly allowedOrigins: () => readonly string[];
}

function directoriesFor(options: LocalOptions): Directories {
  const surroundings = {
    platform: process.platform,
    env: process.env,
    homeDir: homedir(),
    workingDir: process.cwd(),
  };
  const { configDir, dataDir } = options;
  return locateDirectories(surroundings, {
    ...(configDir === undefined ? {} : { configDir }),
    ...(dataDir === undefined ? {} : { dataDir }),
  });
}

const overridesOf = (options: LocalOptions & Partial<ServeOptions>): Partial<Config> => ({
  ...(options.network === undefined ? {} : { network: options.network }),
  ...(options.nodeCookieFile === undefined ? {} : { node_cookie_file: path.resolve(options.nodeCookieFile) }),
  ...(options.nodeUrl === undefined ? {} : { node_url: options.nodeUrl }),
  ...(options.compactServerUrl === undefined ? {} : { compact_server_url: options.compactServerUrl }),
  ...(options.keepOpen === true ? { auto_lock_seconds: 0 } : {}),
  ...(options.follow === true ? { follow: true } : {}),
});

/** Takes the data directory and starts the threads; or says who holds it. */
async function start(
  options: LocalOptions & Partial<ServeOptions>,
  log: Log,
  oneCommand = false,
): Promise<Started | { readonly heldBy: LockHolder | undefined; readonly dataDir: string }> {
  const directories = directoriesFor(options);
  const flags = overridesOf(options);
  // A config.json that cannot be read stops the start before anything is made.
  const configFile = openConfigFile({ configDir: directories.configDir, overrides: flags });
  const config = configFile.get();
  const overrides = configFile.isSet('network')
    ? flags
    : { ...networkOfWallet(directories.dataDir), ...flags };
  createDataDirectory(directories.dataDir);
  const lock = await acquireDirectoryLock(directories.dataDir);
  const { dataDir } = directories;
  if (lock.state === 'held') return { heldBy: lock.holder, dataDir };
  tidyDirectories(directories);
  const companion = Companion.start({
    ...directories,
    overrides,
    version,
    scanThreads: SCAN_THREADS,
    oneCommand,
    log,
  });
  return { companion, lock, dataDir, allowedOrigins: () => config.allowed_origins };
}

/** A wallet's network is fixed when it is made, so it holds where neither config.json nor a flag names one. */
function networkOfWallet(dataDir: string): Partial<Config> {
  try {
    const header = createWalletFile({ dataDir, randomBytes }).header();
    return header === undefined ? {} : { network: header.network };
  } catch {
    // What is wrong with the file is said by whoever asks for the wallet.
    return {};
  }
}

/** For callers that could edit the files as well. */
const asOwner = (link: Link & JsonLink): Link & JsonLink => ({
  dispatchJson: (name, body, context) => link.dispatchJson(name, body, { ...context, byOwner: true }),
  dispatch: (name, input, context) => link.dispatch(name, input, { ...context, byOwner: true }),
  health: () => link.health(),
  subscribe: (listener) => link.subscribe(listener),
});

const heldError = (holder: LockHolder | undefined): CompanionError => {
  const who = holder === undefined ? 'Another process' : `Process ${holder.pid}`;
  const where = holder?.url === undefined ? '' : ` (at ${holder.url})`;
  return new CompanionError(
    'BUSY',
    `${who}${where} already uses this data directory. Stop it, or choose another with --data-dir.`,
  );
};

async function serve(options: ServeOptions, password?: string): Promise<number> {
  const log = createLog('main');
  const started = await start(options, log);
  if ('heldBy' in started) throw heldError(started.heldBy);
  const { companion, lock, dataDir, allowedOrigins } = started;
  const stopping = new AbortController();
  try {
    // Before anybody else can call: whoever reads that we listen finds the wallet open.
    if (password !== undefined) await unlock(companion, password, log);
    const app = createHttpApp({
      link: companion,
      allowedOrigins,
      logger: log,
      clock: () => performance.now(),
      requestId: randomUUID,
      stopping: stopping.signal,
    });
    const listening = await listen({
      app,
      port: options.port,
      ...(options.host === undefined ? {} : { host: options.host }),
      requestId: randomUUID,
    });
    const socket = await openPrivateSocket(companion, dataDir, log);
    await lock.announce(listening.url);
    // Before it is said that we are here: whoever reads it may tell us to end at once.
    const told = new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
    process.stdout.write(`listening on ${listening.url}\n`);
    await told;
    forceStop(log);
    // A running scan is told to commit first: its request can then still be answered.
    const stopped = companion.stop().finally(() => stopping.abort());
    await listening.close(HTTP_GRACE_MS);
    await stopped;
    await socket?.close();
    return 0;
  } finally {
    await companion.stop();
    lock.release();
  }
}

function forceStop(log: Log): void {
  const force = () => {
    log.error({}, 'a thread did not end in time; the process ends without it');
    // An exit waits for every thread.
    process.kill(process.pid, 'SIGKILL');
  };
  setTimeout(force, STOP_FORCED_MS).unref();
}

/**
 * A service may be set up before there is a wallet; a password that does not open the one that is there is no start.
 */
async function unlock(link: Pick<Link, 'dispatch'>, password: string, log: Log): Promise<void> {
  const result = await link.dispatch('wallet.unlock', { password }, { requestId: randomUUID() });
  if (result.ok) return;
  if (result.error.code !== 'NO_WALLET') throw CompanionError.fromRecord(result.error);
  log.warn(
    {},
    'there is no wallet yet: the password was not used, and the companion starts without a session',
  );
}

/** HTTP works without it: a data directory with a path too long for a socket is no reason not to start. */
async function openPrivateSocket(
  companion: Companion,
  dataDir: string,
  log: Log,
): Promise<SocketServing | undefined> {
  try {
    return await serveSocket({ link: asOwner(companion), path: socketPath(dataDir), requestId: randomUUID });
  } catch (error) {
    log.warn(faultFields(error), 'no private socket: the C library cannot reach this companion');
    return undefined;
  }
}

/** The private socket of a running companion, where there is one: passwords then stay off HTTP. */
function tryRunningCompanion(dataDir: string): OpenedLink | undefined {
  try {
    const file = socketPath(dataDir);
    if (!isOwnSocket(file)) return undefined;
    const link = createSocketLink(file);
    return { link, close: async () => link.close() };
  } catch {
    return undefined;
  }
}

async function desktop(options: LocalOptions, password?: string): Promise<number> {
  const log = createLog('main');
  const opened = await openLocal(options, true);
  try {
    if (password !== undefined) await unlock(opened.link, password, log);
    const onFault = (fault: unknown) => log.error(faultFields(fault), 'desktop window');
    const window = await openDesktop({ link: opened.link, requestId: randomUUID, onFault });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => window.close());
    await window.closed;
    return 0;
  } finally {
    await opened.close();
  }
}

async function openLocal(options: LocalOptions, isForWindow = false): Promise<OpenedLink> {
  const started = await start(options, createLog('main'), !isForWindow);
  if ('heldBy' in started) {
    const running = tryRunningCompanion(started.dataDir);
    if (running !== undefined) return running;
    if (started.heldBy?.url === undefined) throw heldError(started.heldBy);
    return { link: httpLink(started.heldBy.url), close: async () => {} };
  }
  const { companion, lock } = started;
  return {
    link: asOwner(companion),
    close: async () => {
      await companion.stop();
      lock.release();
    },
  };
}

/** Not while a companion runs: it has read the file, and would write over the change or not know of it. */
async function changeSettings(
  options: LocalOptions,
  change: (now: LocalSettings) => Partial<LocalSettings>,
): Promise<LocalSettings> {
  const { configDir, dataDir } = directoriesFor(options);
  createDataDirectory(dataDir);
  const lock = await acquireDirectoryLock(dataDir);
  if (lock.state === 'held') {
    const who = lock.holder === undefined ? 'a companion' : `the companion with pid ${lock.holder.pid}`;
    throw new CompanionError('BUSY', `Stop ${who} first, change the setting, and start it again.`);
  }
  try {
    const config = openConfigFile({ configDir });
    return await config.update(change(config.get()));
  } finally {
    lock.release();
  }
}

const environment: CliEnvironment = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  version,
  serve,
  desktop,
  openLocal: (options) => openLocal(options),
  changeSettings,
  requestId: randomUUID,
  onInterrupt: (callback) => {
    process.on('SIGINT', callback);
    return () => process.off('SIGINT', callback);
  },
  every: (intervalMs, callback) => {
    const timer = setInterval(callback, intervalMs);
    return () => clearInterval(timer);
  },
};

/** Whoever reads may have seen enough (`| head`): that is no fault, and what runs goes on to its end. */
function outliveReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
process.stdout.on('error', outliveReader);
process.stderr.on('error', outliveReader);

process.exitCode = await runCli(process.argv.slice(2), environment);
