// The server's sockets: loopback only, with limits that stop a slow or broken client before it affects other clients.

import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { overwriteReadBuffer } from '@wallet-companion/base/memory';
import { DEFAULT_PORT } from '@wallet-companion/client/contract';
import { Connections } from './connections.ts';
import { type Bound, bindLoopback, type LoopbackAddress, loopbackAddresses } from './loopbackPorts.ts';
import { Pipelines } from './pipelines.ts';
import { problemResponse, rawProblemResponse } from './problems.ts';

/** The limit of request line and headers; the longest valid query (a URL and a path) is far shorter. */
const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** The limit for receiving one request, body included. Answers may take longer: a sync runs for minutes. */
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 5_000;
/** How often the server checks the limits above. */
const CHECK_INTERVAL_MS = 2_000;
const MAX_CONNECTIONS = 512;
/** How long an answer may stay unread. */
const STALL_MS = 30_000;

export interface ListenOptions {
  readonly app: { callback(): RequestListener };
  /** `127.0.0.1`, `::1`, or `localhost` (default) for both. */
  readonly host?: string;
  /** Port 0 picks a free one. */
  readonly port?: number;
  readonly requestId: () => string;
  /** How long an idle connection is kept open. */
  readonly keepAliveMs?: number;
  /** How long receiving the headers of a request, and all of it, may take; 0 means no limit. */
  readonly headersMs?: number;
  readonly requestMs?: number;
  /** How long an answer may stay unread. */
  readonly stallMs?: number;
  /** The limit of connections to each address. */
  readonly maxConnections?: number;
}

export interface Listening {
  readonly port: number;
  readonly url: string;
  readonly addresses: readonly LoopbackAddress[];
  /** Stops accepting, gives requests that have arrived in full `graceMs` to end, then cuts the connections. */
  close(graceMs?: number): Promise<void>;
}

export async function listen(options: ListenOptions): Promise<Listening> {
  const wanted = loopbackAddresses(options.host);
  const handler = options.app.callback();
  const bound = await bindLoopback(
    (address, port) => {
      const connections = new Connections(options.maxConnections ?? MAX_CONNECTIONS);
      return bind(guardedServer(handler, connections, options), connections, address, port);
    },
    wanted,
    options.port ?? DEFAULT_PORT,
  );
  const addresses = [...bound.keys()];
  const servers = [...bound.values()];
  const [first] = addresses;
  const [main] = servers;
  if (first === undefined || main === undefined) throw new RangeError('no address to listen on');
  return {
    port: main.port,
    url: first === '::1' ? `http://[::1]:${main.port}` : `http://${first}:${main.port}`,
    addresses,
    close: async (graceMs = 0) => {
      await Promise.all(servers.map((server) => server.close(graceMs)));
    },
  };
}

interface ListeningServer extends Bound {
  close(graceMs?: number): Promise<void>;
}

function guardedServer(
  handler: RequestListener,
  connections: Connections,
  {
    requestId,
    keepAliveMs = KEEP_ALIVE_MS,
    headersMs = HEADERS_TIMEOUT_MS,
    requestMs = REQUEST_TIMEOUT_MS,
    stallMs = STALL_MS,
  }: ListenOptions,
): Server {
  const pipelines = new Pipelines();
  // The guard refuses a missing Host itself, with a problem document.
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    (request, response) => {
      if (!connections.admit(request, response)) return refuseFlood(request.socket, response, requestId());
      pipelines.add(request, response, async () => {
        connections.dropUnread();
        await handler(request, response);
      });
    },
  );
  // No limit on the header count: an Origin after two thousand other headers would be dropped. Their bytes are limited.
  server.maxHeadersCount = 0;
  server.on('connection', wipeWhatWasRead);
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.keepAliveTimeout = keepAliveMs;
  // The limit for a connection without traffic; a connection that waits for its answer is not cut.
  server.timeout = stallMs;
  server.on('timeout', connections.stalled);
  server.on('connection', connections.accept);
  // Node would answer these two itself, without a problem document. An unknown expectation may be ignored, and this
  // server is not a proxy.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => refuseTunnel(socket, requestId()));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseUnparsed(error, socket, requestId()),
  );
  return server;
}

/**
 * Without a listener, Node's parser, which copies what it emits, reads from the socket into one buffer for all
 * connections, where a body stays until another body is as long. With these listeners every chunk has a buffer of its
 * own, copied from a block that is free again. That block is overwritten before the parser takes memory from it; Node's
 * listener comes between, so the chunk is parsed when it is wiped.
 */
function wipeWhatWasRead(socket: Socket): void {
  socket.prependListener('data', overwriteReadBuffer).on('data', (piece: Buffer) => piece.fill(0));
}

/** The refusal follows the answers to earlier requests, and closes the connection; nothing after it is read. */
function refuseFlood(socket: Socket, response: ServerResponse, requestId: string): void {
  if (socket.isPaused()) return;
  socket.pause();
  const detail = 'Too many requests wait for their answers on this connection; wait for some of them.';
  const { status, headers, body } = problemResponse({ code: 'RATE_LIMITED', detail }, requestId);
  response.writeHead(status, { ...headers, connection: 'close', 'x-request-id': requestId }).end(body);
}

function refuseTunnel(socket: Duplex, requestId: string): void {
  const detail = 'This is no proxy; CONNECT is not allowed here.';
  socket.on('error', () => socket.destroy());
  const allow = 'GET, HEAD, POST, OPTIONS';
  socket.end(rawProblemResponse({ code: 'METHOD_NOT_ALLOWED', detail }, requestId, { allow }));
}

function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex, requestId: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const detail =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The request line and headers are too long.'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'The request did not arrive in time.'
        : 'This is not a valid HTTP request.';
  socket.end(rawProblemResponse({ code: 'INVALID_REQUEST', detail }, requestId));
}

function bind(
  server: Server,
  connections: Connections,
  host: LoopbackAddress,
  port: number,
): Promise<ListeningServer> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        close: (graceMs = 0) => closeServer(server, connections, graceMs),
      }),
    );
  });
}

function closeServer(server: Server, connections: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(connections.cutAll, graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    connections.end();
  });
}
