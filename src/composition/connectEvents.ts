// Receives the events of a running companion over its private socket.

import { randomUUID } from 'node:crypto';
import type { ConnectEvents, LocalOptions } from '../cli/cliEnvironment.ts';
import { livingLink } from '../cli/signOfLife.ts';
import { createSocketLink } from '../ipc/socketLink.ts';
import { socketPath } from '../ipc/socketPath.ts';
import { unwrap } from '../protocol/result.ts';
import { directoriesFor } from './directories.ts';

/** Does not try the directory's lock: holding it for a moment would block a companion that starts. */
export function socketEvents(options: LocalOptions, wallet?: string): ConnectEvents {
  let lost = (): void => undefined;
  let isListening = false;
  // One link for all connections: it resumes after the last event.
  const link = createSocketLink(socketPath(directoriesFor(options).dataDir), { onLost: () => lost() });
  const living = livingLink('The companion of this data directory', link);
  const connection = { link: living, close: () => link.close() };
  return async (listener, onLost) => {
    try {
      // A call first, which distinguishes a missing companion from one that is lost later.
      unwrap(await living.dispatch('system.version', {}, { requestId: randomUUID() }));
    } catch (error) {
      if (!isListening) link.close();
      throw error;
    }
    lost = onLost;
    if (!isListening) link.subscribe(listener, wallet);
    isListening = true;
    return connection;
  };
}
