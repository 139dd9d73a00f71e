// BullMQ and ioredis are optional: loaded only where a fleet is used, absent where an installation left them out. The
// used parts are declared here, so that the program compiles without them, too.

import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { missingPackage } from './missingPackage.ts';
import type { RedisAddress } from './redisAddress.ts';
import { ReplyLimit } from './replyLimit.ts';

/** How long an ended connection may take to close. */
const DISCONNECT_MS = 2_000;

export interface RedisClient {
  on(event: 'ready' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  /** 0 where there is none. */
  strlen(key: string): Promise<number>;
  getBuffer(key: string): Promise<Uint8Array | null>;
  set(key: string, value: Buffer, token: 'EX', seconds: number): Promise<unknown>;
  del(key: string): Promise<number>;
  disconnect(): void;
}

export interface QueuedJob {
  readonly id?: string;
  readonly data: unknown;
}

export interface Queue {
  add(name: string, data: unknown, options: object): Promise<QueuedJob>;
  /** 0: it is being worked on, or not there. */
  remove(id: string): Promise<number>;
  /** `unknown`: it is not there. */
  getJobState(id: string): Promise<string>;
  getWorkersCount(): Promise<number>;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  close(): Promise<void>;
}

export interface QueueEvents {
  on(event: 'completed' | 'failed', listener: (reported: { readonly jobId: string }) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  close(): Promise<void>;
}

export interface QueueWorker {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  close(force?: boolean): Promise<void>;
}

type Named<T> = new (name: string, options: object) => T;

export interface BullMq {
  readonly Queue: Named<Queue>;
  readonly QueueEvents: Named<QueueEvents>;
  readonly Worker: new (
    name: string,
    work: (job: QueuedJob) => Promise<unknown>,
    options: object,
  ) => QueueWorker;
  readonly UnrecoverableError: new (message: string) => Error;
}

export interface QueuePackages {
  readonly bullmq: BullMq;
  /** A connection that waits for an unreachable Redis without limit. */
  readonly connect: (address: RedisAddress, password: string | undefined) => RedisClient;
}

interface IoRedis {
  readonly Redis: new (options: object) => RedisClient;
  readonly AbstractConnector: abstract new (
    disconnectTimeoutMs: number,
  ) => {
    stream?: Socket;
  };
}

/** Throws `INVALID_REQUEST`, which states what to install. */
export async function loadQueuePackages(load = loadPackage): Promise<QueuePackages> {
  const bullmq = (await load('bullmq')) as BullMq;
  const { Redis, AbstractConnector } = (await load('ioredis')) as IoRedis;
  const connect: QueuePackages['connect'] = (address, password) => {
    // BullMQ makes more clients from the options of one, so all have it.
    class Connector extends AbstractConnector {
      constructor() {
        super(DISCONNECT_MS);
      }
      async connect(): Promise<Socket> {
        this.stream = limitedSocket(address);
        return this.stream;
      }
    }
    const client = new Redis({
      Connector,
      db: address.db,
      ...(password === undefined ? {} : { password }),
      maxRetriesPerRequest: null,
      retryStrategy: (times: number) => Math.min(200 * times, 5_000),
    });
    // Emitted again and again while Redis is away; the code that waits for Redis reports it once.
    client.on('error', () => undefined);
    return client;
  };
  return { bullmq, connect };
}

/** The name is no literal: without the package the compiler could not resolve it. */
const loadPackage = (name: string): Promise<unknown> =>
  import(name).catch((cause: unknown) => {
    throw missingPackage(name, cause);
  });

// The connection to Redis, ended when a reply becomes larger than any that a fleet needs. Bytes are counted before they
// reach the socket's buffer: a `data` listener here would run after the decoder's.
function limitedSocket({ host, port, tls }: RedisAddress): Socket {
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
