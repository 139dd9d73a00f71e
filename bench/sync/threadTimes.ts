// Processor time of each thread of another process, from the system's accounting (Linux).
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ThreadName {
  /** Node's number of it. */
  readonly threadId: number;
  readonly name: string;
}

/** By the system's thread id: what `threadProbe` wrote down. */
export function threadNames(file: string): ReadonlyMap<string, ThreadName> {
  const names = new Map<string, ThreadName>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [tid, threadId, ...name] = line.split(' ');
    if (tid !== undefined && tid !== '') names.set(tid, { threadId: Number(threadId), name: name.join(' ') });
  }
  return names;
}

/** Seconds by the system's thread id; threads that have ended are not in it. */
export type ThreadTimes = ReadonlyMap<string, number>;

export function threadTimes({ pid }: Pick<ChildProcess, 'pid'>): ThreadTimes {
  const times = new Map<string, number>();
  let tids: string[] = [];
  try {
    tids = readdirSync(`/proc/${pid}/task`);
  } catch {
    return times;
  }
  for (const tid of tids) {
    try {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'utf8').split(' ');
      times.set(tid, Number(nanoseconds) / 1e9);
    } catch {
      // It has just ended.
    }
  }
  return times;
}

/** Node's own threads: garbage collection and compilation beside the threads that run JavaScript, file access, hashing. */
export const HELPERS = "Node's helpers";

/** Seconds by role between two readings: all scan workers are one role, and what has no name is a helper. */
export function timesByRole(
  before: ThreadTimes,
  after: ThreadTimes,
  names: ReadonlyMap<string, ThreadName>,
): Readonly<Record<string, number>> {
  const roles: Record<string, number> = {};
  for (const [tid, seconds] of after) {
    const role = roleOf(names.get(tid)?.name);
    roles[role] = (roles[role] ?? 0) + seconds - (before.get(tid) ?? 0);
  }
  return roles;
}

export const roleOf = (name: string | undefined): string => {
  if (name === undefined) return HELPERS;
  return name.startsWith('scan') ? 'scan' : name;
};
