// Without a program in config.json the WebAssembly module makes the proofs, and it verifies those of a program: in its turn, in
// time, and with refusals of ours.

import fs from 'node:fs';
import path from 'node:path';

import { type ModuleProver, ProverError, type ProverErrorCode } from '@wallet-companion/prover';
import test, { type ExecutionContext } from 'ava';
import { CompanionError } from '../../../src/protocol/errors.ts';
import { PcztProgram } from '../../../src/service/programs/pcztProgram.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { until } from '../../helpers/until.ts';
import { type Behaviour, fakeProgram, unix } from './fakeProgram.ts';

type Prove = ModuleProver['prove'];
type Verify = ModuleProver['verify'];

interface Bed {
  readonly prover: PcztProgram;
  readonly logged: object[];
  /** Let the time of a running proof pass. */
  readonly strikes: readonly (() => void)[];
}

type Module = Pick<ModuleProver, 'prove' | 'verify'>;

const bed = (prove?: Prove): Bed => bedWith(prove && { prove, verify: async () => undefined });

function bedWith(calls: Module | undefined, settingsFile = '/nowhere/config.json'): Bed {
  const logged: object[] = [];
  const strikes: (() => void)[] = [];
  const module: ModuleProver | undefined = calls && { ...calls, close: () => undefined };
  const prover = new PcztProgram('prover', {
    settingsFile,
    setting: null,
    module: async () => module,
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

test('the module makes the proofs, and what it was given is wiped', async (t) => {
  const { prover, logged } = bed(async (pczt) => new Uint8Array([...pczt, 9]));
  const given = new Uint8Array([1, 2]);
  t.deepEqual(await prover.run(given, never), new Uint8Array([1, 2, 9]));
  t.deepEqual([...given], [0, 0]);
  t.deepEqual(logged, []);
});

test('a program that config.json names comes before the module, and nothing at all is refused with what to do', async (t) => {
  const { prover } = bed(async (pczt) => new Uint8Array(pczt));
  t.is(await prover.kind(), 'module');
  prover.configure(PROGRAM);
  t.is(await prover.kind(), 'program');
  await t.throwsAsync(prover.run(new Uint8Array(1), never));
  const { prover: nobody } = bed();
  t.is(await nobody.kind(), 'none');
  const [code, detail] = await refusal(nobody.run(new Uint8Array(1), never));
  t.is(code, 'NO_PROVER');
  t.regex(detail, /"prover" in config\.json.*npm run build:prover/);
});

test('each failure of the module is a refusal in a sentence, with its own words in the log alone', async (t) => {
  const codes: readonly [ProverErrorCode, string][] = [
    ['NOT_BUILT', 'NO_PROVER'],
    ['SAPLING', 'NO_PROVER'],
    ['BUSY', 'BUSY'],
    ['INVALID_PCZT', 'PROVER_FAILED'],
    ['UNPROVABLE', 'PROVER_FAILED'],
    ['WRONG_PROOF', 'PROVER_FAILED'],
    ['CRASHED', 'PROVER_FAILED'],
  ];
  const sentences = new Set<string>();
  for (const [failure, expected] of codes) {
    const { prover, logged } = bed(() => Promise.reject(new ProverError(failure, 'words of the crate')));
    const [code, detail] = await refusal(prover.run(new Uint8Array(1), never));
    t.is(code, expected, failure);
    t.false(detail.includes('words'));
    t.deepEqual(logged, [{ failure, detail: 'words of the crate' }]);
    sentences.add(detail);
  }
  t.is(sentences.size, codes.length);
  t.true([...sentences].some((sentence) => /no Sapling proofs: name a program/.test(sentence)));
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

const ofPrograms = unix ? test : test.skip;

interface ProgramBed extends Bed {
  /** What the module was given, as text; it is wiped where it is refused. */
  readonly verified: readonly string[];
  readonly given: readonly Uint8Array[];
}

/** With a module that makes no proofs, so what comes is the program's. Starts it, since its answer is what is verified. */
function programBed(t: ExecutionContext, verify?: Verify, behaviour: Behaviour = 'good'): ProgramBed {
  const settingsFile = path.join(temporaryFolder(t), 'config.json');
  fs.writeFileSync(settingsFile, '{}', { mode: 0o600 });
  const verified: string[] = [];
  const given: Uint8Array[] = [];
  const calls = verify && {
    prove: () => Promise.reject(new ProverError('UNPROVABLE', 'the program proves')),
    verify: (pczt: Uint8Array, options?: Parameters<Verify>[1]) => {
      verified.push(Buffer.from(pczt).toString());
      given.push(pczt);
      return verify(pczt, options);
    },
  };
  const beside = bedWith(calls, settingsFile);
  const { command } = fakeProgram(t, behaviour);
  beside.prover.configure({ command, timeout_seconds: 7, max_memory_mb: 100 });
  t.teardown(() => beside.prover.stop());
  return { ...beside, verified, given };
}

const payment = (): Uint8Array => new Uint8Array(Buffer.from('PCZT'));
const textOf = async (proof: Promise<Uint8Array>): Promise<string> => Buffer.from(await proof).toString();

ofPrograms(
  'what a program proved is verified before it is handed on; without the module it is handed on as it is',
  async (t) => {
    const { prover, verified, logged } = programBed(t, async () => undefined);
    t.is(await textOf(prover.run(payment(), never)), 'proved PCZT');
    t.deepEqual(verified, ['proved PCZT']);
    t.deepEqual(logged, []);
    t.is(await textOf(programBed(t).prover.run(payment(), never)), 'proved PCZT');
  },
);

ofPrograms('a wrong proof of a program is refused and wiped, and the next proof is taken', async (t) => {
  const wrong = new ProverError('WRONG_PROOF', 'words of the crate');
  let isRight = false;
  const verify: Verify = async () => (isRight ? undefined : Promise.reject(wrong));
  const { prover, given, logged } = programBed(t, verify);
  t.deepEqual(await refusal(prover.run(payment(), never)), [
    'PROVER_FAILED',
    "A proof that the prover's program wrote is wrong, or of another transaction. Nothing of it was taken, and the payment can be proved again.",
  ]);
  t.is(given[0]?.length, 'proved PCZT'.length);
  t.true(given[0]?.every((byte) => byte === 0));
  t.deepEqual(logged, [{ failure: 'WRONG_PROOF', detail: 'words of the crate' }]);
  isRight = true;
  t.is(await textOf(prover.run(payment(), never)), 'proved PCZT');
});

ofPrograms(
  'proofs that cannot be verified are refused, and why is not left to the sentences for the module',
  async (t) => {
    let failure: ProverErrorCode = 'CRASHED';
    const { prover } = programBed(t, () => Promise.reject(new ProverError(failure, 'words')));
    const sentences = new Map<ProverErrorCode, string>();
    for (failure of ['NOT_BUILT', 'CRASHED', 'INVALID_PCZT', 'WRONG_PROOF'] as const) {
      const [code, detail] = await refusal(prover.run(payment(), never));
      t.is(code, 'PROVER_FAILED', failure);
      t.regex(detail, /^[^.]*prover's program.*taken/);
      sentences.set(failure, detail);
    }
    t.is(sentences.get('NOT_BUILT'), sentences.get('CRASHED'));
    t.is(new Set(sentences.values()).size, 3);
  },
);

ofPrograms(
  'a verification ends with its caller and when its time is over, and a program that failed has none',
  async (t) => {
    const untilGivenUp: Verify = async (pczt, options) => void (await untilStopped(pczt, options));
    const { prover, given, strikes } = programBed(t, untilGivenUp);
    const stop = new AbortController();
    const stopped = refusal(prover.run(payment(), stop.signal));
    await until(() => given.length === 1);
    stop.abort();
    t.deepEqual(await stopped, ['PROVER_FAILED', 'The proof was given up before it was made.']);
    const slow = refusal(prover.run(payment(), never));
    await until(() => given.length === 2);
    strikes.at(-1)!();
    t.regex((await slow)[1], /^To verify the proofs .* took longer than 600 s/);
    const failed = programBed(t, async () => undefined, 'fails');
    t.regex((await refusal(failed.prover.run(payment(), never)))[1], /EXIT_3/);
    t.deepEqual(failed.verified, []);
  },
);
