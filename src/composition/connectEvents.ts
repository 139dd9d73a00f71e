// What a running companion tells, heard on its private socket.

import { randomUUID } from 'node:crypto';
import type { EventConnection, LocalOptions } from '../cli/cliEnvironment.ts';
import { createSocketLink } from '../ipc/socketLink.ts';
import { socketPath } from '../ipc/socketPath.ts';
import type { EventListener } from '../protocol/events.ts';
import { unwrap } from '../protocol/result.ts';
import { directoriesFor } from './directories.ts';

/** Not by way of the directory's lock: to try it would be in the way of a companion that starts. */
export async function connectEvents(
  options: LocalOptions,
  listener: EventListener,
  onLost: () => void,
  wallet?: string,
): Promise<EventConnection> {
  const link = createSocketLink(socketPath(directoriesFor(options).dataDir), onLost);
  try {
    // An answer first, so that a companion that is not there is told apart from one that is lost.
    unwrap(await link.dispatch('system.version', {}, { requestId: randomUUID() }));
    link.subscribe(listener, wallet);
    return { link, close: () => link.close() };
  } catch (error) {
    link.close();
    throw error;
  }
}
