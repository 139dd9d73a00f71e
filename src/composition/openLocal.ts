// The companion for a command: one in this process, or the one that already holds the data directory.

import { setTimeout as delay } from 'node:timers/promises';
import type { LocalOptions, OpenedLink } from '../cli/cliEnvironment.ts';
import { asOwner, tryRunningCompanion } from './privateSocket.ts';
import { heldError, holderOf, start } from './start.ts';

/** Concurrent commands take turns; a command does not wait longer than this for a scan. */
const COMMAND_PATIENCE_MS = 5_000;
const COMMAND_RETRY_MS = 100;

/** A command's answer reports its failures; the log gets only the companion's own faults. */
export async function openForCommand(options: LocalOptions): Promise<OpenedLink> {
  process.env['WALLET_COMPANION_LOG'] ??= 'error';
  return openLocal(options);
}

export async function openLocal(options: LocalOptions, isForWindow = false): Promise<OpenedLink> {
  const patientUntil = performance.now() + COMMAND_PATIENCE_MS;
  const logOf = async () => (await import('../workers/threadLog.ts')).createLog('main');
  const tryStart = () => start(options, logOf, { oneCommand: !isForWindow });
  let started = await tryStart();
  for (let waits = 0; 'heldBy' in started; waits += 1) {
    const running = await tryRunningCompanion(started.dataDir, holderOf(started));
    const url = started.heldBy?.url;
    if (running !== undefined) return { ...running, ...(url === undefined ? {} : { url }) };
    if (url !== undefined) {
      const { httpLink } = await import('../cli/httpLink.ts');
      return { link: httpLink(url), url, close: async () => {} };
    }
    // Another command holds it and will end soon, or a companion that is not listening yet.
    if (performance.now() > patientUntil) throw heldError(started);
    if (waits === 0) process.stderr.write('Waiting for another command in this data directory.\n');
    await delay(COMMAND_RETRY_MS);
    started = await tryStart();
  }
  const { companion, lock, grants } = started;
  return {
    link: asOwner(companion),
    endsHere: true,
    close: async () => {
      await companion.stop();
      await grants.book.close();
      lock.release();
    },
  };
}
