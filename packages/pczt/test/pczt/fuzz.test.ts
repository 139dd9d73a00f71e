// Hostile PCZTs: whatever is done to the bytes of a stage, it is refused as such or comes back byte for byte, and no role
// fails in any other way. WALLET_COMPANION_PCZT_RUNS asks for more mutations, of all stages together.

import { equalBytes, FormatError } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { wordBytes } from '@wallet-companion/zcash/test/madeUpTransactions';
import test from 'ava';
import fc from 'fast-check';
import { decodePczt } from '../../src/pczt/codec.ts';
import { combinePczts } from '../../src/pczt/combiner.ts';
import { inspectPczt } from '../../src/pczt/inspect.ts';
import { finalizeIo } from '../../src/pczt/ioFinalizer.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { redactPczt } from '../../src/pczt/redactor.ts';
import { extractPczt, ioCryptography } from '../../src/pczt/signatures.ts';
import { finalizeSpends } from '../../src/pczt/spendFinalizer.ts';
import { type FuzzedStage as Fuzzed, fuzzStage, tryToReturn } from '../helpers/pcztFuzzing.ts';
import { MILLION, type Mutation, mutated, NASTY, readTampered, tryTo } from '../helpers/pcztMutations.ts';
import { cases, type Stage, stagesOf } from '../helpers/pcztVectors.ts';

const stages = stagesOf(cases);
/** Of all stages together. */
const RUNS = runs(1_000, 50_000, 'WALLET_COMPANION_PCZT_RUNS');
const RUNS_OF_STAGE = Math.ceil(RUNS / stages.length);
/** Looking into one takes a tenth of a second. */
const RUNS_OF_ROLES = Math.ceil(RUNS_OF_STAGE / 200);

/** A quarter of them lie near the beginning. */
const position = fc.oneof(
  { weight: 3, arbitrary: fc.noBias(fc.nat(MILLION - 1)) },
  { weight: 1, arbitrary: fc.noBias(fc.nat(MILLION / 50)) },
);

const nasty = fc.nat(NASTY.length - 1);
const flip = fc.record({ do: fc.constant('flip' as const), at: position, bit: fc.nat(7) });
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 4, arbitrary: flip },
  fc.record({ do: fc.constantFrom('insert', 'overwrite'), at: position, nasty }),
  fc.record({ do: fc.constant('remove'), at: position, count: fc.nat(70) }),
  fc.record({ do: fc.constant('end'), at: position }),
  fc.record({ do: fc.constant('repeat'), at: position, from: position, count: fc.nat(200) }),
);

const some = fc.array(mutation, { minLength: 1, maxLength: 3 });

for (const { title, bytes } of stages) {
  test(`${title}: bytes that were tampered with are refused, or come back as they are`, (t) => {
    let read = 0;
    fc.assert(
      fc.property(some, (mutations) => {
        if (readTampered(mutated(bytes, mutations), bytes) !== undefined) read++;
      }),
      { numRuns: RUNS_OF_STAGE },
    );
    // Most bytes are inside fields, so that what lies behind the reader is tried too.
    t.true(read > RUNS_OF_STAGE / 20, `${read} were read`);
  });
}

/** Most bits are inside fields: these are read, and mislead what comes after. */
const insideFields = fc.array(flip, { minLength: 1, maxLength: 3 });

const random = (length: number): Uint8Array => Uint8Array.from(wordBytes(length, 'hostile'));
const params = regtestParameters({ nu6_3: 20, nu7: 50 });

/** `txid`: of the transaction that is complete in the original. */
function tryRoles(pczt: Pczt, original: Pczt, txid: Uint8Array | undefined): void {
  tryTo(() => inspectPczt(pczt, { params, tipHeight: 100 }));
  tryTo(() => combinePczts([original, pczt]));
  tryToReturn(pczt, original);
  tryTo(() => finalizeIo(pczt, ioCryptography(random)), FormatError);
  tryTo(() => finalizeSpends(pczt));
  for (const view of ['signer', 'compactSigner', 'prover', 'extractor'] as const)
    tryTo(() => redactPczt(pczt, view));
  const extracted = tryTo(() => extractPczt(pczt, random), FormatError);
  if (extracted?.ok !== true) return;
  if (txid === undefined || !equalBytes(extracted.txid, txid))
    throw new Error('another transaction than the one that was signed came out');
}

const roles = ({ title, bytes }: Stage): void => {
  test(`${title}: fields that were tampered with make no role fail but by refusing`, (t) => {
    const original = decodePczt(bytes).pczt;
    const whole = extractPczt(original, random);
    const txid = whole.ok ? whole.txid : undefined;
    t.is(whole.ok, title.endsWith('complete'));
    fc.assert(
      fc.property(insideFields, (mutations) => {
        const decoded = tryTo(() => decodePczt(mutated(bytes, mutations)));
        if (decoded !== undefined) tryRoles(decoded.pczt, original, txid);
      }),
      { numRuns: RUNS_OF_ROLES },
    );
    t.pass();
  });
};

stages.forEach(roles);

test('a long run can be had again by its seed', (t) => {
  const [stage] = stages as [Stage];
  const [first, again, other] = [1, 1, 2].map((seed) => fuzzStage(stage, 400, seed)) as [
    Fuzzed,
    Fuzzed,
    Fuzzed,
  ];
  t.true(first.read > 40 && first.read < 400, `${first.read}`);
  t.is(again.read, first.read);
  t.not(other.read, first.read);
});
