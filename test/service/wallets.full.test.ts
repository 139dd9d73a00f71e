// Several wallets in one companion, with real threads over an embedded chain: each with its own phrase or key, password,
// session and notes; what happens to one leaves the others as they are.

import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { After } from '@wallet-companion/base/async';
import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import type { OperationName, Output } from '../../src/protocol/operations.ts';
import { type Result, unwrap } from '../../src/protocol/result.ts';
import { createDataDirectory } from '../../src/storage/files/directories.ts';
import { Companion } from '../../src/workers/companion.ts';
import type { CompanionOptions } from '../../src/workers/companionOptions.ts';
import { REST_AFTER_MS } from '../../src/workers/walletSide.ts';
import { CHEAP_KDF } from '../helpers/cheapKdf.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { until } from '../helpers/until.ts';
import { isScanHub } from './scanHubs.ts';

const ACTIVATION = { nu6_3: 1 };
type Wallet = 'default' | 'savings' | 'watch';
/** Each its own. */
const PASSWORDS: Readonly<Record<Wallet, string>> = { default: 'one', savings: 'two', watch: 'three' };

/** Timers that strike when the test says so. */
class Timers {
  readonly #waiting = new Set<{ readonly ms: number; readonly strike: () => void }>();
  readonly after: After = (ms, strike) => {
    const timer = { ms, strike };
    this.#waiting.add(timer);
    return () => void this.#waiting.delete(timer);
  };

  get size(): number {
    return this.#waiting.size;
  }

  count(ms: number): number {
    return [...this.#waiting].filter((timer) => timer.ms === ms).length;
  }

  strike(ms: number): void {
    for (const timer of [...this.#waiting]) {
      if (timer.ms !== ms) continue;
      this.#waiting.delete(timer);
      timer.strike();
    }
  }
}

class Bed {
  readonly timers = new Timers();
  readonly devnet = new Devnet({ params: regtestParameters(ACTIVATION), seed: 'wallets' });
  readonly folder: string;
  readonly dataDir: string;
  companion!: Companion;
  readonly events = new Map<string, CompanionEvent[]>();
  /** Wallet threads that run, the oldest first. */
  readonly threads: Worker[] = [];
  readonly #servers = this.#listen();
  readonly #note = (worker: Worker): void => {
    if (isScanHub(worker)) return;
    this.threads.push(worker);
    worker.once('exit', () => void this.threads.splice(this.threads.indexOf(worker), 1));
  };

  constructor(t: ExecutionContext) {
    this.folder = temporaryFolder(t);
    this.dataDir = path.join(this.folder, 'data');
    createDataDirectory(this.dataDir);
    process.on('worker', this.#note);
  }

  async start(options: Partial<CompanionOptions> = {}): Promise<void> {
    this.companion = Companion.start({
      configDir: this.folder,
      dataDir: this.dataDir,
      kdf: CHEAP_KDF,
      overrides: {
        network: 'regtest',
        activation_heights: ACTIVATION,
        auto_lock_seconds: 0,
        ...(await this.#servers),
      },
      version: '0.0.0',
      scanThreads: 1,
      log: pino({ level: 'silent' }),
      patience: this.timers.after,
      after: (_waitMs, restart) => queueMicrotask(restart),
      ...options,
    });
    for (const wallet of ['default', 'savings', 'watch']) this.listen(wallet);
  }

  async #listen(): Promise<{ readonly node_url: string; readonly compact_server_url: string }> {
    const { node, compact } = this.devnet;
    return { node_url: await node.listen(), compact_server_url: await compact.listen() };
  }

  /** Locks it, and resolves when the thread that its session was in has ended. */
  async lock(wallet: string): Promise<void> {
    const left = this.threads.length - 1;
    await this.call(wallet, 'wallet.lock');
    await until(() => this.threads.length === left);
  }

  listen(wallet: string): void {
    const heard: CompanionEvent[] = [];
    this.events.set(wallet, heard);
    this.companion.subscribe((event) => heard.push(event), wallet);
  }

  heard(wallet: string): readonly string[] {
    return (this.events.get(wallet) ?? []).map(({ event }) => event);
  }

  /** A wait that is left would keep the process from ending. */
  async stop(): Promise<void> {
    await this.companion.stop();
    const { size } = this.timers;
    if (size > 0) throw new Error(`${size} timers are left after the stop`);
  }

  async close(): Promise<void> {
    await this.stop();
    process.off('worker', this.#note);
    await this.devnet.close();
  }

  dispatch<N extends OperationName>(wallet: string, name: N, input: object = {}): Promise<Result<Output<N>>> {
    return this.companion.dispatch(name, input, { requestId: 'test', wallet });
  }

  async call<N extends OperationName>(wallet: string, name: N, input: object = {}): Promise<Output<N>> {
    return unwrap(await this.dispatch(wallet, name, input));
  }

  async code(wallet: string, name: OperationName, input: object = {}): Promise<string> {
    const result = await this.dispatch(wallet, name, input);
    return result.ok ? 'OK' : result.error.code;
  }

  async total(wallet: string): Promise<number> {
    return (await this.call(wallet, 'balance.get')).total_zatoshi;
  }

  /** Two phrases, and the viewing key of the second beside it. */
  async makeThree(): Promise<Readonly<Record<'default' | 'savings', string>>> {
    const birthday_height = 1;
    const made = await this.call('default', 'wallet.create', {
      password: PASSWORDS.default,
      birthday_height,
    });
    const other = await this.call('savings', 'wallet.create', {
      password: PASSWORDS.savings,
      birthday_height,
    });
    const { viewing_key } = await this.call('savings', 'wallet.viewing_key', { password: PASSWORDS.savings });
    const watching = { viewing_key, password: PASSWORDS.watch, birthday_height };
    await this.call('watch', 'wallet.import_viewing_key', watching);
    return { default: made.unified_address, savings: other.unified_address };
  }

  pay(address: string, zatoshi: number): void {
    this.devnet.payTo(address, { pool: 'ironwood', zatoshi });
  }
}

async function open(t: ExecutionContext, options: Partial<CompanionOptions> = {}): Promise<Bed> {
  const bed = new Bed(t);
  t.teardown(() => bed.close());
  await bed.start(options);
  return bed;
}

/** How many more wrong passwords are looked at before one is refused unseen, and for how long that is. */
async function untilRefused(
  bed: Bed,
  wallet: Wallet,
): Promise<{ readonly tries: number; readonly seconds: number }> {
  for (let tries = 0; ; tries++) {
    const result = await bed.dispatch(wallet, 'wallet.unlock', { password: 'wrong' });
    if (result.ok) throw new Error('a wrong password opens the wallet');
    const { code, retryAfterSeconds: seconds = 0 } = result.error;
    if (code === 'TOO_MANY_ATTEMPTS') return { tries, seconds };
    if (code !== 'WRONG_PASSWORD') throw new Error(code);
  }
}

const WALLETS: readonly Wallet[] = ['default', 'savings', 'watch'];

test.serial(
  'two phrases and a viewing key: each balance is right, from either source and after a reorganisation',
  async (t) => {
    const bed = await open(t);
    const addresses = await bed.makeThree();
    t.not(addresses.default, addresses.savings);
    bed.pay(addresses.default, 100);
    bed.pay(addresses.savings, 2_000);
    const synced = await Promise.all([
      bed.call('default', 'sync.run', { source: 'compact' }),
      bed.call('savings', 'sync.run', { source: 'compact' }),
      bed.call('watch', 'sync.run', { source: 'node' }),
    ]);
    for (const summary of synced) t.like(summary, { caught_up: true, complete: true, notes_found: 1 });
    t.deepEqual(await Promise.all(WALLETS.map((wallet) => bed.total(wallet))), [100, 2_000, 2_000]);
    t.true(bed.heard('default').includes('note.received'));
    // One store for all, where it always was.
    t.true(existsSync(path.join(bed.dataDir, 'compact-regtest.db')));
    t.deepEqual(
      readdirSync(path.join(bed.dataDir, 'wallets', 'savings')).filter((name) => name.startsWith('compact')),
      [],
    );
    t.deepEqual(
      bed.events
        .get('default')
        ?.flatMap((event) => (event.event === 'note.received' ? [event.data.value_zatoshi] : [])),
      [100],
    );

    bed.devnet.reorganise(1, [{}, {}]);
    bed.pay(addresses.savings, 30_000);
    for (const wallet of WALLETS)
      t.like(await bed.call(wallet, 'sync.run'), { reorg: { depth: 1 }, caught_up: true });
    t.deepEqual(await Promise.all(WALLETS.map((wallet) => bed.total(wallet))), [100, 30_000, 30_000]);
    for (const wallet of WALLETS)
      t.is(bed.heard(wallet).filter((event) => event === 'reorg').length, 1, wallet);
  },
);

test.serial(
  'a memo lies beside its event while it is delivered, to the listeners of its wallet, and no longer',
  async (t) => {
    const bed = await open(t);
    const addresses = await bed.makeThree();
    const reported: { wallet: string; text: string; memo: Uint8Array }[] = [];
    for (const wallet of WALLETS) {
      bed.companion.subscribe((_event, memo) => {
        if (memo !== undefined) reported.push({ wallet, memo, text: Buffer.from(memo).toString() });
      }, wallet);
    }
    bed.devnet.payTo(addresses.default, { pool: 'ironwood', zatoshi: 7, memo: 'order 17' });
    bed.devnet.payTo(addresses.savings, { pool: 'sapling', zatoshi: 8, memo: 'order 18' });
    await bed.call('default', 'sync.run');
    // Its memo is in the full transaction alone.
    await bed.call('savings', 'sync.run', { source: 'compact' });
    await until(() => reported.length === 2);
    t.deepEqual(
      reported.map(({ wallet, text }) => [wallet, text]),
      [
        ['default', '"memo":{"text":"order 17"}'],
        ['savings', '"memo":{"text":"order 18"}'],
      ],
    );
    t.true(reported.every(({ memo }) => memo.length > 0 && memo.every((byte) => byte === 0)));
    t.true(bed.heard('savings').includes('note.memo'));
    t.false(JSON.stringify([...bed.events.values()]).includes('order'));
  },
);

test.serial(
  'one password opens one wallet, and a lock ends one session with the thread that it was in',
  async (t) => {
    const bed = await open(t);
    await bed.makeThree();
    const before = [...bed.threads];
    // The chain thread and three of wallets.
    t.is(before.length, 4);
    await bed.lock('savings');
    t.is(await bed.code('savings', 'balance.get'), 'WALLET_LOCKED');
    t.deepEqual(await Promise.all(['default', 'watch'].map((wallet) => bed.code(wallet, 'accounts.list'))), [
      'OK',
      'OK',
    ]);
    t.false(bed.threads.includes(before[2]!), 'what was in its memory is gone');
    t.true(
      [0, 1, 3].every((place) => bed.threads.includes(before[place]!)),
      'the others go on',
    );
    t.deepEqual(
      bed.heard('default').filter((event) => event.startsWith('wallet.')),
      ['wallet.unlocked'],
    );
    t.deepEqual(
      bed.heard('savings').filter((event) => event.startsWith('wallet.')),
      ['wallet.unlocked', 'wallet.locked'],
    );
    for (const password of [PASSWORDS.default, PASSWORDS.watch])
      t.is(await bed.code('savings', 'wallet.unlock', { password }), 'WRONG_PASSWORD');
    t.is(await bed.code('savings', 'wallet.unlock', { password: PASSWORDS.savings }), 'OK');
    // Backup does without a session: no wallet's phrase comes by the password of another.
    t.is(await bed.code('default', 'wallet.backup', { password: PASSWORDS.savings }), 'WRONG_PASSWORD');
    const listed = await bed.call('default', 'wallets.list');
    t.deepEqual(
      listed.wallets.map(({ name, exists, unlocked, watch_only }) => [name, exists, unlocked, watch_only]),
      [
        ['default', true, true, false],
        ['savings', true, true, false],
        ['watch', true, true, true],
      ],
    );
  },
);

test.serial(
  'all follow at once, each from its own source, and each notifies its own listeners alone',
  async (t) => {
    const bed = await open(t);
    const addresses = await bed.makeThree();
    const follow = { enabled: true };
    await bed.call('default', 'config.block_source', { source: 'compact' });
    const received = (wallet: Wallet, zatoshi: number) =>
      new Promise<void>((resolve) => {
        const stop = bed.companion.subscribe((event) => {
          if (event.event !== 'note.received' || event.data.value_zatoshi !== zatoshi) return;
          stop();
          resolve();
        }, wallet);
      });
    const first = [received('default', 7), received('savings', 70), received('watch', 70)];
    bed.pay(addresses.default, 7);
    bed.pay(addresses.savings, 70);
    await Promise.all([
      bed.call('default', 'follow.set', follow),
      bed.call('savings', 'follow.set', follow),
      bed.call('watch', 'follow.set', follow),
    ]);
    await Promise.all(first);
    t.like(await bed.call('watch', 'follow.get'), { enabled: true, source: 'compact' });
    t.like(await bed.call('savings', 'follow.get'), { enabled: true, source: 'compact' });
    // Each has its own setting, in its own file.
    await bed.call('savings', 'follow.set', { enabled: false });
    t.like(await bed.call('default', 'follow.get'), { enabled: true });
    t.like(await bed.call('savings', 'follow.get'), { enabled: false });
    const second = received('default', 8);
    bed.pay(addresses.default, 8);
    await second;
    t.deepEqual(
      bed.events
        .get('watch')
        ?.flatMap((event) => (event.event === 'note.received' ? [event.data.value_zatoshi] : [])),
      [70],
    );
  },
);

test.serial(
  'a thread that is lost takes nothing from the others, and its wallet comes back locked',
  async (t) => {
    const bed = await open(t);
    await bed.makeThree();
    await bed.threads[2]!.terminate();
    t.is(await bed.total('default'), 0);
    t.is(await bed.total('watch'), 0);
    t.deepEqual(bed.events.get('savings')?.at(-1), {
      event: 'wallet.locked',
      data: { reason: 'thread_lost' },
    });
    t.false(bed.heard('default').includes('wallet.locked'));
    const codes = new Set<string>();
    do codes.add(await bed.code('savings', 'balance.get'));
    while (!codes.has('WALLET_LOCKED'));
    codes.delete('WALLET_LOCKED');
    t.true([...codes].every((code) => code === 'THREAD_LOST'));
    t.is(await bed.code('savings', 'wallet.unlock', { password: PASSWORDS.savings }), 'OK');

    // And that of the chain, which all ask.
    const [chain] = bed.threads;
    const successor = once(process as NodeJS.EventEmitter, 'worker');
    await chain!.terminate();
    await successor;
    for (const wallet of WALLETS) {
      let code = await bed.code(wallet, 'sync.run');
      while (['THREAD_LOST', 'BUSY'].includes(code)) code = await bed.code(wallet, 'sync.run');
      t.is(code, 'OK', wallet);
    }
  },
);

test.serial(
  'a wallet that is not used gives its thread back, and keeps the wait after wrong passwords',
  async (t) => {
    const bed = await open(t);
    await bed.makeThree();
    await bed.lock('savings');
    for (let tries = 0; tries < 3; tries++)
      t.is(await bed.code('savings', 'wallet.unlock', { password: 'wrong' }), 'WRONG_PASSWORD');
    await untilRefused(bed, 'savings');
    t.is(await bed.code('default', 'wallet.backup', { password: PASSWORDS.default }), 'OK');
    await until(() => bed.threads.length === 3);
    // A call without a secret: nothing has to be cleared away after it.
    await bed.call('savings', 'wallet.status');
    t.is(bed.threads.length, 4);
    bed.timers.strike(REST_AFTER_MS);
    await until(() => bed.threads.length === 3);
    // The same wallet under a fresh thread is no way round.
    const { tries, seconds } = await untilRefused(bed, 'savings');
    t.true(tries < 3 && seconds > 0, `${tries} tries, ${seconds} s`);
    t.is(await bed.total('watch'), 0, 'an open one is not touched');
  },
);

test.serial(
  'so many are in use and no more: one that is not needed gives way, and an open one does not',
  async (t) => {
    const bed = await open(t, { mostOpen: 2 });
    await bed.makeThree();
    t.is(await bed.code('third', 'wallet.unlock', { password: 'a' }), 'BUSY');
    t.is(await bed.code('third', 'wallet.create', { password: 'four' }), 'BUSY');
    t.false(existsSync(path.join(bed.dataDir, 'wallets', 'third')));
    await bed.call('watch', 'wallet.lock');
    t.is(await bed.code('third', 'wallet.unlock', { password: 'a' }), 'NO_WALLET');
    t.is(
      await bed.code('fourth', 'wallet.unlock', { password: 'a' }),
      'NO_WALLET',
      'the third is not needed',
    );
    t.is(await bed.code('savings', 'balance.get'), 'OK');
    t.is(await bed.code('watch', 'balance.get'), 'WALLET_LOCKED');
    t.like(await bed.call('default', 'wallets.list'), { most_open: 2 });
  },
);

test.serial(
  'an unknown name answers as the default wallet does without a file, or that there is none, and leaves nothing behind',
  async (t) => {
    const bed = await open(t);
    const asked: [OperationName, object][] = [
      ['wallet.exists', {}],
      ['balance.get', {}],
      ['sync.run', { password: 'a' }],
      ['sync.run', { start_height: 'x' }],
      ['wallet.unlock', { password: 'a' }],
      ['notes.list', {}],
      ['notes.list', { limit: -1 }],
      ['wallet.restore', { mnemonic: 'not a phrase', password: 'a' }],
    ];
    for (const [name, input] of asked)
      t.deepEqual(
        await bed.dispatch('nobody', name, input),
        await bed.dispatch('default', name, input),
        name,
      );
    const context = { requestId: 'bytes', wallet: 'made-up' };
    const bytes = await bed.companion.dispatchJson('wallet.exists', new TextEncoder().encode('{}'), context);
    t.is(bytes.ok && Buffer.from(bytes.value).toString(), '{"exists":false}', 'as over HTTP');
    t.deepEqual(readdirSync(path.join(bed.dataDir, 'wallets')), []);
    const running = bed.threads.length;
    for (const name of ['wallet.status', 'config.get', 'sync.status', 'follow.get', 'balance.get'] as const)
      t.is(await bed.code(`made-up-${running}`, name), 'NO_WALLET');
    t.is(bed.threads.length, running, 'what only reads starts no thread for a name');
  },
);

test.serial(
  'an event of the companion as a whole is the same for all wallets, and goes to each',
  async (t) => {
    const bed = await open(t);
    await bed.makeThree();
    await bed.call('savings', 'config.theme', { theme: 'dark' });
    t.is((await bed.call('default', 'config.get')).theme, 'dark');
    await until(() => bed.heard('savings').includes('config.changed'));
    t.is((await bed.call('savings', 'config.get')).theme, 'dark');
    const node_url = 'http://127.0.0.1:1';
    await bed.call('default', 'config.node_url', { url: node_url });
    while ((await bed.call('watch', 'config.get')).node_url !== node_url);
    t.is(await bed.code('watch', 'sync.run'), 'NODE_UNREACHABLE');
    // Written by one thread alone, in one file; the others' have what is theirs.
    t.like(JSON.parse(readFileSync(path.join(bed.folder, 'config.json'), 'utf8')), {
      theme: 'dark',
      node_url,
    });
    const own = JSON.parse(readFileSync(path.join(bed.dataDir, 'wallets', 'watch', 'config.json'), 'utf8'));
    t.deepEqual(Object.keys(own).sort(), [
      'last_scan_height',
      'last_scan_wallet',
      'last_scan_writes',
      'payment_writes',
    ]);
    await bed.companion.reload();
  },
);

test.serial(
  'a restart finds them, with what each had scanned and what a person wrote beside it',
  async (t) => {
    const bed = await open(t);
    const addresses = await bed.makeThree();
    bed.pay(addresses.default, 100);
    bed.pay(addresses.savings, 2_000);
    bed.devnet.mineEmpty(3);
    for (const wallet of WALLETS) await bed.call(wallet, 'sync.run');
    await bed.stop();
    t.deepEqual(bed.threads, []);

    const file = path.join(bed.dataDir, 'wallets', 'savings', 'config.json');
    for (const folder of ['wallets', 'wallets/savings'])
      t.is(statSync(path.join(bed.dataDir, folder)).mode & 0o777, 0o700);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("last_scan_height": )5/, '$11'));
    await bed.start();
    t.deepEqual(
      (await bed.call('default', 'wallets.list')).wallets.map(({ name, unlocked }) => [name, unlocked]),
      WALLETS.map((name) => [name, false]),
    );
    for (const wallet of WALLETS) await bed.call(wallet, 'wallet.unlock', { password: PASSWORDS[wallet] });
    const heights = await Promise.all(WALLETS.map((wallet) => bed.call(wallet, 'sync.status')));
    t.deepEqual(
      heights.map(({ last_scan_height }) => last_scan_height),
      [5, 1, 5],
    );
    t.is((await bed.call('savings', 'sync.run')).blocks_scanned, 4);
    t.deepEqual(await Promise.all(WALLETS.map((wallet) => bed.total(wallet))), [100, 2_000, 2_000]);
  },
);

test.serial('a file or folder that is wrong stops its own wallet alone, and is left as it is', async (t) => {
  const bed = await open(t);
  await bed.makeThree();
  await bed.lock('savings');
  const file = path.join(bed.dataDir, 'wallets', 'savings', 'config.json');
  const broken = '{"follow": "perhaps"}';
  writeFileSync(file, broken);
  const refused = await bed.dispatch('savings', 'wallet.status');
  t.like(refused, { ok: false, error: { code: 'INVALID_REQUEST' } });
  t.regex(refused.ok ? '' : refused.error.detail, /config\.json.*line 1.*follow/);
  t.is(readFileSync(file, 'utf8'), broken);
  t.is(await bed.total('default'), 0);
  writeFileSync(file, '{}');
  t.is(await bed.code('savings', 'wallet.unlock', { password: PASSWORDS.savings }), 'OK');

  const elsewhere = path.join(bed.folder, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, path.join(bed.dataDir, 'wallets', 'linked'));
  t.is(await bed.code('linked', 'wallet.status'), 'STORAGE_FAILED');
  t.is(await bed.code('linked', 'wallet.create', { password: 'four' }), 'STORAGE_FAILED');
  t.deepEqual(
    (await bed.call('default', 'wallets.list')).wallets.map(({ name }) => name),
    WALLETS,
  );
  writeFileSync(path.join(bed.dataDir, 'wallets', 'plain'), '');
  t.is(await bed.code('plain', 'wallet.exists'), 'STORAGE_FAILED');
  // Open to others by somebody's mistake: closed again, as the data directory is.
  mkdirSync(path.join(bed.dataDir, 'wallets', 'wide'), { mode: 0o755 });
  chmodSync(path.join(bed.dataDir, 'wallets', 'wide'), 0o755);
  t.is(await bed.code('wide', 'wallet.create', { password: 'four', birthday_height: 1 }), 'OK');
  t.is(statSync(path.join(bed.dataDir, 'wallets', 'wide')).mode & 0o777, 0o700);
});

test.serial(
  'a password at hand opens its wallet at the start and after a lost thread, and no other',
  async (t) => {
    const bed = await open(t);
    await bed.makeThree();
    await bed.stop();
    const password = {
      read: async () => new TextEncoder().encode(PASSWORDS.savings),
      forget: () => undefined,
    };
    await bed.start({ passwords: new Map([['savings', password]]) });
    t.is(await bed.companion.unlock('savings'), undefined);
    t.is(await bed.code('savings', 'balance.get'), 'OK');
    for (const wallet of ['default', 'watch']) t.is(await bed.code(wallet, 'balance.get'), 'WALLET_LOCKED');

    const unlocks = () => bed.heard('savings').filter((event) => event === 'wallet.unlocked').length;
    const before = unlocks();
    await bed.threads.at(-2)!.terminate();
    await until(() => unlocks() > before);
    t.is(await bed.code('savings', 'balance.get'), 'OK');
    // A lock is meant: nothing opens it again by itself.
    await bed.lock('savings');
    t.is(await bed.code('savings', 'balance.get'), 'WALLET_LOCKED');
  },
);

test.serial(
  'a wallet goes when its password is given and its phrase was seen, and comes back when its file does',
  async (t) => {
    const bed = await open(t);
    const { savings } = await bed.makeThree();
    bed.pay(savings, 50);
    await bed.call('savings', 'sync.run');
    const folder = path.join(bed.dataDir, 'wallets', 'savings');
    const listed = async () => (await bed.call('default', 'wallets.list')).wallets.map(({ name }) => name);
    const password = PASSWORDS.savings;
    t.is(await bed.code('savings', 'wallet.remove', { password: 'wrong' }), 'WRONG_PASSWORD');
    t.is(await bed.code('savings', 'wallet.remove', { password }), 'INVALID_REQUEST');
    t.is(await bed.code('savings', 'wallet.remove', { password, without_backup: false }), 'INVALID_REQUEST');
    t.true(existsSync(path.join(folder, 'wallet.dat')));
    await bed.call('savings', 'wallet.backup', { password });
    t.deepEqual(await bed.call('savings', 'wallet.remove', { password }), {
      removed: true,
      kept_as: 'wallet.dat.removed',
    });
    t.deepEqual(await listed(), ['default', 'watch']);
    t.is(await bed.code('savings', 'balance.get'), 'NO_WALLET');
    t.is(bed.heard('savings').at(-1), 'wallet.locked');
    // The name is free, and a second file does not replace the first.
    await bed.call('savings', 'wallet.create', { password: 'next', birthday_height: 1 });
    const next = await bed.call('savings', 'wallet.remove', { password: 'next', without_backup: true });
    t.is(next.kept_as, 'wallet.dat.removed-2');
    renameSync(path.join(folder, 'wallet.dat.removed'), path.join(folder, 'wallet.dat'));
    // The store of the wallet that was made meanwhile lies in its place.
    renameSync(path.join(folder, 'ledger-retired-1.db'), path.join(folder, 'ledger.db'));
    t.is((await bed.call('savings', 'wallet.unlock', { password })).unified_address, savings);
    t.is(await bed.total('savings'), 50);
    // Nothing of a viewing key is lost with it, and the typed phrase of a restore is known to the user.
    await bed.call('watch', 'wallet.remove', { password: PASSWORDS.watch });
    t.is(
      await bed.code('default', 'wallet.remove', { password: PASSWORDS.default, without_backup: true }),
      'OK',
    );
    t.like(await bed.call('default', 'wallet.status'), { exists: false, unlocked: false });
    const { mnemonic } = await bed.call('savings', 'wallet.backup', { password });
    await bed.call('default', 'wallet.restore', { mnemonic, password: 'again', birthday_height: 1 });
    t.is((await bed.call('default', 'balance.get')).as_of_height, null);
    t.is((await bed.call('default', 'wallet.remove', { password: 'again' })).kept_as, 'wallet.dat.removed-2');
  },
);

test.serial(
  'a wallet gets another name, with what it knows, and no name is taken from another',
  async (t) => {
    const bed = await open(t);
    const { savings } = await bed.makeThree();
    bed.pay(savings, 50);
    await bed.call('savings', 'sync.run');
    const rename = (wallet: string, name: string, password = PASSWORDS.savings) =>
      bed.code('default', 'wallets.rename', { wallet, name, password });
    t.is(await rename('savings', 'cold', 'wrong'), 'WRONG_PASSWORD');
    t.is(await rename('savings', 'watch'), 'WALLET_EXISTS');
    t.is(await rename('savings', '../cold'), 'INVALID_REQUEST');
    t.is(await rename('savings', 'default'), 'INVALID_REQUEST');
    t.is(await rename('default', 'cold', PASSWORDS.default), 'INVALID_REQUEST');
    t.is(await rename('nobody', 'cold'), 'NO_WALLET');
    const heights = async () =>
      (await bed.call('default', 'wallets.list')).wallets.map(({ name, last_scan_height: height }) => [
        name,
        height,
      ]);
    const tip = (await bed.call('savings', 'sync.status')).last_scan_height;
    t.true(tip > 0);
    t.deepEqual((await heights())[1], ['savings', tip]);
    t.is(await rename('savings', 'cold'), 'OK');
    t.false(existsSync(path.join(bed.dataDir, 'wallets', 'savings')));
    t.is(bed.heard('savings').at(-1), 'wallet.locked');
    // Without a thread, from its folder.
    t.deepEqual((await heights())[1], ['cold', tip]);
    t.is(await bed.code('savings', 'balance.get'), 'NO_WALLET');
    t.is(await bed.code('cold', 'balance.get'), 'WALLET_LOCKED');
    await bed.call('cold', 'wallet.unlock', { password: PASSWORDS.savings });
    t.is(await bed.total('cold'), 50);
  },
);
