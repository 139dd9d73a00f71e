// A SOCKS5 proxy in this process that connects every name to this machine, and counts: who was asked for, with which login.

import net, { type AddressInfo, type Socket } from 'node:net';

export interface Asked {
  readonly host: string;
  readonly port: number;
  readonly login: string | undefined;
}

export interface SocksProxyOptions {
  /** Default: takes every login. */
  readonly method?: number;
  readonly loginStatus?: number;
  /** Where a name leads; default: 127.0.0.1. */
  readonly to?: (host: string) => string;
  /** The reply to CONNECT; default: the connection is made. */
  readonly reply?: number;
  /** Answers all by itself. */
  readonly serve?: (socket: Socket) => void;
}

export class SocksProxy {
  readonly asked: Asked[] = [];
  /** Connections to the proxy, also those that asked for nothing. */
  connections = 0;
  readonly #options: SocksProxyOptions;
  readonly #server: net.Server;
  readonly #sockets = new Set<Socket>();

  constructor(options: SocksProxyOptions = {}) {
    this.#options = options;
    this.#server = net.createServer((socket) => {
      this.connections += 1;
      this.#keep(socket);
      if (options.serve !== undefined) options.serve(socket);
      else void this.#serve(socket).catch(() => socket.destroy());
    });
  }

  static async start(
    t: { teardown(end: () => void): void },
    options: SocksProxyOptions = {},
  ): Promise<SocksProxy> {
    const proxy = new SocksProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => proxy.stop());
    return proxy;
  }

  get url(): string {
    return `socks5://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }

  async #serve(socket: Socket): Promise<void> {
    let held = Buffer.alloc(0);
    let arrived: () => void = () => undefined;
    const hear = (piece: Buffer): void => {
      held = Buffer.concat([held, piece]);
      arrived();
    };
    socket.on('data', hear);
    const take = async (length: number): Promise<Buffer> => {
      while (held.length < length)
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      const taken = held.subarray(0, length);
      held = held.subarray(length);
      return taken;
    };
    const text = async (): Promise<string> => (await take((await take(1))[0]!)).toString();
    const [, methods = 0] = await take(2);
    const offered = await take(methods);
    const method = this.#options.method ?? offered[0]!;
    socket.write(Buffer.of(5, method));
    let login: string | undefined;
    if (method === 2) {
      await take(1);
      login = `${await text()}:${await text()}`;
      socket.write(Buffer.of(1, this.#options.loginStatus ?? 0));
    }
    const [, , , kind] = await take(4);
    const host = kind === 3 ? await text() : addressText(await take(kind === 1 ? 4 : 16));
    const port = (await take(2)).readUInt16BE();
    this.asked.push({ host, port, login });
    const { reply = 0 } = this.#options;
    const head = Buffer.of(5, reply, 0, 1, 0, 0, 0, 0, 0, 0);
    if (reply !== 0) return void socket.end(head);
    const target = net.connect({ host: this.#options.to?.(host) ?? '127.0.0.1', port });
    this.#keep(target);
    target.once('connect', () => socket.write(head));
    socket.off('data', hear);
    target.write(held);
    target.pipe(socket);
    socket.pipe(target);
    target.on('close', () => socket.destroy());
    socket.on('close', () => target.destroy());
  }
}

const addressText = (bytes: Buffer): string =>
  bytes.length === 4 ? bytes.join('.') : (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
