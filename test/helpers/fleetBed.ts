// A chain with payments to a wallet and from it, the wallet scanned by itself, and the same wallet scanned by a fleet
// whose queue lies in memory: what differs is the fault of the fleet.

import { Devnet } from '@wallet-companion/devnet';
import { decodeJob, WORKER_ID_BYTES } from '@wallet-companion/fleet/jobs';
import { type Accused, FleetPool, JobLost, type JobQueue, type Trouble } from '@wallet-companion/fleet/pool';
import { jobWork, type WorkOnJob } from '@wallet-companion/fleet/worker';
import { networkParameters } from '@wallet-companion/zcash/network';
import type { ExecutionContext } from 'ava';
import { ChainActor } from '../../src/actors/chain/chainActor.ts';
import type { ScanPool } from '../../src/actors/wallet/ports/scanPool.ts';
import { MAX_BLOCKS_PER_SYNC } from '../../src/protocol/syncRange.ts';
import { jobBlocks } from '../../src/workers/fleetJobBlocks.ts';
import { fleetScanPool } from '../../src/workers/fleetScanPool.ts';
import { fleetSeal } from '../../src/workers/fleetSeal.ts';
import { inlinePool } from './inlinePool.ts';
import { MemoryCompactStores } from './memoryCompactStores.ts';
import { openPatientCompact, openPatientNode } from './waits.ts';
import { ManualClock, PASSWORD, seededRandom, startWallet, type WalletHarness } from './walletHarness.ts';

export const FLEET_KEY = new Uint8Array(32).fill(7);
export const EMPTY_BLOCKS = 70;

export interface Fleet {
  /** Jobs in the order in which they came, sealed. */
  readonly jobs: { readonly id: string; readonly job: Uint8Array }[];
  readonly dropped: string[];
  readonly troubles: Trouble[];
  readonly accused: Accused[];
  /** Blocks that were scanned in the companion's own process. */
  readonly ownBlocks: number[];
  workers: number;
  /** Settles with the first job. */
  readonly asked: Promise<void>;
  /** What becomes of a job; by default a worker does it, and another one a copy. */
  answer: (id: string, job: Uint8Array, work: WorkOnJob) => Promise<Uint8Array>;
}

export interface FleetBed {
  readonly devnet: Devnet;
  readonly alone: WalletHarness;
  readonly withFleet: WalletHarness;
  readonly fleet: Fleet;
  /** The workers. Their identities are bytes of their numbers, from 1. */
  readonly works: readonly WorkOnJob[];
  readonly clock: ManualClock;
}

export interface FleetBedOptions {
  readonly source?: 'compact' | 'node';
  readonly clock?: ManualClock;
  /** In the place of the one in memory. */
  readonly queue?: JobQueue;
  readonly doubleJobs?: number;
  /** In the place of the one that the workers have. */
  readonly workersPool?: ScanPool;
}

const WORKERS = 3;

const byWorker: Fleet['answer'] = async (id, job, work) => {
  const outcome = await work(id, job);
  if (typeof outcome === 'string') throw new JobLost('refused');
  return outcome;
};

export async function layFleetBed(
  t: ExecutionContext,
  {
    source = 'compact',
    clock = new ManualClock(),
    queue: given,
    doubleJobs = 0,
    workersPool = inlinePool(2),
  }: FleetBedOptions = {},
): Promise<FleetBed> {
  const devnet = new Devnet({ seed: t.title });
  const config = {
    network: 'regtest' as const,
    node_url: await devnet.node.listen(),
    compact_server_url: await devnet.compact.listen(),
  };
  t.teardown(() => devnet.close());
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const fleet: Fleet = {
    jobs: [],
    dropped: [],
    troubles: [],
    accused: [],
    ownBlocks: [],
    workers: WORKERS,
    asked,
    answer: byWorker,
  };
  const chain = await workersChain(config, t);
  const works = Array.from({ length: WORKERS }, (_, i) =>
    jobWork({
      worker: new Uint8Array(WORKER_ID_BYTES).fill(i + 1),
      seal: fleetSeal(FLEET_KEY, seededRandom(`worker ${i}`)),
      scan: jobBlocks(chain, source, workersPool),
      heights: heightsOf(),
      scannedUpTo: async () => undefined,
      logFault: () => undefined,
    }),
  );
  const seal = fleetSeal(FLEET_KEY, seededRandom('bed'));
  const turns = new Map<number, number>();
  /** In turn, and for the same blocks the next one. */
  const workerFor = (id: string, job: Uint8Array): WorkOnJob => {
    const { start } = decodeJob(seal.open('job', id, job));
    const number = turns.get(start) ?? turns.size;
    turns.set(start, number + 1);
    return works[number % WORKERS]!;
  };
  const queue = (): JobQueue => {
    const open = new Set<string>();
    return {
      workers: async () => given?.workers() ?? fleet.workers,
      run: async (id, job, place) => {
        open.add(id);
        fleet.jobs.push({ id, job });
        ask();
        if (given !== undefined) return given.run(id, job, place);
        return fleet.answer(id, job, workerFor(id, job));
      },
      drop: (id) => {
        fleet.dropped.push(id);
        given?.drop(id);
      },
      close: async () => undefined,
    };
  };
  const withFleet = await startWallet(t, {
    config,
    clock,
    pool: () =>
      fleetScanPool(
        new FleetPool({
          openLocal: () => countingPool(fleet.ownBlocks),
          requestBlocks: MAX_BLOCKS_PER_SYNC,
          queue: queue(),
          seal: fleetSeal(FLEET_KEY, seededRandom('companion')),
          randomBytes: seededRandom('ids'),
          now: () => clock.now(),
          after: (ms, strike) => clock.after(ms, strike),
          trouble: (what) => fleet.troubles.push(what),
          doubleJobs,
          accuse: (accused) => fleet.accused.push(accused),
        }),
        2,
      ),
  });
  const alone = await startWallet(t, { config });
  const { mnemonic, unified_address: address } = await alone.call('wallet.create', {
    password: PASSWORD,
    birthday_height: 1,
  });
  await withFleet.call('wallet.restore', { password: PASSWORD, mnemonic, birthday_height: 1 });
  makeChain(devnet, address, (await alone.call('wallet.viewing_key', { password: PASSWORD })).viewing_key);
  t.teardown(async () => {
    await alone.stop();
    await withFleet.stop();
  });
  return { devnet, alone, withFleet, fleet, works, clock };
}

function makeChain(devnet: Devnet, address: string, viewingKey: string): void {
  devnet.payTo(address, { pool: 'sapling', zatoshi: 500_000n, memo: 'one' });
  devnet.mineEmpty(EMPTY_BLOCKS);
  devnet.payTo(address, { pool: 'ironwood', zatoshi: 700_000n });
  const account = devnet.account(viewingKey);
  devnet.mine({
    transactions: [
      devnet.spend(account, {
        from: 'sapling',
        payments: [{ address, pool: 'ironwood', zatoshi: 100_000n }],
      }),
    ],
  });
  devnet.mineEmpty(EMPTY_BLOCKS);
  devnet.payTo(address, { pool: 'ironwood', zatoshi: 900_000n });
  devnet.mineEmpty(EMPTY_BLOCKS);
}

const heightsOf = () => {
  const { network, activation } = networkParameters('regtest');
  return { network, ...activation };
};

/** A chain side of the worker's own. */
async function workersChain(
  config: { readonly node_url: string; readonly compact_server_url: string },
  t: ExecutionContext,
): Promise<ChainActor> {
  const chain = new ChainActor({
    openNode: openPatientNode,
    openCompact: openPatientCompact,
    stores: new MemoryCompactStores(),
    now: () => 0,
    loopIdle: () => 0,
    logFault: (where, fault) => t.log(where, fault),
  });
  await chain.configure({
    network: 'regtest',
    activation: networkParameters('regtest').activation,
    nodeUrl: config.node_url,
    nodeCookieFile: null,
    namedNodes: [],
    compactServerUrl: config.compact_server_url,
    dataDir: '/nowhere',
    configDir: '/nowhere',
    restrictDbPath: false,
    birthdayHeight: null,
    lastScanHeight: null,
  });
  return chain;
}

/** Notes the heights that are scanned in this process. */
const countingPool = (scannedHeights: number[]): ScanPool => {
  const pool = inlinePool(2);
  return {
    ...pool,
    scan: (batch, keys) => {
      scannedHeights.push(...batch.blocks.map(({ height }) => height));
      return pool.scan(batch, keys);
    },
  };
};

/** Everything that a wallet shows of its funds; how many accounts it was restored with is no fund. */
export async function fundsOf({ call }: WalletHarness): Promise<object> {
  const { accounts_searched: _, ...balance } = await call('balance.get');
  const notes = await call('notes.list', { limit: 1000 });
  const transactions = await call('transactions.list', { limit: 1000 });
  return { balance, notes: notes.notes, transactions: transactions.transactions };
}
