// Node's debugger: Node opens its port for --inspect, also in NODE_OPTIONS, and at any time for SIGUSR1.

import type { Check } from '../../protocol/operations/system.ts';
import { ok, warn } from './check.ts';

export const isDebuggerOpen = (): boolean =>
  process.features.inspector && process.getBuiltinModule('node:inspector').url() !== undefined;

export const debuggerCheck = (isOpen: boolean): Check =>
  isOpen
    ? warn(
        'debugger',
        'A debugger port is open: what reaches it reads the memory of the companion and runs code in it, past every lock and grant.',
        'Start it again without --inspect (NODE_OPTIONS too), and send it no SIGUSR1.',
      )
    : ok('debugger', 'No debugger port is open.');
