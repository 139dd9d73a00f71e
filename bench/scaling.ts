// The main chain for many viewing keys on many machines: tasks a second of the thread through which wallets share workers,
// jobs a second of the queue, measured with a real Redis or Valkey where one is installed, and hours by simulation from
// measured costs. docs/scaling.md has the figures and what they mean.
//
//   npm run bench scaling [-- --core-hour 0.04]

import { type Row, tableOf } from '@wallet-companion/kernel/bench/table';
import { numberOption } from './options.ts';
import { measureHub } from './scaling/hubRate.ts';
import { measureQueue } from './scaling/queueRate.ts';
import { simulate, workloadOf } from './scaling/simulation.ts';

const KEYS = [1, 2, 10, 100, 1_000];
const CORES = [1, 2, 8, 64];
const MACHINES = [1, 4, 16];
const DOLLARS_PER_CORE_HOUR = 0.04;

export async function run(): Promise<void> {
  const price = numberOption('core-hour', DOLLARS_PER_CORE_HOUR);
  console.log(`${tableOf(await measureHub())}\n`);
  const queue = await measureQueue();
  console.log(queue === undefined ? 'Neither valkey-server nor redis-server is installed.' : tableOf(queue));
  const totals: Row[] = [];
  const hours: Row[] = [];
  for (const keys of KEYS) {
    const workload = workloadOf(keys);
    totals.push({
      'viewing keys': keys,
      jobs: workload.jobs.length,
      'core hours': workload.coreHours.toFixed(1),
      'blocks read GB': workload.fetchedGb.toFixed(1),
      'results GB': workload.resultGb.toFixed(1),
      dollars: (workload.coreHours * price).toFixed(2),
    });
    for (const cores of CORES) {
      const row: Record<string, string | number> = { 'viewing keys': keys, cores };
      for (const machines of MACHINES) {
        const outcome = simulate(workload, cores * machines);
        const by = outcome.boundBy === 'companion' ? ' *' : '';
        row[`${machines} h`] = outcome.hours.toFixed(2) + by;
        row[`${machines} jobs/s`] = outcome.jobsPerSecond.toFixed(1);
        row[`${machines} busy %`] = (outcome.busy * 100).toFixed(0);
      }
      hours.push(row);
    }
  }
  console.log(`\n${tableOf(totals)}\n\nHours by machines; *: bound by the companion's own thread\n`);
  console.log(tableOf(hours));
}
