// A process with a companion, its fronts and nothing else: `memoryCompanion.js CONFIG_DIR DATA_DIR`. Tells over IPC
// where it listens, and calls its own link and a message port when asked to.
import { MessageChannel } from 'node:worker_threads';
import { pino } from 'pino';
import { createHttpApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/server/listen.ts';
import { type ChannelPort, portLink, servePort } from '../../src/ipc/messagePort.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { serveSocket } from '../../src/ipc/socketServer.ts';
import type { Link } from '../../src/protocol/link.ts';
import type { OperationName } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { createDataDirectory } from '../../src/storage/files/directories.ts';
import { Companion } from '../../src/workers/companion.ts';
import { openAccess } from './grantBed.ts';

/** More calls than the front lets through in so short a time. */
const UNLIMITED = { requestsPerSecond: 1_000_000, burst: 1_000_000 };

export interface Listening {
  readonly url: string;
}

/** `count` calls one after the other, on the link itself or through a message port. */
export interface CallsMessage {
  readonly calls: { readonly on: 'link' | 'port'; readonly name: OperationName; readonly input: object };
  readonly count: number;
}

const [, , configDir = '', dataDir = ''] = process.argv;
createDataDirectory(dataDir);
const companion = Companion.start({
  configDir,
  dataDir,
  overrides: {},
  version: '0.0.0',
  scanThreads: 2,
  log: pino({ level: 'silent' }),
});
const requestId = (): string => 'memory';
const app = createHttpApp({
  link: companion,
  access: openAccess(),
  logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  clock: () => performance.now(),
  requestId,
  rateLimit: UNLIMITED,
});
const listening = await listen({ app, host: '127.0.0.1', port: 0, requestId });
await serveSocket({ link: companion, path: socketPath(dataDir), requestId });
const { port1, port2 } = new MessageChannel();
servePort(port1 as unknown as ChannelPort, companion, requestId);
const links: Record<CallsMessage['calls']['on'], Pick<Link, 'dispatch'>> = {
  link: companion,
  port: portLink(port2 as unknown as ChannelPort),
};

process.on('message', (message) => {
  const { calls, count } = message as Partial<CallsMessage>;
  if (calls === undefined || count === undefined) return;
  const call = async (): Promise<void> => {
    for (let i = 0; i < count; i++)
      unwrap(await links[calls.on].dispatch(calls.name, calls.input, { requestId: 'memory' }));
  };
  call().then(
    () => process.send?.({ called: count }),
    (error: unknown) => process.send?.({ called: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ listening: { url: listening.url } satisfies Listening });
