// How fast compact blocks get from a local server into the store: fetched, checked to link, committed. The goal is
// 100,000 blocks a minute on one core. The server is another process; times here are those of the fetching one.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bringUpToDate, CompactClient, CompactConnection } from '@wallet-companion/chain/compact';
import { MAIN } from '@wallet-companion/zcash/network';
import { createCompactStores } from '../src/storage/blocks/compactStores.ts';

const FIRST = 2_000_000;
/** As one request does. */
const BLOCKS_PER_REQUEST = 1_000;
const CASES = [
  { actionsPerBlock: 0, blocks: 20_000 },
  { actionsPerBlock: 4, blocks: 20_000 },
  { actionsPerBlock: 40, blocks: 10_000 },
] as const;

async function measure({ actionsPerBlock, blocks }: (typeof CASES)[number]): Promise<object> {
  const script = fileURLToPath(new URL('compactServerProcess.js', import.meta.url));
  const child = spawn(process.execPath, [script, String(FIRST), String(blocks), String(actionsPerBlock)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const dataDir = mkdtempSync(path.join(tmpdir(), 'wallet-companion-bench-'));
  const stores = createCompactStores();
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const url = String((await lines.next()).value);
    const server = new CompactClient(new CompactConnection(url), MAIN);
    const store = stores.open(undefined, {
      dataDir,
      configDir: dataDir,
      restrictDbPath: true,
      network: 'main',
      genesisHash: MAIN.genesisHash,
      server: url,
      configuredServer: url,
    });
    const began = performance.now();
    const processor = process.cpuUsage();
    let stored = 0;
    for (let start = FIRST; start < FIRST + blocks; start += BLOCKS_PER_REQUEST) {
      const end = start + BLOCKS_PER_REQUEST - 1;
      stored += (await bringUpToDate(server, store, () => ({ start, end }))).blocks;
    }
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(processor);
    server.close();
    const summary = store.summary();
    if (stored !== blocks || summary.blockCount !== blocks || summary.missingRanges.length > 0) {
      throw new Error(`stored ${stored} blocks of ${blocks}`);
    }
    return {
      'actions per block': actionsPerBlock,
      'blocks per minute': Math.round((blocks / seconds) * 60),
      'per minute of processor time': Math.round((blocks / (user + system)) * 60e6),
    };
  } finally {
    child.kill();
    stores.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Prints one line per size of block. */
export async function run(): Promise<void> {
  console.log('Compact blocks from a local server into the store (goal: 100,000 a minute)');
  const rows: object[] = [];
  for (const size of CASES) rows.push(await measure(size));
  console.table(rows);
}
