// Tampers with one stage of the PCZT vectors a given number of times, and watches the memory meanwhile. Mutations follow from a
// seed, so that a failure can be had again.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { equalBytes, FormatError } from '@wallet-companion/base/bytes';
import { randomNumbers } from '@wallet-companion/base/test/randomNumbers';
import { encodePczt } from '../../src/pczt/codec.ts';
import { combinePczts } from '../../src/pczt/combiner.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { redactPczt } from '../../src/pczt/redactor.ts';
import { withoutProofs } from '../../src/pczt/returned/pieces.ts';
import { isFinalized, takeReturned } from '../../src/pczt/returned/returned.ts';
import { finalizeSpends } from '../../src/pczt/spendFinalizer.ts';
import { MILLION, type Mutation, mutated, NASTY, readTampered, tryTo } from './pcztMutations.ts';
import { cases, type Stage, stagesOf } from './pcztVectors.ts';

/** Roles that only walk over the fields are tried on one of so many. */
const ROLES_EVERY = 100;
/** The memory of the first ones is that of compiled code and tables. */
const WARM_UP = 0.1;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export interface FuzzedStage {
  readonly title: string;
  readonly runs: number;
  /** Mutations that left something that can be read. */
  readonly read: number;
  /** MiB after the first tenth and at the end. */
  readonly resident: readonly [number, number];
  readonly heap: readonly [number, number];
}

export const fuzzedStages = (): readonly Stage[] => stagesOf(cases);

export function fuzzStage({ title, bytes }: Stage, runs: number, seed: number): FuzzedStage {
  const below = randomBelow(seed);
  const original = readTampered(bytes, bytes)!.pczt;
  let read = 0;
  let before = memory();
  // Most of the time would go into stacks of refusals.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (let run = 0; run < runs; run++) {
    if (run === Math.floor(runs * WARM_UP)) before = memory();
    const mutations = Array.from({ length: 1 + below(3) }, () => drawMutation(below));
    try {
      const decoded = readTampered(mutated(bytes, mutations), bytes);
      if (decoded === undefined) continue;
      if (read++ % ROLES_EVERY === 0) tryQuickRoles(decoded.pczt, original);
    } catch (error) {
      throw new Error(`${title}, run ${run} of seed ${seed}: ${JSON.stringify(mutations)}`, { cause: error });
    }
  }
  Error.stackTraceLimit = stackTraceLimit;
  const after = memory();
  return {
    title,
    runs,
    read,
    resident: [before.resident, after.resident],
    heap: [before.heap, after.heap],
  };
}

function tryQuickRoles(pczt: Pczt, original: Pczt): void {
  tryToReturn(pczt, original);
  tryTo(() => combinePczts([original, pczt]), FormatError);
  tryTo(() => finalizeSpends(pczt));
  for (const view of ['signer', 'prover', 'extractor'] as const) tryTo(() => redactPczt(pczt, view));
}

/** What is there stays, and no signature can be made up: but for proofs, what is taken back is what went out. */
export function tryToReturn(pczt: Pczt, original: Pczt): void {
  if (!isFinalized(original)) return;
  const back = takeReturned(original, pczt);
  if (!back.ok) return;
  const [taken, ours] = [back.pczt, original].map((one) => encodePczt(withoutProofs(one), 2)) as [
    Uint8Array,
    Uint8Array,
  ];
  if (!equalBytes(taken, ours)) throw new Error('something of a PCZT that was tampered with was taken');
}

const MEBIBYTE = 1024 * 1024;

function memory(): { readonly resident: number; readonly heap: number } {
  collect();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { resident: Math.round(rss / MEBIBYTE), heap: Math.round((heapUsed + arrayBuffers) / MEBIBYTE) };
}

type Below = (end: number) => number;

function randomBelow(seed: number): Below {
  const random = randomNumbers(seed);
  return (end) => Math.floor(random() * end);
}

/** A quarter of them lie near the beginning. */
const drawPosition = (below: Below): number => (below(4) === 0 ? below(MILLION / 50) : below(MILLION));

function drawMutation(below: Below): Mutation {
  const at = drawPosition(below);
  switch (below(8)) {
    case 0:
      return { do: 'insert', at, nasty: below(NASTY.length) };
    case 1:
      return { do: 'overwrite', at, nasty: below(NASTY.length) };
    case 2:
      return { do: 'remove', at, count: below(70) };
    case 3:
      return below(4) === 0
        ? { do: 'end', at }
        : { do: 'repeat', at, from: drawPosition(below), count: below(200) };
    default:
      return { do: 'flip', at, bit: below(8) };
  }
}
