// What may stand where a compact server should be: every such thing ends in one of our codes, in bounded time and
// memory.

import { readFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { Waits } from '@wallet-companion/base/test/waits';
import { LightdInfoSchema } from '@wallet-companion/zcash/compactProto';
import test, { type ExecutionContext } from 'ava';
import { COMPACT_STREAM_LIMITS } from '#chain/compact/compactBlockStream';
import { CompactClient } from '#chain/compact/compactClient';
import {
  COMPACT_CLIENT_LIMITS,
  CompactConnection,
  type CompactConnectionLimits,
} from '#chain/compact/compactConnection';
import type { CompanionError } from '../../../src/protocol/errors.ts';
import { compactMain, FIRST, MAIN_INFO, PARAMETERS, TIP } from '../../helpers/knownSeedBlocks.ts';
import { PATIENT_CLIENT } from '../../helpers/waits.ts';

type Answer = (stream: http2.ServerHttp2Stream, path: string) => void;

const GRPC = { ':status': 200, 'content-type': 'application/grpc' } as const;
const INFO = toBinary(LightdInfoSchema, create(LightdInfoSchema, MAIN_INFO));

/** On loopback; `::1` fails where the machine has no IPv6. */
async function listen(
  t: ExecutionContext,
  server: net.Server,
  address: '127.0.0.1' | '::1' = '127.0.0.1',
): Promise<string> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, address, resolve);
  });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as net.AddressInfo;
  return `http://${address === '::1' ? '[::1]' : address}:${port}`;
}

/** Speaks HTTP/2; `answer` does the rest. */
function serve(t: ExecutionContext, answer: Answer, address?: '::1'): Promise<string> {
  const server = http2.createServer();
  server.on('session', (session) => session.on('error', () => undefined));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    stream.resume();
    answer(stream, String(headers[':path']).split('/').at(-1) ?? '');
  });
  return listen(t, server as unknown as net.Server, address);
}

function connect(
  t: ExecutionContext,
  url: string,
  limits: Partial<CompactConnectionLimits> = {},
  retryDelaysMs: readonly number[] = [1],
): CompactClient {
  const client = new CompactConnection(url, { ...PATIENT_CLIENT, ...limits });
  const server = new CompactClient(client, PARAMETERS, { ...COMPACT_STREAM_LIMITS, retryDelaysMs });
  t.teardown(() => server.close());
  return server;
}

/** A message as it is framed on the wire. */
function frame(bytes: Uint8Array, { compressed = false, length = bytes.length } = {}): Buffer {
  const head = Buffer.alloc(5);
  head[0] = Number(compressed);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, bytes]);
}

/** Messages and a good end. */
function finish(stream: http2.ServerHttp2Stream, ...frames: Buffer[]): void {
  stream.respond(GRPC, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  for (const bytes of frames) stream.write(bytes);
  stream.end();
}

const html = '<!doctype html><title>Welcome</title>';
const endWith =
  (status: number, type: string): Answer =>
  (stream) => {
    stream.respond({ ':status': status, 'content-type': type });
    stream.end(html);
  };

const answers: Readonly<Record<string, [Answer, CompanionError['code']]>> = {
  'a web page': [endWith(200, 'text/html'), 'COMPACT_SERVER_BAD_RESPONSE'],
  'a page that is not found': [endWith(404, 'text/html'), 'COMPACT_SERVER_BAD_RESPONSE'],
  'a demand for credentials': [endWith(401, 'text/html'), 'COMPACT_SERVER_BAD_RESPONSE'],
  'a refusal': [endWith(403, 'text/html'), 'COMPACT_SERVER_BAD_RESPONSE'],
  'a redirect': [endWith(301, 'text/html'), 'COMPACT_SERVER_BAD_RESPONSE'],
  'a failing proxy': [endWith(502, 'text/html'), 'COMPACT_SERVER_UNREACHABLE'],
  'a success without a message': [(stream) => finish(stream), 'COMPACT_SERVER_BAD_RESPONSE'],
  'trailers alone that say success': [
    (stream) => stream.respond({ ...GRPC, 'grpc-status': '0' }, { endStream: true }),
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'trailers alone with a status that does not exist': [
    (stream) => stream.respond({ ...GRPC, 'grpc-status': '99' }, { endStream: true }),
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'headers and an end without a status': [
    (stream) => {
      stream.respond(GRPC);
      stream.end();
    },
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'two messages to one question': [(stream) => finish(stream, frame(INFO), frame(INFO)), 'UPSTREAM_TIMEOUT'],
  'a message with a declared length of 4 GiB': [
    (stream) => {
      stream.respond(GRPC);
      stream.write(frame(INFO, { length: 2 ** 32 - 1 }));
    },
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'a compressed message in an unknown encoding': [
    (stream) => {
      stream.respond({ ...GRPC, 'grpc-encoding': 'br' });
      stream.write(frame(INFO, { compressed: true }));
    },
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'a compressed message that is not': [
    (stream) => {
      stream.respond({ ...GRPC, 'grpc-encoding': 'gzip' });
      stream.write(frame(INFO, { compressed: true }));
    },
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'a compressed message that breaks off': [
    (stream) => {
      stream.respond({ ...GRPC, 'grpc-encoding': 'gzip' });
      stream.write(frame(gzipSync(INFO).subarray(0, 20), { compressed: true }));
    },
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'a small message that decompresses to a large one': [
    (stream) => {
      stream.respond({ ...GRPC, 'grpc-encoding': 'gzip' });
      stream.write(
        frame(gzipSync(Buffer.alloc(COMPACT_CLIENT_LIMITS.maxMessageBytes + 1)), { compressed: true }),
      );
    },
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'garbage for a message': [
    (stream) => finish(stream, frame(Buffer.alloc(100, 0xff))),
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'a very long status text': [
    (stream) => {
      stream.respond(GRPC, { waitForTrailers: true });
      stream.on('wantTrailers', () => {
        stream.sendTrailers({ 'grpc-status': '2', 'grpc-message': 'x'.repeat(60_000) });
      });
      stream.end();
    },
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'a reset of the stream': [
    (stream) => stream.close(http2.constants.NGHTTP2_PROTOCOL_ERROR),
    'COMPACT_SERVER_BAD_RESPONSE',
  ],
  'a stream that is refused': [
    (stream) => stream.close(http2.constants.NGHTTP2_REFUSED_STREAM),
    'COMPACT_SERVER_UNREACHABLE',
  ],
  'a closed connection': [(stream) => stream.session?.destroy(), 'COMPACT_SERVER_UNREACHABLE'],
};
/** For answers after which there is nothing to wait for: all others end by themselves. */
const HURRY = { callMs: 100 };

for (const [what, [answer, code]] of Object.entries(answers)) {
  test(`to the first question: ${what} is ${code}`, async (t) => {
    const limits = code === 'UPSTREAM_TIMEOUT' ? HURRY : {};
    const error = await t.throwsAsync<CompanionError>(connect(t, await serve(t, answer), limits).tip());
    t.is(error?.code, code, error?.message);
    t.false(/Welcome|html/.test(error?.message ?? ''), 'without the words of the other side');
  });
}

test('a compressed message that is in order is read', async (t) => {
  const url = await serve(t, (stream) => {
    stream.respond({ ...GRPC, 'grpc-encoding': 'gzip' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(frame(gzipSync(INFO), { compressed: true }));
  });
  t.is((await connect(t, url).info()).version, MAIN_INFO.version);
});

test('a server is reached over IPv6', async (t) => {
  const url = await serve(t, (stream) => finish(stream, frame(INFO)), '::1').catch(() => undefined);
  if (url === undefined) {
    t.log('this machine has no IPv6');
    t.pass();
    return;
  }
  t.is((await connect(t, url).info()).version, MAIN_INFO.version);
});

for (const [what, speak, code] of [
  ['mail', (socket: net.Socket) => socket.write('220 mail ready\r\n'), 'COMPACT_SERVER_UNREACHABLE'],
  ['nothing, and hangs up', (socket: net.Socket) => socket.destroy(), 'COMPACT_SERVER_UNREACHABLE'],
  ['nothing at all', () => undefined, 'UPSTREAM_TIMEOUT'],
] as const) {
  test(`a port that speaks ${what} is ${code}`, async (t) => {
    const url = await listen(t, net.createServer(speak));
    const error = await t.throwsAsync<CompanionError>(
      connect(t, url, code === 'UPSTREAM_TIMEOUT' ? HURRY : {}).tip(),
    );
    t.is(error?.code, code, error?.message);
  });
}

test('a server of HTTP/1 is COMPACT_SERVER_UNREACHABLE', async (t) => {
  const url = await listen(
    t,
    http.createServer((_request, response) => response.end(html)),
  );
  const error = await t.throwsAsync<CompanionError>(connect(t, url).tip());
  t.is(error?.code, 'COMPACT_SERVER_UNREACHABLE');
  t.regex(error?.message ?? '', /does not speak HTTP\/2/);
});

test('the reason for a failed connection is reported', async (t) => {
  const tls = {
    key: readFileSync('test/fixtures/tls/localhost.key'),
    cert: readFileSync('test/fixtures/tls/localhost.crt'),
  };
  const secure = await listen(t, http2.createSecureServer(tls) as unknown as net.Server);
  const plain = await serve(t, () => undefined);
  for (const [url, why] of [
    [secure.replace('http:', 'https:'), /certificate is not trusted/],
    [plain.replace('http:', 'https:'), /does not speak TLS/],
    ['http://127.0.0.1:1', /connection refused/],
  ] as const) {
    const error = await t.throwsAsync<CompanionError>(connect(t, url).tip());
    t.is(error?.code, 'COMPACT_SERVER_UNREACHABLE');
    t.regex(error?.message ?? '', why);
  }
});

/** Good blocks from what is asked for up to `last`, then what `then` does. */
function streaming(last: number, then: (stream: http2.ServerHttp2Stream) => void): Answer {
  return (stream, path) => {
    if (path !== 'GetBlockRange') {
      finish(stream, frame(INFO));
      return;
    }
    let asked = Buffer.alloc(0);
    stream.on('data', (chunk: Buffer) => {
      asked = Buffer.concat([asked, chunk]);
    });
    stream.on('end', () => {
      const start = startOf(asked);
      stream.respond(GRPC, { waitForTrailers: true });
      const blocks = compactMain.slice(start - FIRST, last - FIRST + 1).map((block) => frame(block));
      // Only when they are out: a reset amid writes is more than the HTTP/2 server of Node 24 can take.
      if (blocks.length === 0) then(stream);
      else stream.write(Buffer.concat(blocks), () => then(stream));
    });
  };
}

/** Height of the first BlockID of a BlockRange: 0a LEN 08 VARINT. */
function startOf(request: Buffer): number {
  let height = 0;
  for (let at = 8, shift = 0; ; at++, shift += 7) {
    const byte = request[at]!;
    height += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return height;
  }
}

/** `onBlock` is told how many there were. */
async function scanned(
  server: CompactClient,
  onBlock: (count: number) => void = () => undefined,
): Promise<{ blocks: number; error: CompanionError | undefined }> {
  let blocks = 0;
  try {
    for await (const _ of server.blocks({ start: FIRST, end: TIP })) onBlock(++blocks);
    return { blocks, error: undefined };
  } catch (error) {
    return { blocks, error: error as CompanionError };
  }
}

const endings: Readonly<Record<string, [(stream: http2.ServerHttp2Stream) => void, CompanionError['code']]>> =
  {
    'a reset': [
      (stream) => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR),
      'COMPACT_SERVER_BAD_RESPONSE',
    ],
    'a closed connection': [(stream) => stream.session?.destroy(), 'COMPACT_SERVER_UNREACHABLE'],
    'a GOAWAY and the closed connection': [
      (stream) => {
        stream.session?.goaway(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
        stream.session?.destroy();
      },
      'BUSY',
    ],
    'a message that never gets whole': [
      (stream) => {
        stream.write(frame(new Uint8Array(), { length: 1_000_000 }));
        const drip = setInterval(() => stream.write(Buffer.alloc(1)), 5);
        stream.on('close', () => clearInterval(drip));
      },
      'UPSTREAM_TIMEOUT',
    ],
    'a message with a declared length of 4 GiB': [
      (stream) => void stream.write(frame(new Uint8Array(), { length: 2 ** 32 - 1 })),
      'COMPACT_SERVER_BAD_RESPONSE',
    ],
    'empty messages without end': [
      (stream) => {
        const empty = frame(new Uint8Array());
        const flood = (): void => {
          while (!stream.destroyed && stream.write(empty));
        };
        stream.on('drain', flood);
        flood();
      },
      'COMPACT_SERVER_BAD_RESPONSE',
    ],
  };
for (const [what, [then, code]] of Object.entries(endings)) {
  test(`amid a stream: ${what} is ${code}, after the good blocks`, async (t) => {
    const waits = new Waits();
    const server = connect(t, await serve(t, streaming(FIRST + 9, then)), { after: waits.after });
    const { blocks, error } = await scanned(server, (count) => {
      if (count === 10 && code === 'UPSTREAM_TIMEOUT') waits.end();
    });
    t.is(error?.code, code, error?.message);
    // Those that were on their way when the connection broke may be lost; none is made up.
    t.true(blocks <= 10);
    if (!/connection|reset/.test(what)) t.is(blocks, 10);
  });
}

test('a stream that a proxy resets goes on where it stopped', async (t) => {
  let resets = 0;
  const url = await serve(t, (stream, path) => {
    if (path === 'GetBlockRange') resets++;
    const whole = resets > 2;
    streaming(whole ? TIP : FIRST + 9, () => {
      if (whole) {
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
        stream.end();
      } else stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
    })(stream, path);
  });
  t.is((await scanned(connect(t, url, {}, [1, 1, 1]))).blocks, 50);
  t.is(resets, 3);
});

test('a GOAWAY that lets streams end is no failure', async (t) => {
  const url = await serve(
    t,
    streaming(TIP, (stream) => {
      stream.session?.goaway(http2.constants.NGHTTP2_NO_ERROR);
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end();
    }),
  );
  t.is((await scanned(connect(t, url))).blocks, 50);
});
