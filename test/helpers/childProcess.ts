// Processes that tests start. A test that fails leaves its last lines out, and a process that is still there then would
// keep the test file from its end.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** What a test offers, and a program in its place. */
export interface Teardown {
  teardown(run: () => unknown): void;
}

export interface TestOwner extends Teardown {
  readonly title: string;
}

/** For what a test has in turn: its teardowns run when `run` ends, the last first. */
export async function shorterThan({ title }: TestOwner, run: (owner: TestOwner) => Promise<void>) {
  const ends: (() => unknown)[] = [];
  try {
    await run({ title, teardown: (end) => ends.push(end) });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** Kills it with the test at the latest; the teardowns that were there before wait for its end. */
export function untilTestEnds<C extends ChildProcess>(t: Teardown, child: C): C {
  t.teardown(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
  return child;
}
