import { hexToBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { parseHeader } from '@wallet-companion/zcash/blocks';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import test from 'ava';
import fc from 'fast-check';
import {
  EQUIHASH_INPUT_BYTES,
  Equihash,
  type EquihashParameters,
  solutionBytes,
} from '../../src/kernel/equihash/equihash.ts';
import { loadEquihash } from '../../src/kernel/loadKernel.ts';
import { indicesOf, referenceSolves, solutionOf } from './reference.ts';

interface Problem {
  readonly input: Uint8Array;
  readonly solution: Uint8Array;
}

const MAIN: EquihashParameters = { n: 200, k: 9 };
const SMALL: EquihashParameters = { n: 48, k: 5 };

const problems = (name: string): Problem[] =>
  readVectors<{ cases: { header: string }[] }>(`peers/${name}`)
    .cases.map(({ header }) => hexToBytes(header))
    .map((bytes) => ({
      input: bytes.subarray(0, EQUIHASH_INPUT_BYTES),
      solution: parseHeader(bytes).solution,
    }))
    .filter(({ solution }) => solution.some((byte) => byte !== 0));

const module = await loadEquihash();
const sizes = [
  { parameters: MAIN, solved: problems('real_headers') },
  { parameters: SMALL, solved: problems('small_chain').slice(1) },
];

for (const { parameters, solved } of sizes) {
  const equihash = new Equihash(module, parameters);
  const name = `(${parameters.n}, ${parameters.k})`;

  test(`headers of a chain solve ${name}`, (t) => {
    t.true(solved.length > 80);
    for (const { input, solution } of solved) t.true(equihash.solves(input, solution));
    t.true(referenceSolves(solved[0]!.input, solved[0]!.solution, parameters));
  });

  test(`a changed bit of the header or of the solution is refused: ${name}`, (t) => {
    fc.assert(
      fc.property(fc.constantFrom(...solved), fc.nat(), fc.boolean(), ({ input, solution }, at, ofInput) => {
        const changed = (ofInput ? input : solution).slice();
        changed[(at >> 3) % changed.length]! ^= 1 << (at & 7);
        const [header, answer] = ofInput ? [changed, solution] : [input, changed];
        t.false(equihash.solves(header, answer));
        t.false(referenceSolves(header, answer, parameters));
        t.true(equihash.solves(input, solution), 'what it refuses leaves nothing behind');
      }),
      { numRuns: runs(20) },
    );
  });

  test(`answers as the specification for exchanged, repeated and any indices: ${name}`, (t) => {
    const size = 2 ** parameters.k;
    fc.assert(
      fc.property(
        fc.constantFrom(...solved),
        fc.integer({ min: 0, max: parameters.k - 1 }),
        fc.nat(size - 1),
        fc.constantFrom('exchange', 'repeat', 'fill'),
        ({ input, solution }, level, at, change) => {
          const indices = indicesOf(solution, parameters);
          const half = 2 ** level;
          const start = at - (at % (2 * half));
          const left = indices.slice(start, start + half);
          const right = indices.slice(start + half, start + 2 * half);
          // Twice the same subtree cancels out in every round: the rules of order and of difference alone refuse it.
          if (change === 'exchange') indices.splice(start, 2 * half, ...right, ...left);
          else if (change === 'repeat') indices.splice(start, 2 * half, ...left, ...left);
          else indices.fill(at);
          const changed = solutionOf(indices, parameters);
          const expected = referenceSolves(input, changed, parameters);
          t.is(equihash.solves(input, changed), expected);
          t.false(expected);
        },
      ),
      { numRuns: runs(20) },
    );
  });

  test(`a solution of another length is none: ${name}`, (t) => {
    const { input, solution } = solved[0]!;
    for (const length of [0, 1, solution.length - 1, solution.length + 1])
      t.false(equihash.solves(input, new Uint8Array(length)));
    t.is(solution.length, solutionBytes(parameters));
    t.throws(() => equihash.solves(input.subarray(1), solution), { instanceOf: RangeError });
  });
}

test('parameters of which strings or indices do not fit are refused', (t) => {
  for (const parameters of [
    { n: 200, k: 8 },
    { n: 512, k: 7 },
    { n: 256, k: 3 },
  ])
    t.throws(() => new Equihash(module, parameters), { instanceOf: RangeError });
});
