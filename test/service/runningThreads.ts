// A companion whose threads tests end from outside, on a known chain.
import { once } from 'node:events';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { systemAfter } from '@wallet-companion/base/async';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { Config } from '../../src/actors/wallet/ports/configFile.ts';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import type { OperationName, Output } from '../../src/protocol/operations.ts';
import { type Result, unwrap } from '../../src/protocol/result.ts';
import type { StartPassword } from '../../src/protocol/startPassword.ts';
import { createDataDirectory } from '../../src/storage/files/directories.ts';
import { Companion, KERNEL_AFTER_MS } from '../../src/workers/companion.ts';
import { CHEAP_KDF } from '../helpers/cheapKdf.ts';
import { type FixtureNode, ORDINARY, SILENCE } from '../helpers/fixtureNode.ts';
import { expectedBalance, readKnownSeed, shownBalance, startKnownSeedNode } from '../helpers/knownSeed.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';
import { isScanHub } from './scanHubs.ts';

const seed = readKnownSeed('main');
export const first = seed.firstHeight;
export const last = first + seed.mainBlocks.length - 1;

/** Node reports every thread that is started; one that owns scan workers does not count. */
export const nextWorker = async (): Promise<Worker> => {
  const [worker] = (await once(process as NodeJS.EventEmitter, 'worker')) as [Worker];
  return isScanHub(worker) ? nextWorker() : worker;
};

/** The restarts that are due. */
type Restarts = (() => void)[];

export class Running {
  readonly companion: Companion;
  readonly node: FixtureNode;
  readonly events: CompanionEvent[] = [];
  chain: Worker;
  wallet: Worker;
  readonly #restarts: Restarts;

  constructor(
    companion: Companion,
    node: FixtureNode,
    [chain, wallet]: readonly [Worker, Worker],
    restarts: Restarts,
  ) {
    this.companion = companion;
    this.node = node;
    this.chain = chain;
    this.wallet = wallet;
    this.#restarts = restarts;
    companion.subscribe((event) => this.events.push(event));
  }

  dispatch<N extends OperationName>(name: N, input: object = {}): Promise<Result<Output<N>>> {
    return this.companion.dispatch(name, input, { requestId: 'test' });
  }

  async call<N extends OperationName>(name: N, input: object = {}): Promise<Output<N>> {
    return unwrap(await this.dispatch(name, input));
  }

  async failure(name: OperationName, input: object = {}): Promise<string> {
    const result = await this.dispatch(name, input);
    return result.ok ? 'no failure' : result.error.code;
  }

  /** Ends the thread and resolves when its successor was started. */
  async replace(which: 'chain' | 'wallet'): Promise<void> {
    const successor = nextWorker();
    await this[which].terminate();
    this[which] = await successor;
  }

  /** Starts the lost threads again, in the order in which they were lost. */
  restart(): void {
    for (const restart of this.#restarts.splice(0)) restart();
  }

  /** A sync that stands still because the node does not answer for one of its last blocks. */
  async startSync(input: object = {}): Promise<Promise<Result<Output<'sync.run'>>>[]> {
    const silent = new Promise<void>((resolve) => {
      this.node.answer = (method, [block]) => {
        if (method !== 'getblock' || block !== String(last - 2)) return ORDINARY;
        resolve();
        return SILENCE;
      };
    });
    const running = this.dispatch('sync.run', input);
    await Promise.race([silent, running]);
    this.node.answer = () => ORDINARY;
    return [running];
  }
}

/** With `restarts`, lost threads come back when the test says so, else in their own time. */
export async function start(
  t: ExecutionContext,
  restarts?: Restarts,
  patience = systemAfter,
  config: Partial<Config> = {},
  password?: StartPassword,
): Promise<Running> {
  const node = await startKnownSeedNode(seed);
  const folder = temporaryFolder(t);
  const dataDir = path.join(folder, 'data');
  createDataDirectory(dataDir);
  const started: Worker[] = [];
  const note = (worker: Worker) => started.push(worker);
  process.on('worker', note);
  const companion = Companion.start({
    configDir: folder,
    dataDir,
    kdf: CHEAP_KDF,
    overrides: { network: 'main', node_url: node.url, ...config },
    version: '0.0.0',
    scanThreads: 1,
    log: pino({ level: 'silent' }),
    // Compiled for a scan alone: its thread would count as another.
    patience: (ms, strike) => (ms === KERNEL_AFTER_MS ? () => undefined : patience(ms, strike)),
    ...(password === undefined ? {} : { passwords: new Map([['default', password]]) }),
    ...(restarts === undefined ? {} : { after: (_waitMs, restart) => void restarts.push(restart) }),
  });
  t.teardown(async () => {
    await companion.stop();
    await node.stop();
  });
  const restore = { mnemonic: seed.mnemonic, password: PASSWORD, birthday_height: first };
  unwrap(await companion.dispatch('wallet.restore', restore, { requestId: 'test' }));
  process.off('worker', note);
  const [chain, wallet] = started;
  if (chain === undefined || wallet === undefined) throw new Error('two threads were expected');
  return new Running(companion, node, [chain, wallet], restarts ?? []);
}

export async function catchesUp(t: ExecutionContext, running: Running): Promise<void> {
  t.like(await running.call('sync.run', { password: PASSWORD }), { caught_up: true, last_scan_height: last });
  const balance = await running.call('balance.get');
  t.true(balance.complete);
  t.deepEqual(shownBalance(balance), expectedBalance(seed.main, last, [0, 1]));
}

/** Locks, and resolves when another thread has come in the place of the one that held the session. */
export async function lock(running: Running): Promise<void> {
  const successor = nextWorker();
  await running.call('wallet.lock');
  running.wallet = await successor;
}

/** Of what `sync.status` tells. */
export const UNKNOWN_WHILE_LOCKED = {
  accounts_searched: null,
  complete: null,
  work_done: null,
  work_total: null,
};
