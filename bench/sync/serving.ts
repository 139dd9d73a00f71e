// The servers of a prepared chain, and companions that read from them, each in a process of its own.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MNEMONIC, PASSWORD } from '../chains/benchWallet.ts';
import { giveKernelRecord } from '../chains/kernelFigure.ts';
import { call, cpuSeconds, type Running, start } from '../companionProcess.ts';

export interface Addresses {
  readonly node: string;
  readonly compact: string;
  /** The peer's address, where there is one. */
  readonly peer?: string;
}

/** What a scan asks for its blocks. */
export type Asked = 'node' | 'compact' | 'peers';

export interface Serving extends Addresses {
  /** Processor time of the serving process, which has it from the same cores. */
  cpuSeconds(): number;
  stop(): void;
}

const THREAD_PROBE = new URL('threadProbe.js', import.meta.url).href;
const TURN_PROBE = new URL('../answers/turnProbe.js', import.meta.url).href;

/** Starts a script that prints its addresses as JSON, and lives until it is stopped. */
export async function serve(script: URL, ...words: string[]): Promise<Serving> {
  const child = spawn(process.execPath, [fileURLToPath(script), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  ended.catch(() => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await Promise.race([lines.next(), ended]);
  return {
    ...(JSON.parse(String(value)) as Addresses),
    cpuSeconds: () => cpuSeconds(child),
    stop: () => child.kill(),
  };
}

export interface Bed {
  readonly folder: string;
  readonly configDir: string;
  readonly dataDir: string;
  /** Which thread is which. */
  readonly threads: string;
}

export function makeBed({ node, compact }: Addresses, settings: object): Bed {
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-bench-'));
  const configDir = path.join(folder, 'config');
  mkdirSync(configDir);
  writeFileSync(
    path.join(configDir, 'config.json'),
    JSON.stringify({
      network: 'regtest',
      node_url: node,
      compact_server_url: compact,
      auto_lock_seconds: 0,
      ...settings,
    }),
  );
  giveKernelRecord(configDir);
  return { folder, configDir, dataDir: path.join(folder, 'data'), threads: path.join(folder, 'threads') };
}

export const removeBed = ({ folder }: Bed): void => rmSync(folder, { recursive: true, force: true });

/** `turns`: where long turns of the threads' event loops are to be written down. */
export function startProbed(
  bed: Bed,
  workers: number | undefined,
  profiles?: string,
  turns?: string,
): Promise<Running> {
  return start(bed.configDir, bed.dataDir, {
    nodeOptions: [
      '--import',
      THREAD_PROBE,
      ...(turns === undefined ? [] : ['--import', TURN_PROBE]),
      ...(profiles === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profiles]),
    ],
    environment: {
      BENCH_THREADS: bed.threads,
      ...(turns === undefined ? {} : { BENCH_TURNS: turns }),
      ...(workers === undefined ? {} : { BENCH_SCAN_THREADS: String(workers) }),
    },
  });
}

export const restoreWallet = (companion: Running, birthday: number): Promise<unknown> =>
  call(companion, '/api/wallet/restore', {
    mnemonic: MNEMONIC,
    password: PASSWORD,
    birthday_height: birthday,
  });

export interface SyncSummary {
  readonly blocks_scanned: number;
  readonly outputs_scanned: number;
  readonly notes_found: number;
  readonly end_height: number;
  readonly caught_up: boolean;
}

/** Requests until the chain's tip. */
export async function syncToTip(
  companion: Running,
  source: Asked,
): Promise<{ blocks: number; outputs: number; notes: number }> {
  const sum = { blocks: 0, outputs: 0, notes: 0 };
  for (;;) {
    const summary = await call<SyncSummary>(companion, '/api/sync', { source });
    sum.blocks += summary.blocks_scanned;
    sum.outputs += summary.outputs_scanned;
    sum.notes += summary.notes_found;
    if (summary.caught_up) return sum;
    if (summary.blocks_scanned === 0) throw new Error('a request scanned nothing');
  }
}

/** Fetches the whole chain into the compact store; nothing is scanned. */
export async function fillStore(companion: Running): Promise<string> {
  for (;;) {
    const { caught_up: done, db_path: store } = await call<{ caught_up: boolean; db_path: string }>(
      companion,
      '/api/lwd/sync/compact',
      {},
    );
    if (done) return store;
  }
}

export async function expectBalance(companion: Running, zatoshi: number): Promise<void> {
  const { total_zatoshi: total } = await call<{ total_zatoshi: number }>(companion, '/api/balance');
  if (total !== zatoshi) throw new Error(`the balance is ${total}, not ${zatoshi}`);
}
