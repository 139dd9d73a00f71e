// Real headers, parsed and hashed, and their Equihash solutions verified: nearly all that checking a peer's header costs. Processor time; goals: 2 ms a header, and a month of headers in five minutes.

import { hexToBytes } from '@wallet-companion/base/bytes';
import { EQUIHASH_INPUT_BYTES, Equihash } from '@wallet-companion/kernel/equihash';
import { loadEquihash } from '@wallet-companion/kernel/kernelLoad';
import { parseHeader } from '@wallet-companion/zcash/blocks';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import { processorMicroseconds } from './scanInput.ts';
import { tableOf } from './table.ts';

const ROUNDS = 5;
/** Blocks of 25 seconds in 30 days. */
const MONTH = 103_680;

export async function run(): Promise<void> {
  const equihash = new Equihash(await loadEquihash(), { n: 200, k: 9 });
  const headers = readVectors<{ cases: { header: string }[] }>('peers/real_headers')
    .cases.map(({ header }) => hexToBytes(header))
    .filter((bytes) => parseHeader(bytes).solution.length > 0);
  const isSolved = (bytes: Uint8Array): boolean =>
    equihash.solves(bytes.subarray(0, EQUIHASH_INPUT_BYTES), parseHeader(bytes).solution);
  if (!headers.every(isSolved)) throw new Error('a real header was refused');
  const whole = Math.min(
    ...Array.from({ length: ROUNDS }, () => processorMicroseconds(() => headers.every(isSolved))),
  );
  const each = whole / headers.length / 1_000;
  console.log(`${headers.length} headers, best of ${ROUNDS} rounds`);
  console.log(
    tableOf([
      { of: 'a header, ms', measured: each.toFixed(3), goal: 2 },
      { of: 'a month of headers, s', measured: ((each * MONTH) / 1_000).toFixed(0), goal: 300 },
    ]),
  );
}
