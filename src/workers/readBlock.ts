// In Node 24 and 26 everything that a thread reads from its sockets passes through one block of native memory, which lasts as
// long as the thread. What a read left there only the next one overwrites, from the beginning: the end of a long message, such
// as the phrase of a restore, stays until another one is as long. Earlier releases free the block: `overwriteReadBuffer`.

import { connect, createServer, type Socket } from 'node:net';

const LASTING_BLOCK_NODE = 24;
/** Node reads so much at once. */
const BLOCK_BYTES = 64 * 1024;
/** Some of it arrives while the rest is read: among so many blocks, one is read as a whole. */
const BLOCKS = 32;
/** Zeros over loopback take a few milliseconds. */
const PATIENCE_MS = 2_000;

/** Reads zeros over what this thread has read, soon. Nothing happens where the system allows no connection. */
export function overwriteReadBlock(node = process.versions.node): void {
  if (Number(node.split('.')[0]) < LASTING_BLOCK_NODE) return;
  const server = createServer({ pauseOnConnect: true }, (reading) => {
    server.close();
    // Nothing that somebody else may send is kept.
    endIn(reading);
    setImmediate(() => reading.resume());
  });
  server.on('error', () => undefined).unref();
  server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
    const { port } = server.address() as { readonly port: number };
    const writing = connect({ port, host: '127.0.0.1' });
    endIn(writing);
    writing.once('error', () => server.close());
    writing.resume().end(Buffer.alloc(BLOCKS * BLOCK_BYTES));
  });
}

function endIn(socket: Socket): void {
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy()).unref();
}
