// A restore of the main chain's whole history, era by era: a compact server that makes blocks of the shape the main
// chain had, and the companion as people run it. The balance is checked at the end of each era.
//
//   npm run bench history -- [--part 50] [--full] [--kill] [--workers N] [--no-complete] [--profiles DIR]
//
// 1/50 of every era unless told otherwise, with what all of it would take by that; --kill kills the companion in the
// middle of the first flood and goes on with another. What the columns mean: docs/inside/performance.md.
import { once } from 'node:events';
import { type Row, tableOf } from '@wallet-companion/kernel/bench/table';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { addLeaves, leafCount, subtractLeaves } from '@wallet-companion/zcash/trees';
import { PASSWORD } from './chains/benchWallet.ts';
import { type KernelFigure, kernelSeconds, measureKernel } from './chains/kernelFigure.ts';
import { call, type Running, stop } from './companionProcess.ts';
import { megabytes, Stopwatch, type Taken } from './history/measuring.ts';
import { balanceAfter, ownLeavesAfter, ownTransactions } from './history/ownTransactions.ts';
import { type Era, HistoryPlan } from './history/plan.ts';
import { flag, numberOption, option } from './options.ts';
import {
  type Bed,
  expectBalance,
  makeBed,
  removeBed,
  restoreWallet,
  serve,
  startProbed,
} from './sync/serving.ts';
import { HELPERS } from './sync/threadTimes.ts';

const PART = 50;
const KILLED_ERA = 'first flood';
/** How often a run of it all asks how far it is; a part asks that much more often, so that asking weighs the same. */
const POLL_MS_OF_ALL = 1_000;
const ROLES = ['main', 'wallet', 'chain', 'scan', HELPERS];
/** The first blocks are a row of their own: they pay for what a process does once, which no part of a history scales. */
const STARTING_BLOCKS = 5;

export async function run(): Promise<void> {
  const part = flag('full') ? 1 : numberOption('part', PART);
  const plan = new HistoryPlan(1 / part);
  const own = ownTransactions(plan);
  const sizesAfter = (height: number): TreeSizes => {
    return addLeaves(plan.sizesAfter(height), ownLeavesAfter(own, height));
  };
  console.log(
    `Node ${process.version}; ${part === 1 ? 'the whole history' : `1/${part} of every era`}: ${plan.tip} blocks, ${leafCount(sizesAfter(plan.tip))} outputs`,
  );
  const kernelBefore = await measureKernel();
  const servers = await serve(new URL('history/serverProcess.js', import.meta.url), String(1 / part));
  const bed = makeBed(servers, {
    activation_heights: plan.params.activation,
    complete_transactions: !flag('no-complete'),
  });
  const serverBefore = servers.cpuSeconds();
  const measured: Measured[] = [];
  const restore = new Restore(bed, await startCompanion(bed), POLL_MS_OF_ALL / part);
  try {
    await restoreWallet(restore.companion, 1);
    const [oldest, ...later] = plan.eras;
    const starting = { ...oldest!, name: 'the first blocks', last: STARTING_BLOCKS };
    for (const era of [starting, { ...oldest!, first: STARTING_BLOCKS + 1 }, ...later]) {
      const kill = flag('kill') && era.name === KILLED_ERA;
      const taken = await restore.scan(era, kill);
      await expectBalance(restore.companion, balanceAfter(own, era.last));
      const outputs = subtractLeaves(sizesAfter(era.last), sizesAfter(era.first - 1));
      measured.push({ era, outputs, taken, megabytes: megabytes(bed.dataDir) });
      console.log(`${era.name}: ${taken.seconds.toFixed(1)} s; the balance is right`);
    }
    console.log(
      `the server took ${(servers.cpuSeconds() - serverBefore).toFixed(1)} s of the same processor`,
    );
  } finally {
    await stop(restore.companion);
    servers.stop();
    removeBed(bed);
  }
  report(measured, part, mean(kernelBefore, await measureKernel()));
}

const startCompanion = (bed: Bed): Promise<Running> => {
  const workers = option('workers');
  return startProbed(bed, workers === undefined ? undefined : Number(workers), option('profiles'));
};

/** The machine may get faster or slower meanwhile. */
const mean = (a: KernelFigure, b: KernelFigure): KernelFigure => ({
  variant: a.variant,
  sapling: (a.sapling + b.sapling) / 2,
  orchard: (a.orchard + b.orchard) / 2,
});

interface Status {
  readonly syncing: boolean;
  readonly progress: { readonly committed_height: number } | null;
  readonly last_scan_height: number;
}

class Restore {
  readonly #bed: Bed;
  readonly #pollMs: number;
  companion: Running;

  constructor(bed: Bed, companion: Running, pollMs: number) {
    this.#bed = bed;
    this.#pollMs = pollMs;
    this.companion = companion;
  }

  /** To the era's last block, in requests as a client makes them. */
  async scan(era: Era, kill: boolean): Promise<Taken> {
    const watch = new Stopwatch(this.companion.child, this.#bed.threads);
    if (kill) await this.#killAt((era.first + era.last) >> 1, era, watch);
    while ((await this.#request(era)) < era.last);
    return watch.stop();
  }

  /** The last height that is scanned. */
  async #request(era: Era): Promise<number> {
    const body = { source: 'compact', end_height: era.last };
    const answer = await call<{ last_scan_height: number; blocks_scanned: number }>(
      this.companion,
      '/api/sync',
      body,
    );
    if (answer.blocks_scanned === 0 && answer.last_scan_height < era.last)
      throw new Error(`nothing was scanned above ${answer.last_scan_height}`);
    return answer.last_scan_height;
  }

  /** Ends the process without a word while it scans, once it has committed up to a height. */
  async #killAt(height: number, era: Era, watch: Stopwatch): Promise<void> {
    let reached = 0;
    let scanning = false;
    while (reached < height) {
      if (!scanning) {
        scanning = true;
        // The request that is running when the process ends has no answer.
        void this.#request(era)
          .catch(() => undefined)
          .finally(() => {
            scanning = false;
          });
      }
      const { progress, last_scan_height: last } = await call<Status>(this.companion, '/api/sync/status');
      reached = Math.max(last, progress?.committed_height ?? 0);
      await new Promise((resolve) => setTimeout(resolve, this.#pollMs));
    }
    watch.ends();
    const { child } = this.companion;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    this.companion = await startCompanion(this.#bed);
    watch.goesOnWith(this.companion.child);
    await call(this.companion, '/api/wallet/unlock', { password: PASSWORD });
    const { last_scan_height: kept } = await call<Status>(this.companion, '/api/sync/status');
    if (kept < reached) throw new Error(`killed when ${reached} was committed, but only ${kept} is known`);
    console.log(`killed in the ${era.name} when ${reached} was committed; goes on above ${kept}`);
  }
}

interface Measured {
  readonly era: Era;
  readonly outputs: TreeSizes;
  readonly taken: Taken;
  readonly megabytes: number;
}

interface Figures {
  readonly blocks: number;
  readonly outputs: number;
  readonly seconds: number;
  readonly cpu: number;
  readonly kernel: number;
  readonly peak: number;
  /** Seconds of processor time by role. */
  readonly byRole: Readonly<Record<string, number>>;
}

function report(measured: readonly Measured[], part: number, kernel: KernelFigure): void {
  console.log(
    `the ${kernel.variant} kernel alone, us per output with two viewing keys: Sapling ${kernel.sapling.toFixed(1)}, Orchard ${kernel.orchard.toFixed(1)}`,
  );
  const figures = measured.map(
    ({ era, outputs, taken }): Figures => ({
      blocks: era.last - era.first + 1,
      outputs: leafCount(outputs),
      seconds: taken.seconds,
      cpu: taken.cpuSeconds,
      kernel: kernelSeconds(kernel, outputs),
      peak: taken.peakMebibytes,
      byRole: taken.byRole,
    }),
  );
  const rows: Row[] = measured.map(({ era, megabytes: disk }, i) => ({
    era: era.name,
    ...rowOf(figures[i]!),
    'disk MB': disk.toFixed(1),
  }));
  const [starting, ...eras] = figures;
  rows.push({ era: 'all', ...rowOf(sumOf([starting!, ...eras])) });
  if (part !== 1) {
    rows.push({ era: `all, eras times ${part}`, ...rowOf(sumOf([starting!, scaled(sumOf(eras), part)])) });
  }
  console.log(tableOf(rows));
}

const sumOf = (figures: readonly Figures[]): Figures =>
  figures.reduce((sum, one) => ({
    blocks: sum.blocks + one.blocks,
    outputs: sum.outputs + one.outputs,
    seconds: sum.seconds + one.seconds,
    cpu: sum.cpu + one.cpu,
    kernel: sum.kernel + one.kernel,
    peak: Math.max(sum.peak, one.peak),
    byRole: perRole((role) => (sum.byRole[role] ?? 0) + (one.byRole[role] ?? 0)),
  }));

const perRole = <T>(of: (role: string) => T): Record<string, T> =>
  Object.fromEntries(ROLES.map((role) => [role, of(role)]));

const scaled = (
  { blocks, outputs, seconds, cpu, kernel, peak, byRole }: Figures,
  factor: number,
): Figures => ({
  blocks: blocks * factor,
  outputs: outputs * factor,
  seconds: seconds * factor,
  cpu: cpu * factor,
  kernel: kernel * factor,
  peak,
  byRole: perRole((role) => (byRole[role] ?? 0) * factor),
});

const rowOf = (figures: Figures): Row => ({
  blocks: Math.round(figures.blocks),
  outputs: Math.round(figures.outputs),
  seconds: figures.seconds.toFixed(1),
  'CPU s': figures.cpu.toFixed(1),
  'kernel alone s': figures.kernel.toFixed(1),
  'CPU / kernel': figures.kernel === 0 ? '-' : (figures.cpu / figures.kernel).toFixed(2),
  ...perRole((role) => (figures.byRole[role] ?? 0).toFixed(1)),
  'peak RSS MiB': figures.peak,
});
