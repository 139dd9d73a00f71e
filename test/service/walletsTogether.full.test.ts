// Wallets that scan alone and at once, with real threads: the workers' thread comes and goes with them, and what is lost on
// the way, a wallet's thread or that of the workers, takes nothing from anybody.

import { once } from 'node:events';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { OperationName, Output } from '../../src/protocol/operations.ts';
import { type Result, unwrap } from '../../src/protocol/result.ts';
import { createDataDirectory } from '../../src/storage/files/directories.ts';
import { requestOf } from '../../src/workers/channelForms.ts';
import { Companion } from '../../src/workers/companion.ts';
import { CHEAP_KDF } from '../helpers/cheapKdf.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { until } from '../helpers/until.ts';
import { isScanHub } from './scanHubs.ts';

const ACTIVATION = { nu6_3: 1 };
const NAMES = ['default', 'savings', 'watch'] as const;
type Wallet = (typeof NAMES)[number];

class Bed {
  readonly devnet = new Devnet({ params: regtestParameters(ACTIVATION), seed: 'together' });
  companion!: Companion;
  readonly addresses = new Map<Wallet, string>();
  /** Threads that own workers, the oldest first; those that have ended are not there. */
  readonly hubs: Worker[] = [];
  /** How many ways to them were asked for. */
  connected = 0;
  /** Wallet threads with a pool open, in the order in which it was opened. */
  readonly scanning: Worker[] = [];
  readonly #restarts: (() => void)[] = [];
  readonly #watch = (worker: Worker): void => {
    if (isScanHub(worker)) {
      this.hubs.push(worker);
      worker.once('exit', () => void this.hubs.splice(this.hubs.indexOf(worker), 1));
    }
    worker.on('message', (message) => {
      if (requestOf(message)?.method !== 'connectScanWorkers') return;
      this.scanning.push(worker);
      this.connected += 1;
    });
  };

  async start(t: ExecutionContext): Promise<void> {
    const folder = temporaryFolder(t);
    createDataDirectory(path.join(folder, 'data'));
    process.on('worker', this.#watch);
    t.teardown(async () => {
      await this.companion.stop();
      process.off('worker', this.#watch);
      await this.devnet.close();
    });
    this.companion = Companion.start({
      configDir: folder,
      dataDir: path.join(folder, 'data'),
      kdf: CHEAP_KDF,
      overrides: {
        network: 'regtest',
        activation_heights: ACTIVATION,
        auto_lock_seconds: 0,
        node_url: await this.devnet.node.listen(),
        compact_server_url: await this.devnet.compact.listen(),
      },
      version: '0.0.0',
      scanThreads: 2,
      log: pino({ level: 'silent' }),
      after: (_ms, restart) => this.#restarts.push(restart),
    });
    for (const wallet of ['default', 'savings'] as const) {
      const made = await this.call(wallet, 'wallet.create', { password: wallet, birthday_height: 1 });
      this.addresses.set(wallet, made.unified_address);
    }
    const { viewing_key } = await this.call('savings', 'wallet.viewing_key', { password: 'savings' });
    await this.call('watch', 'wallet.import_viewing_key', {
      viewing_key,
      password: 'watch',
      birthday_height: 1,
    });
  }

  restart(): void {
    for (const restart of this.#restarts.splice(0)) restart();
  }

  dispatch<N extends OperationName>(wallet: string, name: N, input: object = {}): Promise<Result<Output<N>>> {
    return this.companion.dispatch(name, input, { requestId: 'test', wallet });
  }

  async call<N extends OperationName>(wallet: string, name: N, input: object = {}): Promise<Output<N>> {
    return unwrap(await this.dispatch(wallet, name, input));
  }

  pay(wallet: Wallet, zatoshi: number): void {
    this.devnet.payTo(this.addresses.get(wallet)!, { pool: 'ironwood', zatoshi });
  }

  syncAll(input: object = {}): Promise<Output<'sync.run'>[]> {
    return Promise.all(NAMES.map((wallet) => this.call(wallet, 'sync.run', input)));
  }

  async totals(wallets: readonly Wallet[] = NAMES): Promise<number[]> {
    const balances = wallets.map((wallet) => this.call(wallet, 'balance.get'));
    return (await Promise.all(balances)).map(({ total_zatoshi }) => total_zatoshi);
  }
}

async function open(t: ExecutionContext): Promise<Bed> {
  const bed = new Bed();
  await bed.start(t);
  return bed;
}

test.serial(
  'one thread has the workers of all, from the first that scans to the lock of the last',
  async (t) => {
    const bed = await open(t);
    bed.pay('default', 1);
    bed.pay('savings', 20);
    await bed.call('default', 'sync.run');
    t.deepEqual([bed.hubs.length, bed.connected], [1, 1]);
    await bed.syncAll({ source: 'compact' });
    t.deepEqual([bed.hubs.length, bed.connected], [1, 3]);
    bed.devnet.mineEmpty(80);
    bed.pay('default', 300);
    bed.pay('savings', 4_000);
    await bed.syncAll();
    t.deepEqual(await bed.totals(), [301, 4_020, 4_020]);

    await bed.call('savings', 'wallet.lock');
    bed.pay('default', 50_000);
    bed.pay('savings', 600_000);
    await bed.call('default', 'sync.run');
    await bed.call('watch', 'sync.run');
    t.deepEqual(await bed.totals(['default', 'watch']), [50_301, 604_020]);
    t.is(bed.hubs.length, 1, 'there are two still');
    await bed.call('watch', 'wallet.lock');
    bed.pay('default', 7_000_000);
    await bed.call('default', 'sync.run');
    t.deepEqual(await bed.totals(['default']), [7_050_301]);
    t.is(bed.hubs.length, 1, 'there is one still');
    await bed.call('default', 'wallet.lock');
    t.is(bed.hubs.length, 0, 'it has ended before the lock was answered');
    await bed.call('savings', 'sync.run', { password: 'savings' });
    await until(() => bed.hubs.length === 1);
    t.deepEqual(await bed.totals(['savings']), [604_020]);
  },
);

test.serial('the thread of the workers is lost in the middle: all go on with the next one', async (t) => {
  const bed = await open(t);
  await bed.syncAll();
  await until(() => bed.hubs.length === 1);
  bed.devnet.mineEmpty(150);
  bed.pay('default', 1);
  bed.pay('savings', 20);
  const [hub] = bed.hubs;
  const gone = once(hub!, 'exit');
  const synced = bed.syncAll();
  await hub!.terminate();
  await gone;
  for (const summary of await synced) t.like(summary, { caught_up: true, complete: true });
  t.deepEqual(await bed.totals(), [1, 20, 20]);
  t.is(bed.hubs.length, 1);
  t.not(bed.hubs[0], hub);
  t.is(bed.connected, 6);
  bed.pay('savings', 300);
  await bed.syncAll();
  t.deepEqual(await bed.totals(), [1, 320, 320]);
});

test.serial('the thread of a wallet is lost in the middle: the others end as they would have', async (t) => {
  const bed = await open(t);
  await bed.syncAll();
  await until(() => bed.hubs.length === 1);
  bed.devnet.mineEmpty(150);
  bed.pay('default', 1);
  bed.pay('savings', 20);
  // In the order in which their pools were opened; which is whose does not matter.
  const synced = NAMES.map((wallet) => bed.dispatch(wallet, 'sync.run'));
  const lost = bed.scanning.at(-1)!;
  await lost.terminate();
  const results = await Promise.all(synced);
  t.deepEqual(results.map((result) => (result.ok ? 'OK' : result.error.code)).sort(), [
    'OK',
    'OK',
    'THREAD_LOST',
  ]);
  bed.restart();
  const totals = { default: 1, savings: 20, watch: 20 };
  for (const [i, wallet] of NAMES.entries()) {
    if (!results[i]!.ok) continue;
    t.is((await bed.call(wallet, 'balance.get')).total_zatoshi, totals[wallet], wallet);
  }
  const place = results.findIndex(({ ok }) => !ok);
  const wallet = NAMES[place]!;
  let again = await bed.dispatch(wallet, 'sync.run', { password: wallet });
  while (!again.ok && again.error.code === 'THREAD_LOST')
    again = await bed.dispatch(wallet, 'sync.run', { password: wallet });
  t.deepEqual(await bed.totals(), [1, 20, 20]);
});

for (const source of ['node', 'compact'] as const) {
  test.serial(`${source}: all follow the chain, and each hears of its own`, async (t) => {
    const bed = await open(t);
    const received = (wallet: Wallet, zatoshi: number) =>
      new Promise<void>((resolve) => {
        bed.companion.subscribe((event) => {
          if (event.event === 'note.received' && event.data.value_zatoshi === zatoshi) resolve();
        }, wallet);
      });
    bed.pay('default', 7);
    const all = [received('default', 7), received('savings', 70), received('watch', 70)];
    bed.pay('savings', 70);
    await bed.call('default', 'config.block_source', { source });
    for (const wallet of NAMES) await bed.call(wallet, 'follow.set', { enabled: true });
    await Promise.all(all);
    const later = [received('default', 8), received('savings', 80), received('watch', 80)];
    bed.pay('default', 8);
    bed.pay('savings', 80);
    await Promise.all(later);
    t.deepEqual(await bed.totals(), [15, 150, 150]);
  });
}
