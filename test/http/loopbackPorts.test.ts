// One port on both loopback addresses, or no start: with ports that are made up, and with the kernel's.
import { createServer, type Server } from 'node:net';
import { CompanionError } from '@wallet-companion/client/contract';
import test, { type ExecutionContext } from 'ava';
import { listen } from '../../src/http/server/listen.ts';
import {
  type Bound,
  bindLoopback,
  LOOPBACK_ADDRESSES,
  type LoopbackAddress,
} from '../../src/http/server/loopbackPorts.ts';

/** A machine's ports: which are open, and what asking for one ends with. */
class Ports {
  readonly open = new Set<string>();
  asked = 0;
  next = 40_000;
  readonly #answer: (address: LoopbackAddress, port: number) => string | undefined;

  constructor(answer: (address: LoopbackAddress, port: number) => string | undefined) {
    this.#answer = answer;
  }

  readonly bind = async (address: LoopbackAddress, wanted: number): Promise<Bound> => {
    this.asked++;
    const port = wanted === 0 ? this.next++ : wanted;
    const code = this.#answer(address, port);
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    const place = `${address} ${port}`;
    this.open.add(place);
    return { port, close: async () => void this.open.delete(place) };
  };
}

const onV6 =
  (code: string) =>
  (address: LoopbackAddress): string | undefined =>
    address === '::1' ? code : undefined;

for (const code of ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT']) {
  test(`a machine that has no ::1 (${code}) does with 127.0.0.1`, async (t) => {
    const ports = new Ports(onV6(code));
    const bound = await bindLoopback(ports.bind, LOOPBACK_ADDRESSES, 3000);
    t.deepEqual([...bound.keys()], ['127.0.0.1']);
  });
}

for (const code of ['EADDRINUSE', 'EACCES', 'EMFILE', 'EINVAL']) {
  test(`::1 that cannot be had for another reason (${code}) is no start, and nothing stays bound`, async (t) => {
    const ports = new Ports(onV6(code));
    const error = await t.throwsAsync<Error>(bindLoopback(ports.bind, LOOPBACK_ADDRESSES, 3000));
    t.is(error instanceof CompanionError, code === 'EADDRINUSE' || code === 'EACCES');
    if (error instanceof CompanionError) {
      t.is(error.code, 'INVALID_REQUEST');
      t.regex(error.message, /\[::1\]:3000/);
    }
    t.deepEqual([...ports.open], []);
    t.is(ports.asked, 2);
  });
}

test('a machine that has no 127.0.0.1 is no place to run on', async (t) => {
  const ports = new Ports(() => 'EADDRNOTAVAIL');
  await t.throwsAsync(bindLoopback(ports.bind, LOOPBACK_ADDRESSES, 3000), { message: 'EADDRNOTAVAIL' });
});

test('port 0 goes on until a port is free on both, and lets go of the others', async (t) => {
  const ports = new Ports((address, port) => (address === '::1' && port < 40_005 ? 'EADDRINUSE' : undefined));
  const bound = await bindLoopback(ports.bind, LOOPBACK_ADDRESSES, 0);
  t.deepEqual(
    [...bound.values()].map(({ port }) => port),
    [40_005, 40_005],
  );
  t.deepEqual([...ports.open], ['127.0.0.1 40005', '::1 40005']);
});

test('port 0 gives up when somebody holds whatever is picked', async (t) => {
  const ports = new Ports(onV6('EADDRINUSE'));
  await t.throwsAsync(bindLoopback(ports.bind, LOOPBACK_ADDRESSES, 0), { instanceOf: CompanionError });
  t.true(ports.asked > 2 && ports.asked < 100);
  t.deepEqual([...ports.open], []);
});

// ---------------------------------------------------------------------------------------------------------------------
// The kernel's

const app = { callback: () => () => {} };
const requestId = () => 'id';

/** Somebody else's socket; undefined where the kernel does not let them have it. */
async function hold(t: ExecutionContext, host: string, port: number): Promise<number | undefined> {
  const server: Server = createServer((socket) => socket.destroy());
  t.teardown(() => server.close());
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === 'object' ? address?.port : undefined);
    });
  });
}

/** A port that somebody holds on one address while it is free on the other. */
async function holdOne(t: ExecutionContext, host: string, other: string): Promise<number> {
  for (;;) {
    const port = await hold(t, host, 0);
    if (port !== undefined && (await isFree(other, port))) return port;
  }
}

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });

for (const [host, other] of [
  ['::1', '127.0.0.1'],
  ['127.0.0.1', '::1'],
] as const) {
  test(`a start while somebody holds ${host} is refused, naming it`, async (t) => {
    if (!(await isFree('::1', 0))) {
      t.pass('no IPv6 here');
      return;
    }
    const port = await holdOne(t, host, other);
    const error = await t.throwsAsync(listen({ app, port, requestId }), { instanceOf: CompanionError });
    t.true(error.message.includes(host === '::1' ? `[::1]:${port}` : `127.0.0.1:${port}`), error.message);
    t.true(error.message.includes('--port'));
    t.true(await isFree(other, port), 'the other one is not left behind');
  });
}

test('where there is IPv6, both addresses are ours', async (t) => {
  const listening = await listen({ app, port: 0, requestId });
  t.teardown(() => listening.close());
  const hasIpv6 = (await hold(t, '::1', 0)) !== undefined;
  t.deepEqual(listening.addresses, hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']);
  for (const address of listening.addresses) t.is(await hold(t, address, listening.port), undefined);
});

// Every socket of Node has SO_REUSEADDR, where that exists.
for (const host of ['0.0.0.0', '::', '::ffff:127.0.0.1']) {
  test(`who binds ${host} before or after gets nothing that is sent to us`, async (t) => {
    const answering = {
      callback: () => (_request: unknown, response: { end(text: string): void }) => response.end('ours'),
    };
    const listening = await listen({ app: answering, port: 0, requestId });
    t.teardown(() => listening.close());
    await hold(t, host, listening.port);
    for (const address of listening.addresses) {
      const name = address === '::1' ? '[::1]' : address;
      const response = await fetch(`http://${name}:${listening.port}/`, { headers: { connection: 'close' } });
      t.is(await response.text(), 'ours', address);
    }
    const before = await hold(t, host, 0);
    if (before === undefined || process.platform !== 'linux') return;
    await t.throwsAsync(listen({ app, port: before, requestId }), { instanceOf: CompanionError });
  });
}
