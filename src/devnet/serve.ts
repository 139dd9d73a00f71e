// The devnet as a program, on the ports where a companion on regtest expects its servers. People type commands,
// programs call it over HTTP:
//   node dist/src/devnet/serve.js [--http PORT] [--node-port 18232] [--compact-port 9067] [--ironwood-height 1]
//     [--seed TEXT] [--old-compact-server] [--fixed-clock]
import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { clockNear, fixedClock } from './blockClock.ts';
import type { Playground } from './playground.ts';
import { startDevnet } from './startDevnet.ts';
import { obey, TYPED_HELP } from './typedCommands.ts';

export interface DevnetServing {
  readonly nodePort: number;
  readonly compactPort: number;
  /** Absent: no HTTP calls. */
  readonly httpPort?: number;
  readonly ironwoodHeight: number;
  readonly seed: string;
  /** The compact server behaves like a lightwalletd from before Ironwood. */
  readonly oldCompactServer?: boolean;
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
 * `INVALID_REQUEST` when a port is taken.
 */
export async function serveDevnet(
  options: DevnetServing,
  { input, print, ended }: Terminal = processTerminal(),
): Promise<void> {
  const { nodePort, compactPort, httpPort, ironwoodHeight, seed, oldCompactServer = false } = options;
  const clock = options.fixedClock === true ? fixedClock : clockNear(Date.now);
  const started = await startDevnet({
    nodePort,
    compactPort,
    ...(httpPort === undefined ? {} : { httpPort }),
    seed,
    activation: { nu6_3: ironwoodHeight },
    clock,
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

function processTerminal(): Terminal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  return { input: process.stdin, print: (line) => console.log(line), ended: ending.signal };
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

function numberOf(option: string, text: string, min: number, max: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new RangeError(`--${option} takes a number from ${min} to ${max}`);
}

const MAX_PORT = 65_535;

function servingOf(args: readonly string[]): DevnetServing {
  const { values } = parseArgs({
    args: [...args],
    options: {
      http: { type: 'string' },
      'node-port': { type: 'string', default: '18232' },
      'compact-port': { type: 'string', default: '9067' },
      'ironwood-height': { type: 'string', default: '1' },
      'old-compact-server': { type: 'boolean', default: false },
      'fixed-clock': { type: 'boolean', default: false },
      seed: { type: 'string', default: 'devnet' },
    },
  });
  return {
    nodePort: numberOf('node-port', values['node-port'], 0, MAX_PORT),
    compactPort: numberOf('compact-port', values['compact-port'], 0, MAX_PORT),
    ...(values.http === undefined ? {} : { httpPort: numberOf('http', values.http, 0, MAX_PORT) }),
    ironwoodHeight: numberOf('ironwood-height', values['ironwood-height'], 1, 999_999_999),
    seed: values.seed,
    oldCompactServer: values['old-compact-server'],
    fixedClock: values['fixed-clock'],
  };
}

const [, entry] = process.argv;
if (entry !== undefined && pathToFileURL(realpathSync(entry)).href === import.meta.url) {
  try {
    await serveDevnet(servingOf(process.argv.slice(2)));
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    process.exitCode = 2;
  }
}
