// One measured scan: a companion that is started, given the wallet, and made to scan a prepared chain to its tip.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, type Running, rssMebibytes, stop } from '../companionProcess.ts';
import { flag } from '../options.ts';
import type { ChainFacts } from './preparedChain.ts';
import {
  type Addresses,
  type Asked,
  type Bed,
  expectBalance,
  fillStore,
  makeBed,
  removeBed,
  restoreWallet,
  startProbed,
  syncToTip,
} from './serving.ts';
import { type CpuProfile, type Stage, stageTimes } from './stages.ts';
import { roleOf, threadNames, threadTimes, timesByRole } from './threadTimes.ts';

export type SourceName = Asked | 'store';

export interface CaseOptions {
  readonly servers: Addresses;
  readonly facts: ChainFacts;
  readonly source: SourceName;
  readonly workers: number;
  /** Whether our transactions are read in full after a compact scan, as they are by default. */
  readonly complete: boolean;
}

export interface Scan {
  /** Of a process that has scanned nothing before, or of one that is warm. */
  readonly first: boolean;
  readonly seconds: number;
  /** Seconds of processor time by role. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly peakMebibytes: number;
}

const askedBy = (source: SourceName): Asked => (source === 'store' ? 'compact' : source);

/** `peers`: addresses of those that are asked, beside a server as well; undefined: none is. */
export const settingsOf = (
  { activation }: ChainFacts,
  complete: boolean,
  peers?: readonly (string | undefined)[],
): object => ({
  activation_heights: activation,
  complete_transactions: complete,
  skip_emptied_pools: flag('skip-emptied'),
  ...(peers !== undefined && { peers }),
});

const bedOf = ({ servers, facts, source, complete }: CaseOptions): Bed =>
  makeBed(servers, settingsOf(facts, complete, source === 'peers' ? [servers.peer] : undefined));

export const cpuOf = ({ cpu }: Scan): number => Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);

/** Scans to the tip and checks what was found. */
export async function measuredScan(
  companion: Running,
  bed: Bed,
  { facts, source }: Pick<CaseOptions, 'facts' | 'source'>,
  first: boolean,
): Promise<Scan> {
  const before = threadTimes(companion.child);
  const began = performance.now();
  const { notes, outputs } = await syncToTip(companion, askedBy(source));
  const seconds = (performance.now() - began) / 1000;
  const cpu = timesByRole(before, threadTimes(companion.child), threadNames(bed.threads));
  if (notes !== facts.notes) throw new Error(`${notes} notes were found, not ${facts.notes}`);
  if (outputs !== facts.outputs) throw new Error(`${outputs} outputs were scanned, not ${facts.outputs}`);
  await expectBalance(companion, facts.zatoshi);
  return { first, seconds, cpu, peakMebibytes: rssMebibytes(companion.child, 'VmHWM') };
}

/** A first scan, and, where the blocks are where they were, one more of the same process. */
export async function measureCase(options: CaseOptions): Promise<Scan[]> {
  const bed = bedOf(options);
  const companion = await startProbed(bed, options.workers);
  try {
    await restoreWallet(companion, 1);
    if (options.source === 'store') await fillStore(companion);
    const scans = [await measuredScan(companion, bed, options, true)];
    // What a compact server gave once is in the store from then on.
    if (options.source !== 'compact') {
      await call(companion, '/api/wallet/rescan', {});
      scans.push(await measuredScan(companion, bed, options, false));
    }
    return scans;
  } finally {
    await stop(companion);
    removeBed(bed);
  }
}

export interface Profile {
  /** Seconds of processor time by role. */
  readonly cpu: Readonly<Record<string, number>>;
  /** Microseconds of the profiler's clock by role and stage. */
  readonly times: ReadonlyMap<string, Readonly<Record<Stage, number>>>;
}

/** A first scan under V8's profiler. `keepIn`: where its files are to stay. */
export async function profileCase(options: CaseOptions, keepIn?: string): Promise<Profile> {
  const bed = bedOf(options);
  const profiles = mkdtempSync(path.join(tmpdir(), 'companion-bench-profiles-'));
  try {
    const companion = await startProbed(bed, options.workers, profiles);
    let from = 0;
    let to = 0;
    let cpu: Profile['cpu'] = {};
    try {
      await restoreWallet(companion, 1);
      if (options.source === 'store') await fillStore(companion);
      const before = threadTimes(companion.child);
      from = monotonicMicroseconds();
      await syncToTip(companion, askedBy(options.source));
      to = monotonicMicroseconds();
      cpu = timesByRole(before, threadTimes(companion.child), threadNames(bed.threads));
      // Locking ends the scan workers, which write their profiles then.
      await call(companion, '/api/wallet/lock', {});
    } finally {
      await stop(companion);
    }
    if (keepIn !== undefined) keepProfiles(profiles, bed, keepIn);
    return { cpu, times: readProfiles(profiles, bed, from, to) };
  } finally {
    rmSync(profiles, { recursive: true, force: true });
    removeBed(bed);
  }
}

/** One `THREAD.cpuprofile` each, as browsers' developer tools open them. */
function keepProfiles(profiles: string, bed: Bed, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const names = namesById(bed);
  for (const file of readdirSync(profiles)) {
    const name = (names.get(threadIdOf(file)) ?? file).replace(' ', '-');
    cpSync(path.join(profiles, file), path.join(folder, `${name}.cpuprofile`));
  }
}

const namesById = (bed: Bed): ReadonlyMap<number, string> =>
  new Map([...threadNames(bed.threads).values()].map(({ threadId, name }) => [threadId, name]));

/** CPU.DATE.TIME.PID.THREAD.NUMBER.cpuprofile */
const threadIdOf = (file: string): number => Number(file.split('.')[4]);

/** The clock that V8's profiler goes by. */
const monotonicMicroseconds = (): number => Number(process.hrtime.bigint() / 1000n);

function readProfiles(
  folder: string,
  bed: Bed,
  from: number,
  to: number,
): Map<string, Record<Stage, number>> {
  const names = namesById(bed);
  const roles = new Map<string, Record<Stage, number>>();
  for (const file of readdirSync(folder)) {
    const profile = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as CpuProfile;
    const times = stageTimes(profile, from, to);
    const role = roleOf(names.get(threadIdOf(file)));
    const sum = roles.get(role);
    if (sum === undefined) roles.set(role, times);
    else for (const stage of Object.keys(times) as Stage[]) sum[stage] += times[stage];
  }
  return roles;
}
