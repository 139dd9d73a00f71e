// Without a program in config.json a built-in prover makes the proofs: in its turn, in time, and with refusals of ours.

import { type PcztProver, ProverError, type ProverErrorCode } from '@wallet-companion/prover';
import test from 'ava';
import { CompanionError } from '../../../src/protocol/errors.ts';
import { PcztProgram } from '../../../src/service/programs/pcztProgram.ts';
import { until } from '../../helpers/until.ts';

type Prove = PcztProver['prove'];

interface Bed {
  readonly prover: PcztProgram;
  readonly logged: object[];
  /** Let the time of a running proof pass. */
  readonly strikes: readonly (() => void)[];
}

function bed(prove?: Prove): Bed {
  const logged: object[] = [];
  const strikes: (() => void)[] = [];
  const own: PcztProver | undefined = prove && {
    prove,
    verify: async () => undefined,
    close: () => undefined,
  };
  const prover = new PcztProgram('prover', {
    settingsFile: '/nowhere/config.json',
    setting: null,
    // As in a clone, which has no module.
    builtIn: async (kind) => (kind === 'own' ? own : undefined),
    log: { info: () => undefined, warn: (fields) => void logged.push(fields) },
    env: process.env,
    after: (_ms, strike) => {
      strikes.push(strike);
      return () => undefined;
    },
    memoryOf: () => undefined,
  });
  return { prover, logged, strikes };
}

const never = new AbortController().signal;
const PROGRAM = { command: ['/nowhere/prover'], timeout_seconds: 1, max_memory_mb: 64 };

async function refusal(proof: Promise<unknown>): Promise<[string, string]> {
  try {
    await proof;
  } catch (error) {
    if (error instanceof CompanionError) return [error.code, error.message];
  }
  return ['none', ''];
}

/** Runs until it is given up, as a proof does. */
const untilStopped: Prove = (_pczt, { signal } = {}) =>
  new Promise((_resolve, reject) => {
    const end = () => reject(new ProverError('STOPPED', 'It was given up.'));
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
  });

test('the own prover makes the proofs, and what it was given is wiped', async (t) => {
  const { prover, logged } = bed(async (pczt) => new Uint8Array([...pczt, 9]));
  const given = new Uint8Array([1, 2]);
  t.deepEqual(await prover.run(given, never), new Uint8Array([1, 2, 9]));
  t.deepEqual([...given], [0, 0]);
  t.deepEqual(logged, []);
});

test('config.json decides what makes proofs, and a module that was not built is refused with what to do', async (t) => {
  const { prover } = bed(async (pczt) => new Uint8Array(pczt));
  t.is(await prover.kind(), 'own');
  prover.configure(PROGRAM);
  t.is(await prover.kind(), 'program');
  await t.throwsAsync(prover.run(new Uint8Array(1), never));
  prover.configure('module');
  t.is(await prover.kind(), 'none');
  const [code, detail] = await refusal(prover.run(new Uint8Array(1), never));
  t.is(code, 'NO_PROVER');
  t.regex(detail, /"prover" in config\.json.*npm run build:prover/);
});

test('each failure of a prover is a refusal in a sentence, with its own words in the log alone', async (t) => {
  const codes: readonly [ProverErrorCode, string][] = [
    ['NOT_BUILT', 'NO_PROVER'],
    ['SAPLING', 'NO_PROVER'],
    ['PARAMETERS', 'NO_PROVER'],
    ['NO_KERNEL', 'NO_PROVER'],
    ['BUSY', 'BUSY'],
    ['INVALID_PCZT', 'PROVER_FAILED'],
    ['UNPROVABLE', 'PROVER_FAILED'],
    ['WRONG_PROOF', 'PROVER_FAILED'],
    ['CRASHED', 'PROVER_FAILED'],
  ];
  const sentences = new Set<string>();
  for (const [failure, expected] of codes) {
    const { prover, logged } = bed(() => Promise.reject(new ProverError(failure, 'words of the prover')));
    const [code, detail] = await refusal(prover.run(new Uint8Array(1), never));
    t.is(code, expected, failure);
    t.false(detail.includes('words'));
    t.deepEqual(logged, [{ failure, detail: 'words of the prover' }]);
    sentences.add(detail);
  }
  t.is(sentences.size, codes.length);
  t.true([...sentences].some((sentence) => /makes Sapling proofs.*sapling_params/.test(sentence)));
});

test('a proof ends with its caller, with the companion, and when its time is over', async (t) => {
  const { prover, strikes, logged } = bed(untilStopped);
  const stop = new AbortController();
  const given = refusal(prover.run(new Uint8Array(1), stop.signal));
  await until(() => strikes.length === 1);
  stop.abort();
  t.deepEqual(await given, ['PROVER_FAILED', 'The proof was given up before it was made.']);
  t.deepEqual(logged, []);
  const slow = refusal(prover.run(new Uint8Array(1), never));
  await until(() => strikes.length === 2);
  strikes.at(-1)!();
  t.deepEqual(await slow, ['PROVER_FAILED', 'The prover took longer than 600 s and was ended.']);
  const last = refusal(prover.run(new Uint8Array(1), never));
  await until(() => strikes.length === 3);
  prover.stop();
  t.is((await last)[0], 'PROVER_FAILED');
});
