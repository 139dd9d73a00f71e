// What a process has taken between two moments.
import type { ChildProcess } from 'node:child_process';
import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cpuSeconds, rssMebibytes } from '../companionProcess.ts';
import { type ThreadTimes, threadNames, threadTimes, timesByRole } from '../sync/threadTimes.ts';

/** From here on `VmHWM` is the highest since now (Linux; elsewhere the highest since the start). */
export function forgetPeak({ pid }: ChildProcess): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The peak goes on counting from the start.
  }
}

/** What the files of a folder take, in MB. */
export function megabytes(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => {
    try {
      return lstatSync(path.join(folder, file)).size;
    } catch {
      return 0;
    }
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

export interface Taken {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The same by role; what ran in threads that have ended is in none. */
  readonly byRole: Readonly<Record<string, number>>;
  readonly peakMebibytes: number;
}

/** Begins to measure; the answer ends it. A process may be followed by another, as after a kill. */
export class Stopwatch {
  readonly #began = performance.now();
  #cpuBefore: number;
  #cpuOfEnded = 0;
  #peakOfEnded = 0;
  #child: ChildProcess;
  #threadsBefore: ThreadTimes;
  readonly #threads: string;
  readonly #byRole: Record<string, number> = {};

  /** `threads`: where the process writes down which thread is which. */
  constructor(child: ChildProcess, threads: string) {
    this.#child = child;
    this.#threads = threads;
    this.#cpuBefore = cpuSeconds(child);
    this.#threadsBefore = threadTimes(child);
    forgetPeak(child);
  }

  /** To be called while the process still lives. */
  ends(): void {
    this.#cpuOfEnded += cpuSeconds(this.#child) - this.#cpuBefore;
    this.#addThreads();
    this.#peakOfEnded = Math.max(this.#peakOfEnded, rssMebibytes(this.#child, 'VmHWM'));
  }

  /** Its start counts as well: it is what a kill costs. */
  goesOnWith(child: ChildProcess): void {
    this.#child = child;
    this.#cpuBefore = 0;
    this.#threadsBefore = new Map();
  }

  #addThreads(): void {
    const taken = timesByRole(this.#threadsBefore, threadTimes(this.#child), threadNames(this.#threads));
    for (const [role, seconds] of Object.entries(taken))
      this.#byRole[role] = (this.#byRole[role] ?? 0) + seconds;
  }

  stop(): Taken {
    this.#addThreads();
    return {
      seconds: (performance.now() - this.#began) / 1000,
      cpuSeconds: this.#cpuOfEnded + cpuSeconds(this.#child) - this.#cpuBefore,
      byRole: this.#byRole,
      peakMebibytes: Math.max(this.#peakOfEnded, rssMebibytes(this.#child, 'VmHWM')),
    };
  }
}
