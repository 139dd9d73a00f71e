#!/usr/bin/env node
// Composition root: the only file that wires storage, threads and fronts together.

// First: until it is loaded a SIGHUP would end the process.
import './service/hangup.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from './actors/wallet/ports/storage.ts';
import type {
  CliEnvironment,
  DevnetOptions,
  EventConnection,
  LocalOptions,
  OpenedLink,
  ServeOptions,
  ServiceAction,
  ServiceInstall,
} from './cli/cliEnvironment.ts';
import type { LocalSettings } from './cli/localSettings.ts';
import { runCli } from './cli/runCli.ts';
import type { SocketServing } from './ipc/socketServer.ts';
import { CompanionError, type ErrorRecord } from './protocol/errors.ts';
import type { EventListener } from './protocol/events.ts';
import { faultFields } from './protocol/faultFields.ts';
import type { JsonLink, Link } from './protocol/link.ts';
import { unwrap } from './protocol/result.ts';
import type { StartPassword } from './protocol/startPassword.ts';
import { onHangup } from './service/hangup.ts';
import type { Hooks } from './service/hooks/hooks.ts';
import type { ServiceSurroundings } from './service/serviceCommand.ts';
import {
  createDataDirectory,
  type Directories,
  locateDirectories,
  tidyDirectories,
} from './storage/files/directories.ts';
import { logFiles, tidyLogFile } from './storage/files/logFile.ts';
import type { DirectoryLock, LockHolder } from './storage/sqlite/directoryLock.ts';
import type { Companion } from './workers/companion.ts';
import type { Log } from './workers/threadLog.ts';

// What only some commands need is imported by them: loading all of it would take longer than most commands do.

const version = packageVersion(path.dirname(fileURLToPath(import.meta.url)));

/** Scanning may use every core: the other threads have little to do, and the system gives them their turn. */
const SCAN_THREADS = Math.min(16, availableParallelism());
/**
 * Requests that run when the companion is told to stop may end: they do as soon as it has stopped, which may take its
 * patience with a scan that commits, and so long beyond.
 */
const HTTP_GRACE_MS = 2_000;
/**
 * After both the process ends as it is: a thread may be held by a disk that hangs, which nothing interrupts. All stores
 * survive a kill.
 */
const STOP_FORCED_MS = 8_000;

/** Commands that run at the same time take turns; a scan that goes on for longer is not waited for. */
const COMMAND_PATIENCE_MS = 5_000;
const COMMAND_RETRY_MS = 100;

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
  readonly hooks: Hooks;
  /** What an edited config.json changes while running. */
  readonly settings: { allowedOrigins: readonly string[] };
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

interface StartOptions {
  readonly password?: StartPassword;
  /** Nothing outlives the command. */
  readonly oneCommand?: boolean;
}

/** Takes the data directory and starts the threads; or says who holds it. */
async function start(
  options: LocalOptions & Partial<ServeOptions>,
  logOf: (config: Config) => Log | Promise<Log>,
  { password, oneCommand = false }: StartOptions = {},
): Promise<Started | { readonly heldBy: LockHolder | undefined; readonly dataDir: string }> {
  const { openConfigFile } = await import('./storage/config/configFile.ts');
  const { acquireDirectoryLock } = await import('./storage/sqlite/directoryLock.ts');
  const directories = directoriesFor(options);
  const flags = overridesOf(options);
  // A config.json that cannot be read stops the start before anything is made.
  const configFile = openConfigFile({ configDir: directories.configDir, overrides: flags });
  const config = configFile.get();
  const overrides = configFile.isSet('network')
    ? flags
    : { ...(await networkOfWallet(directories.dataDir)), ...flags };
  createDataDirectory(directories.dataDir);
  const lock = await acquireDirectoryLock(directories.dataDir);
  const { dataDir } = directories;
  if (lock.state === 'held') return { heldBy: lock.holder, dataDir };
  tidyDirectories(directories);
  tidyLogFile(dataDir);
  const { Companion } = await import('./workers/companion.ts');
  const log = await logOf(config);
  const hooks = await hooksOf(config, directories, log);
  const companion = Companion.start({
    ...directories,
    overrides,
    version,
    scanThreads: SCAN_THREADS,
    oneCommand,
    log,
    service: hooks.handlers,
    ...(password === undefined ? {} : { password }),
  });
  const settings = { allowedOrigins: config.allowed_origins };
  companion.subscribe(({ event, data }) => {
    if (event === 'config.changed') settings.allowedOrigins = data.allowed_origins;
  });
  return { companion, lock, dataDir, hooks, settings };
}

async function hooksOf(
  { on_event: settings }: Config,
  { configDir, dataDir }: Directories,
  log: Log,
): Promise<Hooks> {
  const { systemAfter } = await import('./async/after.ts');
  const { Hooks } = await import('./service/hooks/hooks.ts');
  const { CONFIG_FILE } = await import('./storage/files/dataFiles.ts');
  const { hookRecordFile } = await import('./storage/files/hookRecordFile.ts');
  return new Hooks({
    settings,
    settingsFile: path.join(configDir, CONFIG_FILE),
    file: hookRecordFile(dataDir),
    log,
    requestId: randomUUID,
    now: () => Date.now(),
    after: systemAfter,
    random: Math.random,
    env: process.env,
  });
}

/** A wallet's network is fixed when it is made, so it holds where neither config.json nor a flag names one. */
async function networkOfWallet(dataDir: string): Promise<Partial<Config>> {
  const { createWalletFile } = await import('./storage/wallet/walletFile.ts');
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

async function serve(options: ServeOptions, password?: StartPassword): Promise<number> {
  const { readDashboard } = await import('./dashboard/files.ts');
  const { createHttpApp } = await import('./http/app.ts');
  const { listen } = await import('./http/listen.ts');
  const { areThreadsAnswering, tellStart } = await import('./service/companionService.ts');
  const { serviceManager } = await import('./service/notify.ts');
  const { STOP_PATIENCE_MS } = await import('./workers/companion.ts');
  const { tellStory } = await import('./workers/story.ts');
  const { createLog, environmentLevel, logInto } = await import('./workers/threadLog.ts');
  logInto(options.noLogFile ? undefined : directoriesFor(options).dataDir);
  const log = createLog('main');
  const logOf = ({ log_level: level }: Config): Log => {
    log.level = level ?? environmentLevel();
    return log;
  };
  const started = await start(options, logOf, password === undefined ? {} : { password });
  if ('heldBy' in started) throw heldError(started.heldBy);
  const { companion, lock, dataDir, hooks, settings } = started;
  const stopping = new AbortController();
  const endStory = tellStory(companion, log);
  const deafen = onHangup(() => void reload(companion, settings, hooks, log));
  const { every } = environment;
  const warn = (code: string) =>
    log.warn({ code }, 'the service manager cannot be told; is systemd-notify there?');
  const manager = serviceManager({ env: process.env, pid: process.pid, every, warn });
  let endWatch = () => {};
  try {
    hooks.start(companion);
    // Before anybody else can call: whoever reads that we listen finds the wallet open.
    if (password !== undefined) openOrFail(await companion.unlock(), log);
    const app = createHttpApp({
      link: companion,
      allowedOrigins: () => settings.allowedOrigins,
      logger: log,
      clock: () => performance.now(),
      requestId: randomUUID,
      stopping: stopping.signal,
      dashboard: readDashboard(),
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
    const told = new Promise<string>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
    });
    await tellStart(companion, { url: listening.url, version, follow: options.follow }, log);
    process.stdout.write(`listening on ${listening.url}\n`);
    await manager.ready();
    endWatch = manager.watch(() => areThreadsAnswering(companion, randomUUID));
    log.info({ signal: await told }, 'stopping');
    void manager.stopping();
    const graceMs = STOP_PATIENCE_MS + HTTP_GRACE_MS;
    forceStop(log, graceMs + STOP_FORCED_MS);
    void hooks.stop();
    // A running scan is told to commit first: its request can then still be answered.
    const stopped = companion.stop().finally(() => stopping.abort());
    await listening.close(graceMs);
    await stopped;
    await socket?.close();
    return 0;
  } finally {
    endWatch();
    deafen();
    const hooksStopped = hooks.stop();
    await companion.stop();
    await hooksStopped;
    endStory();
    password?.forget();
    lock.release();
  }
}

/** What is wrong with the file is said, and changes nothing. */
async function reload(
  companion: Companion,
  settings: Started['settings'],
  hooks: Hooks,
  log: Log,
): Promise<void> {
  const result = await companion.reload();
  if (result.ok) {
    try {
      await hooks.configure(result.value.on_event);
    } catch (error) {
      log.error(faultFields(error), 'on_event not read again');
    }
    settings.allowedOrigins = result.value.allowed_origins;
    log.info({ origins: settings.allowedOrigins.length, level: log.level }, 'config.json read again');
  } else log.error({ code: result.error.code, detail: result.error.detail }, 'config.json not read again');
}

function forceStop(log: Log, afterMs: number): void {
  const force = () => {
    log.error({}, 'a thread did not end in time; the process ends without it');
    // An exit waits for every thread.
    process.kill(process.pid, 'SIGKILL');
  };
  setTimeout(force, afterMs).unref();
}

/**
 * A service may be set up before there is a wallet; a password that does not open the one that is there is no start.
 */
function openOrFail(error: ErrorRecord | undefined, log: Log): void {
  if (error === undefined) return;
  if (error.code !== 'NO_WALLET') throw CompanionError.fromRecord(error);
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
    const { serveSocket } = await import('./ipc/socketServer.ts');
    const { socketPath } = await import('./ipc/socketPath.ts');
    return await serveSocket({ link: asOwner(companion), path: socketPath(dataDir), requestId: randomUUID });
  } catch (error) {
    log.warn(faultFields(error), 'no private socket: the C library cannot reach this companion');
    return undefined;
  }
}

/** The private socket of a running companion, where there is one: passwords then stay off HTTP. */
async function tryRunningCompanion(dataDir: string): Promise<OpenedLink | undefined> {
  const { createSocketLink } = await import('./ipc/socketLink.ts');
  const { isOwnSocket, socketPath } = await import('./ipc/socketPath.ts');
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
  const { readDashboard } = await import('./dashboard/files.ts');
  const { openDesktop } = await import('./ipc/desktop/window.ts');
  const { createLog } = await import('./workers/threadLog.ts');
  const log = createLog('main');
  const opened = await openLocal(options, true);
  try {
    if (password !== undefined) {
      const result = await opened.link.dispatch('wallet.unlock', { password }, { requestId: randomUUID() });
      if (!result.ok) openOrFail(result.error, log);
    }
    const onFault = (fault: unknown) => log.error(faultFields(fault), 'desktop window');
    const { link } = opened;
    const subscribe = link.subscribe?.bind(link);
    if (subscribe === undefined) throw noEvents();
    const window = await openDesktop({
      link: { dispatch: link.dispatch.bind(link), subscribe },
      files: readDashboard(),
      requestId: randomUUID,
      onFault,
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => window.close());
    onHangup(() => window.close());
    await window.closed;
    return 0;
  } finally {
    await opened.close();
  }
}

const noEvents = (): CompanionError =>
  new CompanionError(
    'COMPANION_UNREACHABLE',
    'The window cannot reach the running companion by its private socket. The same pages are at its address, in a browser.',
  );

async function openLocal(options: LocalOptions, isForWindow = false): Promise<OpenedLink> {
  const patientUntil = performance.now() + COMMAND_PATIENCE_MS;
  const logOf = async () => (await import('./workers/threadLog.ts')).createLog('main');
  const tryStart = () => start(options, logOf, { oneCommand: !isForWindow });
  let started = await tryStart();
  for (let waits = 0; 'heldBy' in started; waits += 1) {
    const running = await tryRunningCompanion(started.dataDir);
    if (running !== undefined) return running;
    if (started.heldBy?.url === undefined) {
      // Another command, which will be done soon, or a companion that is not listening yet.
      if (performance.now() > patientUntil) throw heldError(started.heldBy);
      if (waits === 0) process.stderr.write('Waiting for another command in this data directory.\n');
      await delay(COMMAND_RETRY_MS);
      started = await tryStart();
      continue;
    }
    const { httpLink } = await import('./cli/httpLink.ts');
    return { link: httpLink(started.heldBy.url), close: async () => {} };
  }
  const { companion, lock } = started;
  return {
    link: asOwner(companion),
    endsHere: true,
    close: async () => {
      await companion.stop();
      lock.release();
    },
  };
}

/** What went wrong is in the answer of such a command; beside it only faults of ours are logged. */
async function openForCommand(options: LocalOptions): Promise<OpenedLink> {
  process.env['WALLET_COMPANION_LOG'] ??= 'error';
  return openLocal(options);
}

/** Not by way of the directory's lock: to try it would be in the way of a companion that starts. */
async function connectEvents(
  options: LocalOptions,
  listener: EventListener,
  onLost: () => void,
): Promise<EventConnection> {
  const { createSocketLink } = await import('./ipc/socketLink.ts');
  const { socketPath } = await import('./ipc/socketPath.ts');
  const link = createSocketLink(socketPath(directoriesFor(options).dataDir), onLost);
  try {
    // An answer first, so that a companion that is not there is told apart from one that is lost.
    unwrap(await link.dispatch('system.version', {}, { requestId: randomUUID() }));
    link.subscribe(listener);
    return { link, close: () => link.close() };
  } catch (error) {
    link.close();
    throw error;
  }
}

async function demo(once: boolean): Promise<number> {
  const { runDemo } = await import('./devnet/demo.ts');
  return runDemo(!once);
}

async function devnet(options: DevnetOptions): Promise<number> {
  const { serveDevnet } = await import('./devnet/serve.ts');
  await serveDevnet(options);
  return 0;
}

/** Not while a companion runs: it has read the file, and would write over the change or not know of it. */
async function changeSettings(
  options: LocalOptions,
  change: (now: LocalSettings) => Partial<LocalSettings>,
): Promise<LocalSettings> {
  const { openConfigFile } = await import('./storage/config/configFile.ts');
  const { acquireDirectoryLock } = await import('./storage/sqlite/directoryLock.ts');
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

async function serviceSurroundings(): Promise<ServiceSurroundings> {
  const { runVisibly } = await import('./service/runVisibly.ts');
  const { replaceFile } = await import('./storage/files/atomicFile.ts');
  return {
    platform: process.platform,
    env: process.env,
    homeDir: homedir(),
    uid: process.getuid?.(),
    replaceFile,
    run: runVisibly,
    print: (text) => void process.stdout.write(text),
  };
}

async function installed(
  options: ServeOptions,
  more: ServiceInstall,
  passwordFile?: string,
): Promise<number> {
  const { installService } = await import('./service/serviceCommand.ts');
  const { wordsOf } = await import('./service/serviceOptions.ts');
  const { configDir, dataDir } = directoriesFor(options);
  const service = {
    node: process.execPath,
    main: fileURLToPath(import.meta.url),
    configDir,
    dataDir,
    args: wordsOf(options),
    withoutNamespaces: !more.namespaces,
    ...(passwordFile === undefined ? {} : { passwordFile: path.resolve(passwordFile) }),
  };
  return installService(service, await serviceSurroundings(), more.print);
}

async function manageService(action: ServiceAction): Promise<number> {
  const { manageService: manage } = await import('./service/serviceCommand.ts');
  return manage(action, await serviceSurroundings());
}

const environment: CliEnvironment = {
  installService: installed,
  manageService,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  version,
  serve,
  desktop,
  openLocal: openForCommand,
  connectEvents,
  logFiles: (options) => logFiles(directoriesFor(options).dataDir),
  demo,
  devnet,
  changeSettings,
  requestId: randomUUID,
  now: () => new Date(),
  onInterrupt: (callback) => {
    process.on('SIGINT', callback);
    // The terminal is gone: what runs ends in order, as after Ctrl-C.
    const deafen = onHangup(callback);
    return () => {
      process.off('SIGINT', callback);
      deafen();
    };
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
