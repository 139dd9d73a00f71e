// The devnet as a program: `wallet-companion devnet` and serve.ts start it, people type to it, other programs call it
// over HTTP.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { ActivationHeights } from '../shielded/network.ts';
import { serveCalls } from './callServer.ts';
import { callTable } from './callTable.ts';
import { Playground } from './playground.ts';
import { obey, TYPED_HELP } from './typedCommands.ts';

export interface DevnetServeOptions {
  /** Ports of the node, the compact server and the HTTP calls; 0 picks a free one. */
  readonly nodePort: number;
  readonly compactPort: number;
  /** Left out: no HTTP calls. */
  readonly httpPort?: number;
  readonly seed: string;
  readonly activation: Partial<ActivationHeights>;
  /** `old`: a lightwalletd from before Ironwood. */
  readonly flavour?: 'zebrad' | 'old';
  readonly report?: (fields: object) => void;
}

export interface ServedDevnet {
  readonly playground: Playground;
  readonly nodeUrl: string;
  readonly compactServerUrl: string;
  readonly httpUrl: string | undefined;
  close(): Promise<void>;
}

/** Starts a chain, its two servers and, where a port is named, the HTTP calls. */
export async function serveDevnet(options: DevnetServeOptions): Promise<ServedDevnet> {
  const { nodePort, compactPort, httpPort, flavour, report = () => undefined } = options;
  const playground = new Playground(options);
  try {
    const nodeUrl = await bound(nodePort, 'node-port', playground.node.listen({ port: nodePort }));
    const compact = { port: compactPort, ...(flavour === undefined ? {} : { flavour }) };
    const compactServerUrl = await bound(compactPort, 'compact-port', playground.compact.listen(compact));
    const urls = { node_url: nodeUrl, compact_server_url: compactServerUrl };
    const table = callTable(playground, () => urls);
    const http =
      httpPort === undefined
        ? undefined
        : await bound(httpPort, 'http', serveCalls({ table, port: httpPort, report }));
    return {
      playground,
      nodeUrl,
      compactServerUrl,
      httpUrl: http?.url,
      close: async () => {
        await Promise.all([http?.close(), playground.close()]);
      },
    };
  } catch (thrown) {
    await playground.close();
    throw thrown;
  }
}

/** Each server has words of its own for a port that it does not get. */
async function bound<T>(port: number, option: string, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (cause) {
    throw new RangeError(`port ${port} is not to be had; choose another with --${option}`, { cause });
  }
}

export interface DevnetRun {
  /** `--http 18280 --seed demo …` */
  readonly args: readonly string[];
  readonly input: Readable;
  readonly print: (line: string) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

export const DEVNET_USAGE = [
  'Serves a regtest chain of its own, for trying and testing wallets.',
  '',
  '  --http PORT             take calls as JSON over HTTP (GET / lists them)',
  '  --node-port PORT        JSON-RPC of the node; default 18232',
  '  --compact-port PORT     compact-block server; default 9067',
  '  --ironwood-height N     where NU6.3 begins; default 1',
  '  --seed TEXT             the same seed and the same calls make the same chain; default devnet',
  '  --old-compact-server    behave like a lightwalletd from before Ironwood',
  '',
  'Commands are typed line by line:',
].join('\n');

function numberOf(name: string, text: string, min: number, max: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new RangeError(`--${name} takes a number from ${min} to ${max}`);
}

/** Resolves when it was told to end. Rejects when an option is wrong or a port taken. */
export async function runDevnet({ args, input, print, signal }: DevnetRun): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      http: { type: 'string' },
      'node-port': { type: 'string', default: '18232' },
      'compact-port': { type: 'string', default: '9067' },
      'ironwood-height': { type: 'string', default: '1' },
      'old-compact-server': { type: 'boolean', default: false },
      seed: { type: 'string', default: 'devnet' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(`${DEVNET_USAGE}\n${TYPED_HELP}`);
  const port = (name: 'node-port' | 'compact-port'): number => numberOf(name, values[name], 0, 65_535);
  const served = await serveDevnet({
    nodePort: port('node-port'),
    compactPort: port('compact-port'),
    ...(values.http === undefined ? {} : { httpPort: numberOf('http', values.http, 0, 65_535) }),
    seed: values.seed,
    activation: { nu6_3: numberOf('ironwood-height', values['ironwood-height'], 1, 999_999_999) },
    flavour: values['old-compact-server'] ? 'old' : 'zebrad',
    report: (fields) => print(`fault: ${JSON.stringify(fields)}`),
  });
  try {
    print(`node            ${served.nodeUrl}`);
    print(`compact server  ${served.compactServerUrl}`);
    if (served.httpUrl !== undefined) print(`http            ${served.httpUrl}`);
    print(TYPED_HELP);
    const quit = await obeyLines(served.playground, input, print, signal);
    // Without HTTP nobody could reach it any more once nothing can be typed.
    if (!quit && served.httpUrl !== undefined) await fired(signal);
  } finally {
    await served.close();
  }
}

/** True when told to quit, false when the input ended. */
async function obeyLines(
  playground: Playground,
  input: Readable,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const lines = createInterface({ input });
  const close = () => lines.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  try {
    for await (const line of lines) {
      if (line.trim() === 'quit') return true;
      print(obey(playground, line));
    }
    return false;
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

const fired = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
