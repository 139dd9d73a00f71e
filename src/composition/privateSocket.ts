// Serves the companion on the socket in its data directory, and finds a running one there.

import { randomUUID } from 'node:crypto';
import { faultFields } from '@wallet-companion/client/contract';
import type { OpenedLink } from '../cli/cliEnvironment.ts';
import { livingLink } from '../cli/signOfLife.ts';
import { isOwnSocket, socketPath } from '../ipc/socketPath.ts';
import type { SocketServing } from '../ipc/socketServer.ts';
import type { EventLogs } from '../protocol/eventLogs.ts';
import type { AccessControl } from '../protocol/grants.ts';
import type { JsonLink, Link } from '../protocol/link.ts';
import type { CallContext } from '../protocol/operations.ts';
import type { Companion } from '../workers/companion.ts';
import type { Log } from '../workers/threadLog.ts';

/** HTTP works without it, so a data directory with a path too long for a socket does not prevent the start. */
export async function openPrivateSocket(
  companion: Companion,
  events: EventLogs,
  access: AccessControl,
  dataDir: string,
  log: Log,
): Promise<SocketServing | undefined> {
  try {
    const { serveSocket } = await import('../ipc/socketServer.ts');
    return await serveSocket({
      link: asOwner(companion),
      events,
      path: socketPath(dataDir),
      requestId: randomUUID,
      access,
    });
  } catch (error) {
    log.warn(faultFields(error), 'no private socket: the C library cannot reach this companion');
    return undefined;
  }
}

/**
 * The link through a running companion's socket, where there is one: passwords then do not travel over HTTP. `who` is it,
 * for a failure.
 */
export async function tryRunningCompanion(dataDir: string, who: string): Promise<OpenedLink | undefined> {
  try {
    const file = socketPath(dataDir);
    if (!isOwnSocket(file)) return undefined;
    const { createSocketLink } = await import('../ipc/socketLink.ts');
    const link = createSocketLink(file);
    return { link: livingLink(who, link), close: async () => link.close() };
  } catch {
    return undefined;
  }
}

// The same companion for callers that could also edit its files: the command line and the private socket.

/** A caller that has presented a grant is not the owner. */
const owned = (context: CallContext): CallContext => ({ ...context, byOwner: context.grant === undefined });

export const asOwner = (link: Link & JsonLink): Link & JsonLink => ({
  dispatchJson: (name, body, context) => link.dispatchJson(name, body, owned(context)),
  dispatch: (name, input, context) => link.dispatch(name, input, owned(context)),
  health: () => link.health(),
  subscribe: (listener, wallet) => link.subscribe(listener, wallet),
});
