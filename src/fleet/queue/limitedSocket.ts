// The connection to Redis, ended where a reply becomes larger than any that a fleet needs. It is counted before it is in
// the buffer of the socket: a listener of ours would be called after the decoder's.

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
