// More scan workers than this machine has, by simulation: they share the work of scanning, and each other thread is one, so
// the busiest of these is the limit. From measured processor time; waiting for the disk and for servers comes on top, and
// Node's helpers need processors of their own.
import type { Row } from '@wallet-companion/kernel/bench/table';
import type { Scan } from './scanCase.ts';

const WORKERS = [1, 2, 4, 8, 16];

/** The threads of which a companion has one. The wallet thread writes the notes' database, the chain thread the store's. */
const SINGLE = ['main', 'wallet', 'chain'];

/** Blocks a second by workers, and which thread is the limit of 16. */
export function saturation({ cpu }: Scan, blocks: number): Row {
  const rate = (role: string): number => blocks / (cpu[role] ?? 0);
  const [limit] = SINGLE.toSorted((a, b) => rate(a) - rate(b)) as [string];
  const scanning = rate('scan');
  const most = rate(limit);
  const needed = Math.ceil(most / scanning);
  return {
    ...Object.fromEntries(
      WORKERS.map((count) => [`with ${count}`, Math.round(Math.min(count * scanning, most))]),
    ),
    'saturates first':
      needed > WORKERS.at(-1)! ? 'scan workers' : `${limit}, at ${Math.round(most)} blocks/s`,
    'workers until then': needed,
  };
}
