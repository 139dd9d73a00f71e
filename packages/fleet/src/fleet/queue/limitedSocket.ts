// The connection to Redis, ended when a reply becomes larger than any that a fleet needs. Bytes are counted before they
// reach the socket's buffer: a `data` listener here would run after the decoder's.

import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisAddress } from './redisAddress.ts';
import { ReplyLimit } from './replyLimit.ts';

export function limitedSocket({ host, port, tls }: RedisAddress): Socket {
  const socket = tls ? connectTls({ host, port, servername: host }) : connectPlain({ host, port });
  const limit = new ReplyLimit();
  const push = socket.push.bind(socket);
  socket.push = (chunk: Uint8Array | null, encoding) => {
    if (chunk === null || limit.accepts(chunk)) return push(chunk, encoding);
    socket.destroy(new Error('a reply of Redis is too large'));
    return false;
  };
  return socket;
}
