// What a lock reads over the memory of earlier reads. That it is gone then, memoryAfterLock.full.test.ts sees on Node 24 and 26.

import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import test from 'ava';
import { overwriteReadBlock } from '../../src/workers/readBlock.ts';

const BLOCK_BYTES = 64 * 1024;

test.serial('a whole block of zeros is read where the block lasts, and nothing stays open', async (t) => {
  const reading = new Promise<Socket>((resolve) => {
    subscribe('net.server.socket', (reported) => resolve((reported as { socket: Socket }).socket));
  });
  // It keeps no process from ending.
  const awake = setInterval(() => undefined, 1_000);
  t.teardown(() => clearInterval(awake));
  overwriteReadBlock('24.0.0');
  const socket = await reading;
  let largest = 0;
  socket.on('data', (piece: Buffer) => {
    largest = Math.max(largest, piece.length);
    t.true(piece.every((byte) => byte === 0));
  });
  await once(socket, 'close');
  t.is(largest, BLOCK_BYTES);
  t.true(socket.bytesRead > BLOCK_BYTES);
});

test.serial('earlier releases free the block: no connection is made', (t) => {
  subscribe('net.client.socket', () => t.fail());
  for (const node of ['20.19.0', '22.9.0']) overwriteReadBlock(node);
  t.pass();
});
