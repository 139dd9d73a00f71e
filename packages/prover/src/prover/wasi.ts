// What the module can reach outside of itself: random bytes, a clock, waiting, and an environment that is empty. It has no file,
// no standard output and no network, and a module that imports anything else does not start.

import { WASI } from 'node:wasi';

/** WASI's `badf`: there are no files, standard error included. */
const NO_FILE = 8;

const SYSTEM = [
  'clock_time_get',
  'environ_get',
  'environ_sizes_get',
  'poll_oneoff',
  'proc_exit',
  'random_get',
  'sched_yield',
];

export interface System {
  readonly imports: Readonly<Record<string, (...values: never[]) => unknown>>;
  /** Call it once the module is there. */
  attach(exports: Readonly<Record<string, unknown>>, memory: WebAssembly.Memory): void;
}

export function moduleSystem(): System {
  const wasi = new WASI({ version: 'preview1', args: [], env: {}, returnOnExit: true });
  const given = wasi.wasiImport as Readonly<Record<string, () => unknown>>;
  return {
    imports: {
      ...Object.fromEntries(SYSTEM.map((name) => [name, given[name]!])),
      fd_write: () => NO_FILE,
    },
    attach: ({ _initialize }, memory) => wasi.initialize({ exports: { memory, _initialize } }),
  };
}
