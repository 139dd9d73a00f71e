// The devnet as a program: people type to it, and programs call it over HTTP where it is given a server for that.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { clockNear, fixedClock } from './blockClock.ts';
import type { Playground } from './playground.ts';
import { type StartOptions, startDevnet } from './startDevnet.ts';
import { obey, TYPED_HELP } from './typedCommands.ts';

export interface DevnetServing {
  readonly nodePort: number;
  readonly compactPort: number;
  /** Absent: no HTTP calls. */
  readonly http?: StartOptions['http'];
  readonly ironwoodHeight: number;
  readonly seed: string;
  /** The compact server behaves like a lightwalletd from before Ironwood. */
  readonly oldCompactServer?: boolean;
  /** Verifies proofs that are sent; absent: only their length is checked. */
  readonly findWrongProofs?: StartOptions['findWrongProofs'];
  /** Block times count from the genesis block in 2011: the same seed and calls give the same chain. */
  readonly fixedClock?: boolean;
}

export interface Terminal {
  readonly input: Readable;
  readonly print: (line: string) => void;
  /** Fires when the user ends the program. */
  readonly ended: AbortSignal;
}

/**
 * Runs until `quit` or Ctrl-C; the end of input ends it only where no HTTP caller could reach it. Throws
 * `DevnetError` when a port is taken.
 */
export async function serveDevnet(options: DevnetServing, { input, print, ended }: Terminal): Promise<void> {
  const {
    nodePort,
    compactPort,
    http,
    ironwoodHeight,
    seed,
    oldCompactServer = false,
    findWrongProofs,
  } = options;
  const clock = options.fixedClock === true ? fixedClock : clockNear(Date.now);
  const started = await startDevnet({
    nodePort,
    compactPort,
    ...(http === undefined ? {} : { http }),
    seed,
    activation: { nu6_3: ironwoodHeight },
    clock,
    findWrongProofs,
    flavour: oldCompactServer ? 'old' : 'zebrad',
    report: (fields) => print(`fault: ${JSON.stringify(fields)}`),
  });
  try {
    print(`node            ${started.nodeUrl}`);
    print(`compact server  ${started.compactServerUrl}`);
    if (started.httpUrl !== undefined) print(`http            ${started.httpUrl}`);
    print(TYPED_HELP);
    const quit = await obeyLines(started.playground, { input, print, ended });
    if (!quit && started.httpUrl !== undefined) await fired(ended);
  } finally {
    await started.close();
  }
}

/** True after `quit`, false when the input ended. */
async function obeyLines(playground: Playground, { input, print, ended }: Terminal): Promise<boolean> {
  const lines = createInterface({ input });
  const close = () => lines.close();
  ended.addEventListener('abort', close, { once: true });
  if (ended.aborted) close();
  try {
    for await (const line of lines) {
      if (line.trim() === 'quit') return true;
      print(obey(playground, line));
    }
    return false;
  } finally {
    ended.removeEventListener('abort', close);
    close();
    // A terminal that stays open would keep the process alive.
    input.pause();
  }
}

const fired = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
