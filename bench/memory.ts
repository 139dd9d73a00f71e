// What a companion that reads for weeks takes of memory: the real process, after 1, 5 and 20 GB of made-up blocks from
// a node and from a compact server (`npm run bench memory -- --gb 20`; 2 GB by default). The blocks are few, large and
// replaced by others again and again, so every byte goes over the wire, through every thread, and from the compact
// server through the store. The goal: no more than 30 MB beyond what it takes when warm.
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HEAVY_BLOCKS, HEAVY_BYTES, HeavyChain } from '../test/helpers/heavyChain.ts';
import { measure, spawnProbed } from '../test/helpers/processMemory.ts';

const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));
const GB = 1e9;
const MB = 1e6;
/** A reorganisation that replaces the blocks above is an everyday one. */
const LIGHT_BLOCKS = 110;
/** By then compiled code, pools and the C library's arenas, which keep what was freed, have reached their size. */
const WARM_GB = 1;
const MARKS_GB = [5, 20];

/** `--gb N` behind the bench's name, or in the environment. */
function wantedGb(): number {
  const place = process.argv.indexOf('--gb');
  const wanted = Number(place === -1 ? (process.env['BENCH_GB'] ?? 2) : process.argv[place + 1]);
  if (!(wanted > 0)) throw new Error('--gb takes a number above 0');
  return wanted;
}

export async function run(): Promise<void> {
  const gb = wantedGb();
  console.log(`Memory after ${gb} GB of blocks from each source (goal: at most 30 MB more than when warm)`);
  const rows: object[] = [];
  for (const source of ['node', 'compact'] as const) rows.push(...(await read(source, gb)));
  console.table(rows);
}

async function read(source: 'node' | 'compact', gb: number): Promise<object[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wallet-companion-bench-'));
  const chain = new HeavyChain();
  const config = path.join(folder, 'config');
  mkdirSync(config);
  writeFileSync(
    path.join(config, 'config.json'),
    JSON.stringify({
      network: 'regtest',
      node_url: await chain.devnet.node.listen(),
      compact_server_url: await chain.devnet.compact.listen(),
      auto_lock_seconds: 0,
    }),
  );
  const words = ['serve', '--port', '0', '--config-dir', config, '--data-dir', path.join(folder, 'data')];
  const child = spawnProbed(MAIN, words);
  try {
    const post = caller(await urlOf(child));
    await post('/api/wallet/create', { password: 'bench', birthday_height: 1 });
    chain.devnet.mineEmpty(LIGHT_BLOCKS);
    chain.begin();
    await post('/api/sync', { source });
    const rows: object[] = [];
    let warmRss: number | undefined;
    let readBytes = 0;
    const began = performance.now();
    for (const mark of [WARM_GB, ...MARKS_GB.filter((known) => known < gb), ...(gb > WARM_GB ? [gb] : [])]) {
      while (readBytes < mark * GB) {
        chain.replace();
        const { blocks_scanned: blocks } = await post('/api/sync', { source });
        if (blocks !== HEAVY_BLOCKS)
          throw new Error(`${String(blocks)} blocks of ${HEAVY_BLOCKS} were scanned`);
        readBytes += HEAVY_BLOCKS * HEAVY_BYTES;
      }
      const { rss, threads } = await measure(child);
      warmRss ??= rss;
      const heaps = threads.map(({ thread, heapUsed, external }) => [
        `${thread} heap + buffers MB`,
        `${(heapUsed / MB).toFixed(1)} + ${(external / MB).toFixed(1)}`,
      ]);
      const row = {
        source,
        'GB read': mark,
        'RSS MB': Math.round(rss / MB),
        'more than warm MB': Math.round((rss - warmRss) / MB),
        seconds: Math.round((performance.now() - began) / 1000),
        ...(Object.fromEntries(heaps.sort()) as object),
      };
      console.log(JSON.stringify(row));
      rows.push(row);
    }
    return rows;
  } finally {
    child.kill('SIGKILL');
    await chain.devnet.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function urlOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /^listening on (\S+)$/m.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the companion ended with ${code}`)));
  });
}

const caller =
  (url: string) =>
  async (route: string, body: object): Promise<Record<string, unknown>> => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
    };
    const response = await fetch(url + route, init);
    if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
