// Our kernel against the Rust crates that the reference wallets scan with: `orchard` (newest and 0.15.4) and
// `sapling-crypto`, on the same input file, the same answer checked, taking turns in one run, one thread each. Figures
// are processor time per output for all viewing keys together, the best of the turns; ratios are against the fastest
// build of the newest release.
//
// Needs cargo; the first run compiles bench/peers (a few minutes).

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concatBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { processorMicroseconds, randomKeys, scanInput } from '@wallet-companion/kernel/bench/scanInput';
import { createDecryptor } from '@wallet-companion/kernel/kernel';
import { loadKernel } from '@wallet-companion/kernel/kernelLoad';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import type { OutputColumns } from '@wallet-companion/zcash/scan';
import { type Build, compile } from './cargo.ts';

const ROWS = 1024;
const KEY_COUNTS = [1, 2, 4, 8];
const NOTES = 2;
/** Turns; a busy machine needs several for an undisturbed one. */
const TURNS = Number(process.env['BENCH_TURNS'] ?? 6);
/** Batches per turn. */
const ROUNDS = 4;

const BUILDS: readonly Build[] = [
  { name: 'default', features: [], rustFlags: '' },
  { name: 'assembler', features: ['assembler'], rustFlags: '' },
  { name: 'native', features: [], rustFlags: '-C target-cpu=native' },
  { name: 'assembler+native', features: ['assembler'], rustFlags: '-C target-cpu=native' },
];

interface Peer {
  readonly name: string;
  readonly implementation: string;
  readonly binary: string;
  /** Whether the ratio is taken against it. */
  readonly newest: boolean;
}

const FOLDER = 'bench/peers';

function encodeInput(columns: OutputColumns, keys: readonly IncomingKey[]): Uint8Array {
  const parts = [
    Uint8Array.of(columns.pool === 'sapling' ? 0 : 1, keys.length),
    u32ToLeBytes(columns.count),
    ...keys.flatMap(({ dk, ivk }) => [dk, ivk]),
  ];
  for (let row = 0; row < columns.count; row++) {
    parts.push(
      columns.pool === 'sapling' ? new Uint8Array(32) : columns.nullifiers.subarray(row * 32, row * 32 + 32),
      columns.commitments.subarray(row * 32, row * 32 + 32),
      columns.ephemeralKeys.subarray(row * 32, row * 32 + 32),
      columns.ciphertexts.subarray(row * 52, row * 52 + 52),
    );
  }
  return concatBytes(...parts);
}

function expectRows(who: string, actual: readonly number[], expected: readonly number[]): void {
  if (actual.join() !== expected.join())
    throw new Error(`${who} found rows ${actual.join()}, not ${expected.join()}`);
}

function runPeer(peer: Peer, file: string, expected: readonly number[]): number {
  const line = execFileSync(peer.binary, [file, peer.implementation, String(ROUNDS)], { encoding: 'utf8' });
  const [rows, nanoseconds] = line.trim().split(' ') as [string, string];
  expectRows(peer.name, rows === '' ? [] : rows.split(',').map(Number), expected);
  return Number(nanoseconds) / 1000 / ROWS;
}

export async function run(): Promise<void> {
  const decryptor = createDecryptor(await loadKernel());
  const builds = BUILDS.map((build) => ({ ...build, binary: compile(FOLDER, 'peers', build) }));
  const orchard: Peer[] = [
    ...builds.map(({ name, binary }) => ({
      name: `orchard newest, ${name}`,
      implementation: 'orchard',
      binary,
      newest: true,
    })),
    { name: 'orchard 0.15.4', implementation: 'orchard-0.15', binary: builds[0]!.binary, newest: false },
  ];
  const sapling: Peer[] = builds
    .filter(({ features }) => features.length === 0)
    .map(({ name, binary }) => ({
      name: `sapling-crypto newest, ${name}`,
      implementation: 'sapling',
      binary,
      newest: true,
    }));
  console.log(
    `Node ${process.version}, kernel ${decryptor.variant}; ${ROWS} outputs, ${NOTES} of them notes; ${TURNS} turns`,
  );
  const scratch = mkdtempSync(join(tmpdir(), 'peers-'));
  try {
    for (const [pool, peers] of [
      ['orchard', orchard],
      ['sapling', sapling],
    ] as const) {
      const allKeys = randomKeys(pool, Math.max(...KEY_COUNTS));
      const { columns, noteRows } = scanInput(pool, ROWS, allKeys[0]!, NOTES);
      const lines = new Map<string, string[]>();
      const line = (name: string) => lines.get(name) ?? lines.set(name, []).get(name)!;
      for (const keyCount of KEY_COUNTS) {
        const keys = allKeys.slice(0, keyCount);
        const file = join(scratch, `${pool}-${keyCount}`);
        writeFileSync(file, encodeInput(columns, keys));
        expectRows(
          'the kernel',
          decryptor.decrypt(columns, keys).map(({ row }) => row),
          noteRows,
        );
        for (let i = 0; i < 2 * ROUNDS; i++) decryptor.decrypt(columns, keys);
        let ours = Number.POSITIVE_INFINITY;
        const theirs = peers.map(() => Number.POSITIVE_INFINITY);
        for (let turn = 0; turn < TURNS; turn++) {
          for (let round = 0; round < ROUNDS; round++) {
            ours = Math.min(ours, processorMicroseconds(() => decryptor.decrypt(columns, keys)) / ROWS);
          }
          peers.forEach((peer, i) => {
            theirs[i] = Math.min(theirs[i]!, runPeer(peer, file, noteRows));
          });
        }
        peers.forEach((peer, i) => {
          line(peer.name).push(theirs[i]!.toFixed(1));
        });
        line('kernel').push(ours.toFixed(1));
        const best = Math.min(...theirs.filter((_, i) => peers[i]!.newest));
        line('ratio').push(`${(best / ours).toFixed(2)}x`);
      }
      console.log(`\n${pool}, us of processor time per output; viewing keys: ${KEY_COUNTS.join(', ')}`);
      for (const [name, cells] of lines) {
        console.log(`  ${name.padEnd(40)}${cells.map((cell) => cell.padStart(9)).join('')}`);
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
