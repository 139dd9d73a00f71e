// `serve`: the companion with all its fronts, from the lock of its data directory to the signal that ends it.

import { randomUUID } from 'node:crypto';
import { DEFAULT_WALLET, faultFields, walletField } from '@wallet-companion/client/contract';
import { freeDiskBytes } from '@wallet-companion/disk/files';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import type { ServeOptions } from '../cli/cliEnvironment.ts';
import type { Listening } from '../http/server/listen.ts';
import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import { Alarms } from '../service/alarms/alarms.ts';
import { areThreadsAnswering, logMissingServers, logStart } from '../service/companionService.ts';
import { debuggerCheck, isDebuggerOpen } from '../service/doctor/debuggerCheck.ts';
import { onHangup } from '../service/hangup.ts';
import { serviceManager } from '../service/notify.ts';
import { LineWriter } from '../terminal/lineWriter.ts';
import { logStory } from '../workers/story.ts';
import { createLog, environmentLevel, type Log, logInto } from '../workers/threadLog.ts';
import { directoriesFor, VERSION } from './directories.ts';
import { every } from './every.ts';
import { openPrivateSocket } from './privateSocket.ts';
import { heldError, type Started, start } from './start.ts';
import { endRequested, stopInOrder } from './stopping.ts';

const ALARMS_EVERY_MS = 60_000;

export async function serve(
  options: ServeOptions,
  password?: StartPassword,
  otherPasswords: ReadonlyMap<string, StartPassword> = new Map(),
): Promise<number> {
  const passwords = new Map([
    ...(password === undefined ? [] : [[DEFAULT_WALLET, password] as const]),
    ...otherPasswords,
  ]);
  const isTerminal = process.stdout.isTTY && process.stderr.isTTY && options.logJson !== true;
  logInto(options.noLogFile ? undefined : directoriesFor(options).dataDir, isTerminal ? 'text' : 'json');
  const log = createLog('main');
  const logOf = ({ log_level: level }: Config): Log => {
    log.level = level ?? environmentLevel();
    return log;
  };
  const started = await start(options, logOf, { passwords });
  if ('heldBy' in started) throw heldError(started);
  const { companion, events, lock, dataDir, hooks, grants, prices } = started;
  // From the start: a client of an earlier run gets what happens before it is here again.
  for (const wallet of new Set([DEFAULT_WALLET, ...passwords.keys()])) events.use(wallet);
  for (const warning of started.configWarnings) log.warn({}, warning);
  const { what, do: todo } = debuggerCheck(isDebuggerOpen());
  if (todo !== null) log.warn({}, `${what} ${todo}`);
  // Loaded while the threads start, which takes as long.
  const front = options.noHttp === true ? undefined : loadFront();
  const stopping = new AbortController();
  const endStory = logStory(companion, log);
  const deafen = onHangup(() => void reload(started, log));
  const warn = (code: string) =>
    log.warn({ code }, 'the service manager cannot be told; is systemd-notify there?');
  const manager = serviceManager({ env: process.env, pid: process.pid, every, warn });
  let endWatch = () => {};
  let endAlarms = () => {};
  const alarms = alarmsOf(started);
  try {
    hooks.start(companion);
    prices.start();
    // Before other programs can call: a program that reads the listening line finds the wallet open.
    for (const wallet of passwords.keys())
      openOrFail(await companion.unlock(wallet), log.child(walletField(wallet)));
    const listening = front && (await listenOn(await front, options, started, stopping.signal, log));
    const socket = await openPrivateSocket(companion, events, grants.access, dataDir, log);
    if (listening === undefined && socket === undefined) throw noFront();
    const where = listening?.url ?? 'the private socket';
    if (listening !== undefined) await lock.announce(listening.url);
    // Before the listening line: a program that reads it may send a signal at once.
    const endReason = endRequested(options.endWithStdin);
    // Before the listening line: a program that reads it finds every file that a start creates, the log among them.
    logStart(started.config, { url: where, version: VERSION }, log);
    // Before the threads answer: calls that arrive earlier wait for them.
    const output = new LineWriter(process.stdout);
    output.write(`listening on ${where}\n`);
    if (isTerminal && listening !== undefined)
      output.write('Open this address in a browser. Leave the terminal open: Ctrl-C ends the companion.\n');
    // The service manager is notified when the wallet thread answers.
    await companion.dispatch('config.get', {}, { requestId: 'start' });
    await manager.ready();
    if (!started.namesServer) void logMissingServers(companion, randomUUID, log);
    endAlarms = every(ALARMS_EVERY_MS, alarms);
    alarms();
    endWatch = manager.watch(() => areThreadsAnswering(companion, randomUUID));
    log.info({ signal: await endReason }, 'stopping');
    endAlarms();
    void manager.stopping();
    void hooks.stop();
    await stopInOrder(companion, listening, stopping, log);
    await socket?.close();
    return 0;
  } finally {
    endWatch();
    endAlarms();
    deafen();
    prices.stop();
    const hooksStopped = hooks.stop();
    await companion.stop();
    events.close();
    await Promise.all([hooksStopped, grants.book.close()]);
    endStory();
    for (const each of passwords.values()) each.forget();
    lock.release();
  }
}

function alarmsOf({ companion, settings, dataDir }: Started): () => void {
  const alarms = new Alarms({
    link: companion,
    emit: (event, wallet) => companion.emit(event, wallet),
    emitToAll: (event) => companion.emitToAll(event),
    freeDiskBytes: () => freeDiskBytes(dataDir),
    requestId: randomUUID,
    now: () => Date.now(),
    limits: settings,
  });
  return () => void alarms.check();
}

async function loadFront() {
  const [{ createHttpApp }, { listen }, { readDashboard }] = await Promise.all([
    import('../http/app.ts'),
    import('../http/server/listen.ts'),
    import('@wallet-companion/dashboard'),
  ]);
  return { createHttpApp, listen, readDashboard };
}

function listenOn(
  { createHttpApp, listen, readDashboard }: Awaited<ReturnType<typeof loadFront>>,
  { port, host }: ServeOptions,
  { companion, events, grants, dataDir }: Started,
  stopping: AbortSignal,
  log: Log,
): Promise<Listening> {
  const app = createHttpApp({
    link: companion,
    access: grants.access,
    logger: log,
    clock: () => performance.now(),
    requestId: randomUUID,
    stopping,
    events,
    dashboard: readDashboard(),
    freeDiskBytes: () => freeDiskBytes(dataDir),
  });
  return listen({ app, port, ...(host === undefined ? {} : { host }), requestId: randomUUID });
}

const noFront = (): CompanionError =>
  new CompanionError(
    'STORAGE_FAILED',
    'The private socket cannot be made in the data directory, and --no-http leaves nothing else to listen on.',
  );

/** A file with mistakes is reported, and changes nothing. */
async function reload({ companion, hooks, programs, prices }: Started, log: Log): Promise<void> {
  const result = await companion.reload();
  if (result.ok) {
    try {
      await hooks.configure(result.value.on_event);
    } catch (error) {
      log.error(faultFields(error), 'on_event not read again');
    }
    for (const role of ['prover', 'signer'] as const) programs[role].configure(result.value[role]);
    const { price_source: source, price_max_age_minutes: maxAge, rates_file: ratesFile } = result.value;
    prices.configure(source, maxAge, ratesFile);
    const { allowed_origins: allowedOrigins, anonymous_access: anonymousAccess } = result.value;
    log.info({ origins: allowedOrigins.length, anonymousAccess, level: log.level }, 'config.json read again');
  } else log.error({ code: result.error.code, detail: result.error.detail }, 'config.json not read again');
}

// The result of unlocking the wallet with the password of the start.

/**
 * A service may be set up before there is a wallet; a password that does not open an existing wallet fails the start.
 */
export function openOrFail(error: ErrorRecord | undefined, log: Log): void {
  if (error === undefined) return;
  if (error.code !== 'NO_WALLET') throw CompanionError.fromRecord(error);
  log.warn(
    {},
    'there is no wallet yet: the password was not used, and the companion starts without a session',
  );
}
