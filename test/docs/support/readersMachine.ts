// The machine of somebody who follows a page: a home of its own with a wallet that has funds, a companion that runs, a node
// and a compact-block server, a program that signs and one that proves. What stands on a page in the place of the reader's
// own things is replaced by what there is here.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Devnet } from '@wallet-companion/devnet';
import { ownTransparentAddresses } from '@wallet-companion/pczt/spending';
import { PHRASE, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys } from '@wallet-companion/zcash/keys';
import type { ExecutionContext } from 'ava';
import { untilTestEnds } from '../../helpers/childProcess.ts';
import { PROGRAM } from '../../helpers/program.ts';
import { type Service, startService, UNHURRIED } from '../../helpers/service.ts';
import { until } from '../../helpers/until.ts';

const PASSWORD = 'correct horse battery staple';

/** In the place of a person at a terminal: types the password and agrees to what `pay` asks. */
const TYPES = `#!/bin/sh
case " $* " in
  *" --password-file "*|*" serve "*) ;;
  *) set -- "$@" --password-file "$HOME/typed" ;;
esac
case "$1 $2" in
  "pay --"*) set -- "$@" --yes --no-wait ;;
esac
exec '${process.execPath}' ${UNHURRIED.join(' ')} '${PROGRAM}' "$@"
`;

const built = (file: string): string =>
  JSON.stringify(pathToFileURL(path.resolve('packages/pczt/dist', file)).href);

/** Reads a PCZT and writes what \`make\` is of it. */
const programThat = (make: string): string => `#!${process.execPath}
(async () => {
  const { decodePczt, encodePczt } = await import(${built('src/doors/pczt.js')});
  const { deriveSigningKeys } = await import(${built('src/doors/signer.js')});
  const helpers = await import(${built('test/helpers/completion.js')});
  const { PARAMS, SEED } = await import(${built('test/helpers/spendingAccount.js')});
  const random = (length) => new Uint8Array(require('node:crypto').randomBytes(length));
  const { pczt } = decodePczt(require('node:fs').readFileSync(0));
  process.stdout.write(encodePczt(${make}, 2));
})();
`;

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

export interface RunOptions {
  /** In a home of its own, where no companion runs. */
  readonly alone?: boolean;
  /** Typed, for a command that reads it. */
  readonly input?: string;
  /** It does not end by itself: Ctrl-C follows when it has written this. */
  readonly until?: RegExp;
  /** Again and again until then. */
  readonly meanwhile?: () => Promise<unknown>;
}

export class ReadersMachine {
  readonly devnet = new Devnet({ seed: 'the pages' });
  readonly #t: ExecutionContext;
  readonly #folder: string;
  /** What stands on the pages, and what it is here. */
  readonly #own = new Map<string, string>();
  #config: object = {};
  #service: Service | undefined;
  #pages = 0;

  private constructor(t: ExecutionContext) {
    this.#t = t;
    t.teardown(() => this.devnet.close());
    // Short: the path of a socket has at most 103 bytes.
    this.#folder = fs.mkdtempSync(path.join(tmpdir(), 'r-'));
    t.teardown(() => fs.rmSync(this.#folder, { recursive: true, force: true }));
  }

  static async start(t: ExecutionContext): Promise<ReadersMachine> {
    const machine = new ReadersMachine(t);
    await machine.#begin();
    return machine;
  }

  get #home(): string {
    return path.join(this.#folder, 'home');
  }

  /** Where commands run: a folder for each page. */
  get folder(): string {
    return path.join(this.#folder, `page-${this.#pages}`);
  }

  /** A home in which nothing was done yet, but by the same page. */
  get #emptyHome(): string {
    return `${this.folder}-home`;
  }

  /** Nothing of the pages before is left, but in the wallet. */
  turnPage(): void {
    this.#pages += 1;
    this.#write(this.folder, 'phrase.txt', `${PHRASE}\n`, 0o600);
    this.#write(this.folder, 'shop.pw', `${PASSWORD}\n`, 0o600);
    const recipient = this.#withOwn('u1...');
    this.#write(this.folder, 'pay.csv', `address,amount\n${recipient},0.1\n${recipient},0.2\n`);
    this.#makeHome(this.#emptyHome);
  }

  #makeHome(home: string): void {
    this.#write(home, 'typed', `${PASSWORD}\n`, 0o600);
    this.#write(home, '.config/wallet-companion.password', `${PASSWORD}\n`, 0o600);
    this.#write(home, '.config/wallet-companion/config.json', JSON.stringify(this.#config), 0o600);
  }

  #write(folder: string, name: string, content: string, mode = 0o644): string {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, content, { mode });
    return file;
  }

  #program(name: string, content: string): string {
    return this.#write(this.#folder, `bin/${name}`, content, 0o755);
  }

  async #begin(): Promise<void> {
    const { devnet } = this;
    const cookie = path.join(this.#folder, 'cookie');
    const nodeUrl = await devnet.node.listen({ cookieFile: cookie });
    const compactUrl = await devnet.compact.listen();
    const addressOf = (account: number): string =>
      firstAddress(deriveViewingKeys(SEED, devnet.params, account), devnet.params, 0n).unifiedAddress;
    this.#mineFunds(addressOf(0));
    this.#program('wallet-companion', TYPES);
    const runs = (command: string) => ({ command: [command], timeout_seconds: 600, max_memory_mb: 4096 });
    const signed = 'helpers.withSignatures(pczt, deriveSigningKeys(SEED, PARAMS, 0), random).pczt';
    const sign = this.#program('sign', programThat(signed));
    this.#config = {
      network: 'regtest',
      node_url: nodeUrl,
      node_cookie_file: cookie,
      compact_server_url: compactUrl,
      signer: runs(sign),
    };
    const own = {
      'https://lwd.example:443': compactUrl,
      'http://127.0.0.1:8232': nodeUrl,
      '/home/me/.zebra-rpc/.cookie': cookie,
      '--birthday 2021-06': '--birthday-height 1',
      'u1...': addressOf(7),
      DIR: process.cwd(),
      'docs/examples': path.resolve('docs/examples'),
      'shop.mjs 8080': 'shop.mjs 0',
      'wallet-companion serve': 'wallet-companion serve --port 0',
      'shop.pw serve': 'shop.pw serve --port 0',
      'main.js serve': 'main.js serve --port 0',
      'bridge btcpay': 'bridge btcpay --port 0 --url http://127.0.0.1:3000',
      // No systemd of this user.
      ' --service': '',
      'service install': 'service install --print',
    };
    for (const [theirs, ours] of Object.entries(own)) this.#own.set(theirs, ours);
    this.#makeHome(this.#home);
    await this.#makeWallets();
  }

  #mineFunds(address: string): void {
    const { devnet } = this;
    for (let note = 0; note < 16; note += 1)
      devnet.payTo(address, { pool: 'ironwood', zatoshi: 200_000_000 });
    const { transparent } = deriveViewingKeys(SEED, devnet.params, 0);
    const [open] = ownTransparentAddresses(transparent, 'external', { start: 0, count: 1 }, devnet.params);
    const payment = { pool: 'transparent', address: open!.address, zatoshi: 50_000_000 } as const;
    devnet.mine({ transactions: [devnet.pay([payment])] });
    devnet.mineEmpty(12);
  }

  /** The default wallet, scanned, and one for a shop. */
  async #makeWallets(): Promise<void> {
    const folders = ['--config-dir', `${this.#home}/.config/wallet-companion`];
    folders.push('--data-dir', `${this.#home}/.local/share/wallet-companion`);
    const service = await startService(this.#t, { folder: this.#home, args: folders });
    this.#service = service;
    this.#own.set('http://127.0.0.1:3000', service.url);
    await this.post('/api/wallet/restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
    await this.post('/api/wallets/shop/wallet/create', { password: PASSWORD, birthday_height: 1 });
    await this.post('/api/sync', {});
    await this.post('/api/contacts', { name: 'Alice', address: this.#withOwn('u1...') });
  }

  async post<T = Record<string, unknown>>(route: string, body: object): Promise<T> {
    const service = this.#service!;
    const answer = await service.post<T>(route, body).catch((thrown: Error) => {
      throw new Error(`${route}: ${String(thrown.cause)}\n${service.output()}`, { cause: thrown });
    });
    this.#t.true(answer.status < 300, `${route}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  #withOwn(command: string): string {
    return [...this.#own].reduce((words, [theirs, ours]) => words.replaceAll(theirs, ours), command);
  }

  /** A payment that nobody has signed yet; it is PAYMENT_ID from now on. */
  async preparesPayment(): Promise<string> {
    const order = { recipients: [{ contact: 'Alice', zatoshi: 10_000_000 }] };
    const { payment_id: id } = await this.post<{ payment_id: string }>('/api/payments/prepare', order);
    this.#own.set('PAYMENT_ID', id);
    return id;
  }

  async preparesTwoPayments(): Promise<void> {
    this.#own.set('ID,ID', `${await this.preparesPayment()},${await this.preparesPayment()}`);
  }

  /** An invoice that was paid; it is INVOICE_ID from now on. */
  async receivesPayment(): Promise<void> {
    const asked = { amount_zatoshi: 10_000_000 };
    const invoice = await this.post<{ invoice_id: string; address: string }>('/api/invoices', asked);
    this.devnet.payTo(invoice.address, { pool: 'ironwood', zatoshi: 10_000_000 });
    this.devnet.mineEmpty(12);
    // What only a compact server showed is not refunded.
    await this.post('/api/sync', { source: 'node' });
    this.#own.set('INVOICE_ID', invoice.invoice_id);
  }

  /** The answer of a signer to PAYMENT_ID, in a file. */
  async signs(): Promise<void> {
    const ran = await this.run(
      'wallet-companion pay pczt PAYMENT_ID --reader signer --output to-sign.pczt && sign < to-sign.pczt > signed.pczt',
    );
    this.#t.is(ran.code, 0, ran.output);
  }

  /** An extension asks to be let in; K7F-2QX is its code. */
  async asksToPair(origin: string): Promise<void> {
    const token_hash = randomBytes(32).toString('hex');
    const asks = { origin, name: 'Shop helper', scopes: ['read'], wallets: ['shop', 'default'], token_hash };
    const { code } = await this.post<{ code: string }>('/api/pair', asks);
    this.#own.set('K7F-2QX', code);
  }

  async run(command: string, options: RunOptions = {}): Promise<Ran> {
    const { alone = false, input = '', until: awaited, meanwhile } = options;
    const home = alone ? this.#emptyHome : this.#home;
    const { XDG_CONFIG_HOME: _, XDG_DATA_HOME: __, ...inherited } = process.env;
    const env = { ...inherited, HOME: home, PATH: `${this.#folder}/bin:${inherited['PATH']}` };
    const typed = this.#withOwn(command);
    // The shell gives way to a program that Ctrl-C has to reach.
    const words = awaited === undefined ? typed : `exec ${typed}`;
    const child = untilTestEnds(this.#t, spawn('/bin/sh', ['-c', words], { cwd: this.folder, env }));
    child.stdin.on('error', () => undefined).end(input);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        output += piece;
      });
    let hasEnded = false;
    const closed = once(child, 'close').then(() => {
      hasEnded = true;
    });
    if (awaited !== undefined) {
      await until(async () => {
        await meanwhile?.();
        return hasEnded || awaited.test(output);
      });
      child.kill('SIGINT');
    }
    await closed;
    return { code: child.exitCode, output };
  }
}
