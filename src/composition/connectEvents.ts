// Receives the events of a running companion over its private socket.

import { randomUUID } from 'node:crypto';
import type { EventConnection, LocalOptions } from '../cli/cliEnvironment.ts';
import { livingLink } from '../cli/signOfLife.ts';
import { createSocketLink } from '../ipc/socketLink.ts';
import { socketPath } from '../ipc/socketPath.ts';
import type { EventListener } from '../protocol/events.ts';
import { unwrap } from '../protocol/result.ts';
import { directoriesFor } from './directories.ts';

/** Does not try the directory's lock: holding it for a moment would block a companion that starts. */
export async function connectEvents(
  options: LocalOptions,
  listener: EventListener,
  onLost: () => void,
  wallet?: string,
): Promise<EventConnection> {
  const link = createSocketLink(socketPath(directoriesFor(options).dataDir), {
    // The caller connects anew, and shows the state.
    onLost: () => {
      link.close();
      onLost();
    },
  });
  try {
    // A call first, which distinguishes a missing companion from one that is lost later.
    const living = livingLink('The companion of this data directory', link);
    unwrap(await living.dispatch('system.version', {}, { requestId: randomUUID() }));
    link.subscribe(listener, wallet);
    return { link: living, close: () => link.close() };
  } catch (error) {
    link.close();
    throw error;
  }
}
