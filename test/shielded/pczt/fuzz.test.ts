// Hostile PCZTs: whatever is done to the bytes of a stage, it is refused as such or comes back byte for byte, and no role
// fails in any other way. WALLET_COMPANION_PCZT_RUNS asks for more mutations, of all stages together.
import test from 'ava';
import fc from 'fast-check';
import { bytesToHex, concatBytes, equalBytes, FormatError } from '../../../src/shielded/bytes.ts';
import { regtestParameters } from '../../../src/shielded/network.ts';
import { decodePczt, encodePczt, oldestEncoding } from '../../../src/shielded/pczt/codec.ts';
import { combinePczts } from '../../../src/shielded/pczt/combiner.ts';
import { inspectPczt } from '../../../src/shielded/pczt/inspect.ts';
import { finalizeIo } from '../../../src/shielded/pczt/ioFinalizer.ts';
import type { Pczt } from '../../../src/shielded/pczt/pczt.ts';
import { redactPczt } from '../../../src/shielded/pczt/redactor.ts';
import { PcztRefusal } from '../../../src/shielded/pczt/refusal.ts';
import { extractPczt, ioCryptography } from '../../../src/shielded/pczt/signatures.ts';
import { finalizeSpends } from '../../../src/shielded/pczt/spendFinalizer.ts';
import { wordBytes } from '../../helpers/madeUpTransactions.ts';
import { cases, published, type Stage, stagesOf } from '../../helpers/pcztVectors.ts';

const stages = stagesOf(published ?? cases);
/** Of all stages together. */
const RUNS = Number(process.env['WALLET_COMPANION_PCZT_RUNS'] ?? 10_000);
const RUNS_OF_STAGE = Math.ceil(RUNS / stages.length);
/** Looking into one takes a tenth of a second. */
const RUNS_OF_ROLES = Math.ceil(RUNS_OF_STAGE / 200);

/** Long numbers, lengths and tags that could mislead a reader. */
const NASTY: readonly (readonly number[])[] = [
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
  [0x80, 0x00],
  [0x00],
  [0x01],
  [0x02],
  [0xc4, 0x04],
  Array.from({ length: 32 }, () => 0xff),
  Array.from({ length: 32 }, () => 0),
];

/** Positions are millionths, so that one mutation suits every stage. */
type Mutation = { readonly at: number } & (
  | { readonly do: 'flip'; readonly bit: number }
  | { readonly do: 'insert' | 'overwrite'; readonly nasty: number }
  | { readonly do: 'remove'; readonly count: number }
  | { readonly do: 'end' }
  | { readonly do: 'repeat'; readonly from: number; readonly count: number }
);

const MILLION = 1_000_000;
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

const splice = (bytes: Uint8Array, at: number, gone: number, put: Uint8Array): Uint8Array =>
  concatBytes(bytes.subarray(0, at), put, bytes.subarray(at + gone));

function mutate(bytes: Uint8Array, mutation: Mutation): Uint8Array {
  const indexOf = (millionths: number): number => Math.floor((millionths * bytes.length) / MILLION);
  const at = indexOf(mutation.at);
  switch (mutation.do) {
    case 'flip':
      return splice(bytes, at, 1, Uint8Array.of((bytes[at] ?? 0) ^ (1 << mutation.bit)));
    case 'insert':
    case 'overwrite': {
      const put = Uint8Array.from(NASTY[mutation.nasty]!);
      return splice(bytes, at, mutation.do === 'insert' ? 0 : put.length, put);
    }
    case 'remove':
      return splice(bytes, at, mutation.count, new Uint8Array(0));
    case 'end':
      return bytes.slice(0, at);
    case 'repeat': {
      const start = indexOf(mutation.from);
      return splice(bytes, at, 0, bytes.slice(start, start + mutation.count));
    }
  }
}

const mutated = (bytes: Uint8Array, mutations: readonly Mutation[]): Uint8Array =>
  mutations.reduce(mutate, bytes);

/** Undefined where it is refused as it should be. */
function tryTo<T>(
  act: () => T,
  refused: typeof FormatError | typeof PcztRefusal = PcztRefusal,
): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof refused)) throw error;
    if (error.message === '' || /undefined|NaN|\[object/.test(error.message)) throw error;
    return undefined;
  }
}

const some = fc.array(mutation, { minLength: 1, maxLength: 3 });

for (const { title, bytes } of stages) {
  test(`${title}: bytes that were tampered with are refused, or come back as they are`, (t) => {
    let read = 0;
    fc.assert(
      fc.property(some, (mutations) => {
        const hostile = mutated(bytes, mutations);
        const decoded = tryTo(() => decodePczt(hostile));
        if (decoded === undefined) return;
        read++;
        const again = encodePczt(decoded.pczt, decoded.encoding);
        if (!equalBytes(again, hostile)) t.is(bytesToHex(again), bytesToHex(hostile));
        if (!equalBytes(hostile, bytes)) tryTo(() => encodePczt(decoded.pczt, oldestEncoding(decoded.pczt)));
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
