// Ours and the reference wallet library on the same store of compact blocks, taking turns in one run.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bytesToHex } from '@wallet-companion/base/bytes';
import type { Row } from '@wallet-companion/kernel/bench/table';
import { type Build, compile } from '../cargo.ts';
import { walletSeed } from '../chains/benchWallet.ts';
import { median } from '../chains/kernelFigure.ts';
import { stop } from '../companionProcess.ts';
import type { ChainFacts } from './preparedChain.ts';
import { cpuOf, measuredScan, settingsOf } from './scanCase.ts';
import {
  type Addresses,
  type Bed,
  fillStore,
  makeBed,
  removeBed,
  restoreWallet,
  startProbed,
} from './serving.ts';

/** As one request of ours. */
const BLOCKS_PER_REQUEST = 1_000;
/** External and internal: two viewing keys, here as there. */
const ACCOUNTS = 1;

/** What their documentation offers for speed: the curve's assembler, and the machine's own instructions. */
const BUILDS: readonly Build[] = [
  { name: 'default', features: [], rustFlags: '' },
  { name: 'assembler+native', features: ['assembler'], rustFlags: '-C target-cpu=native' },
];

interface PeerAnswer {
  readonly notes: number;
  readonly value: number;
  readonly outputs: number;
  readonly scan_ns: number;
  readonly total_ns: number;
}

function runPeer(binary: string, store: string, facts: ChainFacts): PeerAnswer {
  const scratch = mkdtempSync(path.join(tmpdir(), 'companion-bench-peer-'));
  try {
    const words = [
      store,
      path.join(scratch, 'wallet.db'),
      bytesToHex(walletSeed()),
      ...[ACCOUNTS, 1, facts.blocks.length - 1, BLOCKS_PER_REQUEST].map(String),
    ];
    const answer = JSON.parse(execFileSync(binary, words, { encoding: 'utf8' })) as PeerAnswer;
    for (const [what, theirs, truth] of [
      ['notes', answer.notes, facts.notes],
      ['zatoshi', answer.value, facts.zatoshi],
      ['outputs', answer.outputs, facts.outputs],
    ] as const) {
      if (theirs !== truth) throw new Error(`the peer found ${theirs} ${what}, not ${truth}`);
    }
    return answer;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A new companion on a copy of the data directory with the store. */
async function runOurs(
  filled: Bed,
  servers: Addresses,
  facts: ChainFacts,
  complete: boolean,
): Promise<{ first: number; again: number }> {
  const bed = makeBed(servers, settingsOf(facts, complete));
  cpSync(filled.dataDir, bed.dataDir, { recursive: true });
  const companion = await startProbed(bed, undefined);
  try {
    await restoreWallet(companion, 1);
    const cpu = async (isFirst: boolean): Promise<number> =>
      cpuOf(await measuredScan(companion, bed, { facts, source: 'store' }, isFirst));
    const first = await cpu(true);
    await rescan(companion.url);
    return { first, again: await cpu(false) };
  } finally {
    await stop(companion);
    removeBed(bed);
  }
}

async function rescan(url: string): Promise<void> {
  const response = await fetch(`${url}/api/wallet/rescan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw new Error(`rescan: ${response.status}`);
}

/** Processor time per output, medians of the turns, and how many times ours theirs is. */
export async function comparePeer(
  servers: Addresses,
  facts: ChainFacts,
  complete: boolean,
  turns: number,
): Promise<Row[]> {
  const builds = BUILDS.map((build) => ({
    ...build,
    binary: compile('bench/wallet-peer', 'wallet-peer', build),
  }));
  const filled = makeBed(servers, settingsOf(facts, complete));
  const figures = new Map<string, number[]>();
  const note = (name: string, seconds: number): void => {
    figures.set(name, [...(figures.get(name) ?? []), seconds]);
  };
  try {
    const companion = await startProbed(filled, undefined);
    const store = await fillStore(companion).finally(() => stop(companion));
    for (let turn = 0; turn < turns; turn++) {
      const { first, again } = await runOurs(filled, servers, facts, complete);
      note('ours, first scan', first);
      note('ours, again', again);
      for (const { name, binary } of builds) {
        const { scan_ns: scan, total_ns: total } = runPeer(binary, store, facts);
        note(`peer ${name}, scan part`, scan / 1e9);
        note(`peer ${name}, all of it`, total / 1e9);
      }
    }
  } finally {
    removeBed(filled);
  }
  const first = median(figures.get('ours, first scan')!);
  const again = median(figures.get('ours, again')!);
  return [...figures].map(([what, seconds]) => ({
    what,
    'CPU us/output': ((median(seconds) * 1e6) / facts.outputs).toFixed(1),
    'times our first scan': (median(seconds) / first).toFixed(2),
    'times ours again': (median(seconds) / again).toFixed(2),
    turns: seconds.map((value) => value.toFixed(2)).join(' '),
  }));
}
