// Waits for what threads, processes or sockets do, as long as it takes. It looks every few milliseconds: a loop without a
// pause would take a core away from them.

import { setTimeout } from 'node:timers/promises';

const PAUSE_MS = 2;

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(PAUSE_MS);
}
