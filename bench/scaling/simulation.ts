// A fleet on paper: the main chain's jobs, as the companion cuts them, given to cores as they become free; the companion
// takes the results in order and asks for no more than so many ahead.

import { cutJobs } from '@wallet-companion/fleet/pool';
import { MAIN } from '@wallet-companion/zcash/network';
import {
  APPLY_US_PER_BLOCK,
  compactBytes,
  densityOf,
  FIRST_HEIGHT,
  LAST_HEIGHT,
  resultBytes,
  scanUs,
} from './costs.ts';

/** Threads of one worker process: it does one job more than that at once. */
const CORES_PER_PROCESS = 6;
const LEAST_AHEAD = 64;
const MOST_AHEAD = 512;
const JOBS_PER_WORKER = 8;
/** Of the companion, for a job: its half of what the queue takes (measured), and reading the last block (supposed). */
const COMPANION_US_PER_JOB = 4_000;

export interface SimulatedJob {
  readonly us: number;
  readonly applyUs: number;
}

export interface Workload {
  readonly jobs: readonly SimulatedJob[];
  readonly coreHours: number;
  readonly fetchedGb: number;
  readonly resultGb: number;
}

/** The main chain with so many keys that are tried on each output. */
export function workloadOf(keys: number): Workload {
  const heights = { network: 'main' as const, ...MAIN.activation };
  const jobs: SimulatedJob[] = [];
  let [us, fetched, results] = [0, 0, 0];
  // As many keys of each protocol.
  for (const { start, end } of cutJobs({ start: FIRST_HEIGHT, end: LAST_HEIGHT }, heights, 2 * keys)) {
    const blocks = end - start + 1;
    const density = densityOf(start, end);
    const job = {
      us: scanUs(blocks, density, keys),
      applyUs: blocks * APPLY_US_PER_BLOCK + COMPANION_US_PER_JOB,
    };
    jobs.push(job);
    us += job.us;
    fetched += compactBytes(blocks, density);
    results += Math.ceil(resultBytes(blocks, density) / 16_384) * 16_384;
  }
  return { jobs, coreHours: us / 3.6e9, fetchedGb: fetched / 1e9, resultGb: results / 1e9 };
}

export interface Outcome {
  readonly hours: number;
  readonly jobsPerSecond: number;
  readonly boundBy: 'cores' | 'companion';
  /** Part of the time that the cores work. */
  readonly busy: number;
}

export function simulate({ jobs, coreHours }: Workload, cores: number): Outcome {
  const processes = Math.max(1, Math.ceil(cores / CORES_PER_PROCESS));
  const ahead = Math.min(MOST_AHEAD, Math.max(LEAST_AHEAD, processes * JOBS_PER_WORKER));
  const free = new Float64Array(cores);
  const taken = new Float64Array(ahead);
  let now = 0;
  for (const [i, { us, applyUs }] of jobs.entries()) {
    // Asked for when the job `ahead` before it was taken.
    const askedAt = taken[i % ahead]!;
    const core = earliest(free);
    const done = Math.max(free[core]!, askedAt) + us;
    free[core] = done;
    now = Math.max(now, done) + applyUs;
    taken[i % ahead] = now;
  }
  const hours = now / 3.6e9;
  const busy = coreHours / (hours * cores);
  const companionHours = jobs.reduce((sum, { applyUs }) => sum + applyUs, 0) / 3.6e9;
  return {
    hours,
    busy,
    jobsPerSecond: jobs.length / (hours * 3_600),
    boundBy: companionHours > hours * 0.8 ? 'companion' : 'cores',
  };
}

function earliest(free: Float64Array): number {
  let best = 0;
  for (let core = 1; core < free.length; core++) if (free[core]! < free[best]!) best = core;
  return best;
}
