// A channel over any MessagePort: from worker_threads, a web page's MessageChannel or Electron's renderer.

import { CompanionError } from '../protocol/errors.ts';
import { EventLogs } from '../protocol/eventLogs.ts';
import type { HealthReport, Link } from '../protocol/link.ts';
import { type CallContext, type OperationName, type Output, operations } from '../protocol/operations.ts';
import { type Result, unwrap } from '../protocol/result.ts';
import { Caller } from './caller.ts';
import { Listeners } from './listeners.ts';
import type { Message } from './messages.ts';
import { HEALTH_COMMAND, SUBSCRIBE_COMMAND, UNSUBSCRIBE_COMMAND } from './messages.ts';
import { Peer } from './peer.ts';

type PortListener = (event: { readonly data: unknown }) => void;

/** What the kinds of ports have in common. */
export interface ChannelPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message' | 'close', listener: PortListener): void;
  removeEventListener(type: 'message' | 'close', listener: PortListener): void;
  start?(): void;
  close(): void;
}

/** Serves the link on the port. The other end may call everything: pass it to trusted code only. */
export function servePort(port: ChannelPort, link: Link, requestId: () => string): () => void {
  // A port never breaks, so none resumes and nothing is kept.
  const events = new EventLogs(link, 0);
  const peer = new Peer({ link, events, requestId, send: (message) => port.postMessage(message) });
  const onMessage: PortListener = ({ data }) => void peer.receive(data);
  const stop = () => {
    port.removeEventListener('message', onMessage);
    port.removeEventListener('close', stop);
    peer.close();
    events.close();
  };
  port.addEventListener('message', onMessage);
  port.addEventListener('close', stop);
  port.start?.();
  return () => {
    stop();
    port.close();
  };
}

export interface ClosableLink extends Link {
  close(): void;
}

/** The link through the other end of a served port. */
export function portLink(port: ChannelPort): ClosableLink {
  const listeners: Listeners = new Listeners(
    (wallet) => void caller.call(SUBSCRIBE_COMMAND, {}, undefined, wallet),
    (wallet) => void caller.call(UNSUBSCRIBE_COMMAND, {}, undefined, wallet),
  );
  const caller = new Caller(sender(port), listeners.emit);
  const onMessage: PortListener = ({ data }) => caller.receive(data);
  const onClose = () => {
    port.removeEventListener('message', onMessage);
    caller.lose(new CompanionError('COMPANION_UNREACHABLE', 'The channel to the companion is closed.'));
  };
  port.addEventListener('message', onMessage);
  port.addEventListener('close', onClose);
  port.start?.();
  return {
    dispatch: async <N extends OperationName>(name: N, input: unknown, { requestId, wallet }: CallContext) =>
      (await caller.call(operations[name].ipc, input, requestId, wallet)) as Result<Output<N>>,
    health: async () => unwrap(await caller.call(HEALTH_COMMAND, {})) as HealthReport,
    subscribe: (listener, wallet) => listeners.add(listener, wallet),
    close() {
      onClose();
      port.close();
    },
  };
}

/** A value that cannot be cloned (a function, say) is the caller's mistake, not a fault. */
function sender(port: ChannelPort): (message: Message) => void {
  return (message) => {
    try {
      port.postMessage(message);
    } catch (cause) {
      throw new CompanionError('INVALID_REQUEST', 'The input must be plain data.', { cause });
    }
  };
}
