// The check of Equihash solutions word for word as the specification has it (§7.7.1), for comparison.
import { blake2b } from '@noble/hashes/blake2.js';
import { asciiBytes, concatBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { type EquihashParameters, solutionBytes } from '../../src/kernel/equihash/equihash.ts';

const bigEndian = (bytes: Uint8Array): bigint =>
  bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** The indices of a solution, in its order. */
export function indicesOf(solution: Uint8Array, { n, k }: EquihashParameters): number[] {
  const bits = n / (k + 1) + 1;
  const whole = bigEndian(solution);
  const count = 2 ** k;
  return Array.from({ length: count }, (_, i) =>
    Number((whole >> BigInt(bits * (count - 1 - i))) & (2n ** BigInt(bits) - 1n)),
  );
}

export function solutionOf(indices: readonly number[], { n, k }: EquihashParameters): Uint8Array {
  const bits = BigInt(n / (k + 1) + 1);
  const whole = indices.reduce((value, index) => (value << bits) | BigInt(index), 0n);
  const hex = whole.toString(16).padStart(2 * solutionBytes({ n, k }), '0');
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

export function referenceSolves(
  input: Uint8Array,
  solution: Uint8Array,
  parameters: EquihashParameters,
): boolean {
  const { n, k } = parameters;
  if (solution.length !== solutionBytes(parameters)) return false;
  const perHash = Math.floor(512 / n);
  const personalization = concatBytes(asciiBytes('ZcashPoW'), u32ToLeBytes(n), u32ToLeBytes(k));
  const string = (index: number): bigint => {
    const number = u32ToLeBytes(Math.floor(index / perHash));
    const hash = blake2b(concatBytes(input, number), { dkLen: (perHash * n) / 8, personalization });
    const at = ((index % perHash) * n) / 8;
    return bigEndian(hash.subarray(at, at + n / 8));
  };
  const indices = indicesOf(solution, parameters);
  if (new Set(indices).size !== indices.length) return false;
  let rows = indices.map((first) => ({ first, value: string(first) }));
  for (let round = 1; round <= k; round++) {
    const joined: typeof rows = [];
    for (let i = 0; i < rows.length; i += 2) {
      const [left, right] = [rows[i]!, rows[i + 1]!];
      const value = left.value ^ right.value;
      if (left.first >= right.first || value >> BigInt(n - (n / (k + 1)) * round) !== 0n) return false;
      joined.push({ first: left.first, value });
    }
    rows = joined;
  }
  return rows[0]!.value === 0n;
}
