// The dialler against proxies that do their work, and against those that are dead, slow, hostile or something else.

import net, { type AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { Outgoing, type ProxySetting, type Purpose } from '../../../src/doors/proxy.ts';
import { SocksProxy, type SocksProxyOptions } from '../../helpers/socksProxy.ts';
import { Waits } from '../../helpers/waits.ts';

const outgoingBy = (proxy: ProxySetting | null, start = 1, waits = new Waits()): Outgoing =>
  new Outgoing({
    proxy,
    isHere: (host) => host === '127.0.0.1',
    isOnion: (host) => host.endsWith('.onion'),
    randomBytes: (length) => new Uint8Array(length).fill(start),
    after: waits.after,
  });

function routeTo(outgoing: Outgoing, host: string, purpose: Purpose = 'node') {
  const way = outgoing.wayOf(purpose)(host);
  if (way.kind !== 'proxy') throw new Error(way.kind);
  return way.route;
}

/** Speaks first, with the proxy's answer in one piece. */
async function echo(t: ExecutionContext): Promise<number> {
  const server = net.createServer((socket) => {
    socket.write('hello');
    socket.on('error', () => undefined).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('names and addresses reach the proxy as they are, and what the target says first is not lost', async (t) => {
  const proxy = await SocksProxy.start(t);
  const port = await echo(t);
  const outgoing = outgoingBy({ url: proxy.url, isolates: false });
  for (const host of ['zec.invalid', 'a.onion', '192.0.2.7', '[2001:db8::1:2]']) {
    const socket = await routeTo(outgoing, host).open({ host, port });
    t.teardown(() => socket.destroy());
    let heard = '';
    socket.write('again');
    for await (const piece of socket.iterator({ destroyOnReturn: false })) {
      heard += String(piece);
      if (heard.length >= 10) break;
    }
    t.is(heard, 'helloagain');
  }
  t.deepEqual(
    proxy.asked.map(({ host }) => host),
    ['zec.invalid', 'a.onion', '192.0.2.7', '2001:0db8:0000:0000:0000:0000:0001:0002'],
  );
});

test('each purpose and server has its own login, another after each start', async (t) => {
  const proxy = await SocksProxy.start(t);
  const port = await echo(t);
  const loginOf = async (purpose: Purpose, host: string, start: number): Promise<string> => {
    const outgoing = outgoingBy({ url: proxy.url, isolates: true }, start);
    (await routeTo(outgoing, host, purpose).open({ host, port })).destroy();
    return proxy.asked.at(-1)!.login!;
  };
  const first = await loginOf('node', 'a.invalid', 1);
  t.regex(first, /^[0-9a-f]{32}:[0-9a-f]{32}$/);
  t.is(await loginOf('node', 'a.invalid', 1), first);
  const others = [
    await loginOf('prices', 'a.invalid', 1),
    await loginOf('node', 'b.invalid', 1),
    await loginOf('node', 'a.invalid', 2),
  ];
  t.is(new Set([first, ...others]).size, 4);
});

test('this machine is dialled directly; a hidden service never without a proxy', (t) => {
  const kinds = (proxy: ProxySetting | null): string[] =>
    ['127.0.0.1', 'zec.invalid', 'a.onion'].map((host) => outgoingBy(proxy).wayOf('hooks')(host).kind);
  t.deepEqual(kinds({ url: 'socks5://127.0.0.1:1', isolates: true }), ['direct', 'proxy', 'proxy']);
  t.deepEqual(kinds(null), ['direct', 'direct', 'none']);
});

/** One answer to each piece that comes; the last is the end. */
const answering =
  (...answers: Buffer[]) =>
  (socket: net.Socket): void => {
    socket.on('data', () => {
      const next = answers.shift() ?? Buffer.of();
      if (answers.length === 0) socket.end(next);
      else socket.write(next);
    });
  };

const WRONG: readonly (readonly [string, SocksProxyOptions, boolean, RegExp])[] = [
  ['refuses', { reply: 5 }, true, /^refused, as the SOCKS proxy says$/],
  ['has a reply of its own', { reply: 0x99 }, true, /^the SOCKS proxy cannot connect to it$/],
  ['takes no login', { method: 0xff }, true, /takes no user name: set proxy_isolation/],
  ['takes names as a login', { loginStatus: 1 }, true, /takes user names as a login/],
  ['wants a login', { method: 0xff }, false, /wants a login/],
  ['chooses what was not offered', { method: 2 }, false, /does not speak SOCKS5/],
  [
    'speaks HTTP',
    { serve: (socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n') },
    true,
    /does not speak SOCKS5/,
  ],
  ['speaks SOCKS4', { serve: answering(Buffer.of(0, 90)) }, false, /does not speak SOCKS5/],
  ['closes at once', { serve: (socket) => socket.destroy() }, true, /closes the connection/],
  [
    'closes in a reply',
    { serve: answering(Buffer.of(5, 0), Buffer.of(5, 0)) },
    false,
    /closes the connection/,
  ],
  [
    'has an address of no kind',
    { serve: answering(Buffer.of(5, 0), Buffer.concat([Buffer.of(5, 0, 0, 9), Buffer.alloc(1 << 20)])) },
    false,
    /does not speak SOCKS5/,
  ],
];

for (const [what, options, isolates, words] of WRONG)
  test(`a proxy that ${what}`, async (t) => {
    const proxy = await SocksProxy.start(t, options);
    const waits = new Waits();
    const outgoing = outgoingBy({ url: proxy.url, isolates }, 1, waits);
    const error = await t.throwsAsync(
      routeTo(outgoing, 'zec.invalid').open({ host: 'zec.invalid', port: 1 }),
    );
    t.regex(error.message, words);
    t.is(waits.open, 0);
  });

test('a proxy that is silent, and one that is not there', async (t) => {
  const waits = new Waits();
  const silent = (socket: net.Socket): void => void socket.once('data', () => waits.end());
  const proxy = await SocksProxy.start(t, { serve: silent });
  const outgoing = outgoingBy({ url: proxy.url, isolates: true }, 1, waits);
  t.is(await outgoing.fault(), 'the SOCKS proxy does not answer');
  waits.begin();
  proxy.stop();
  t.is(await outgoing.fault(), 'the SOCKS proxy cannot be reached');
  t.is(waits.open, 0);
});
