// A Redis that wants the memory of those who connect to it: replies without an end, sizes that it announces and never sends.

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { loadQueuePackages } from '../src/fleet/queue/queuePackages.ts';

const MIB = 2 ** 20;
/** More than any reply may have, and no more than a test may write. */
const ENOUGH = 256 * MIB;

/** Answers the first command of each connection with `head`, and goes on with `filler` until the connection ends. */
async function startHostile(t: ExecutionContext, head: string, filler: Buffer) {
  let written = 0;
  let ended = (): void => undefined;
  const isEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const pour = (socket: Socket): void => {
    while (!socket.destroyed && written < ENOUGH) {
      written += filler.length;
      if (!socket.write(filler)) return void socket.once('drain', () => pour(socket));
    }
    // A companion that reads all of it is not one that stops by itself.
    if (written >= ENOUGH) socket.destroy();
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('close', ended);
    socket.once('data', () => {
      socket.write(head);
      pour(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as { port: number };
  return { port, isEnded, written: () => written };
}

const HOSTILE: Readonly<Record<string, readonly [head: string, filler: Buffer]>> = {
  'a string that never ends': ['$2147483647\r\n', Buffer.alloc(64 * 1024, 'a')],
  'a line that never ends': ['+', Buffer.alloc(64 * 1024, 'a')],
  'a list of empty lists that never ends': ['*2147483647\r\n', Buffer.from('*0\r\n'.repeat(16_384))],
  'lists in lists': ['', Buffer.from('*2\r\n'.repeat(16_384))],
  'lists of sizes that never come': ['', Buffer.from('*33000000\r\n'.repeat(6_000))],
  'a map of numbers': ['%2147483647\r\n', Buffer.from(':1\r\n'.repeat(16_384))],
};

for (const [what, [head, filler]] of Object.entries(HOSTILE))
  test(`${what} ends the connection before it fills the memory`, async (t) => {
    const hostile = await startHostile(t, head, filler);
    const { connect } = await loadQueuePackages();
    const client = connect({ host: '127.0.0.1', port: hostile.port, db: 0, tls: false }, undefined);
    t.teardown(() => client.disconnect());
    await hostile.isEnded;
    // What both ends' system has in its buffers is beyond the limit of a reply.
    t.true(hostile.written() < 64 * MIB, `${hostile.written() / MIB} MiB`);
  });
