// The private socket of an allowance signer. A caller writes its request and ends its side; the answer is one line of JSON.

import { createServer, type Socket } from 'node:net';
import type { After } from '@wallet-companion/base/async';
import { concatBytes } from '@wallet-companion/base/bytes';
import { listenOnSocket } from '../ipc/listenOnSocket.ts';
import { MAX_REQUEST_BYTES } from './requests.ts';

/** A companion asks for one payment at a time. */
const MAX_CONNECTIONS = 8;
/** For a request to be whole, and again for its answer to be read. */
const PATIENCE_MS = 30_000;

export interface SignerSocketOptions {
  readonly path: string;
  /** The group (its number) that may connect, besides the owner. */
  readonly group: number | undefined;
  /** Does not reject. */
  readonly answer: (request: Uint8Array) => Promise<object>;
  readonly after: After;
}

/** Resolves once it listens; the function stops that. Rejects with `STORAGE_FAILED`. */
export async function serveSigner({ path, group, answer, after }: SignerSocketOptions): Promise<() => void> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    serveOne(socket, answer, after);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listenOnSocket(server, path, group);
  return () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
}

function serveOne(socket: Socket, answer: SignerSocketOptions['answer'], after: After): void {
  const parts: Uint8Array[] = [];
  let length = 0;
  const end = (): void => void socket.destroy();
  let giveUp = after(PATIENCE_MS, end);
  socket.on('error', end);
  socket.on('close', () => giveUp());
  socket.on('data', (part) => {
    length += part.length;
    if (length > MAX_REQUEST_BYTES) end();
    else parts.push(part as Buffer);
  });
  socket.on('end', () => {
    // The payments before it may take their time.
    giveUp();
    void answer(concatBytes(...parts)).then((json) => {
      giveUp = after(PATIENCE_MS, end);
      socket.end(`${JSON.stringify(json)}\n`);
    });
  });
}
