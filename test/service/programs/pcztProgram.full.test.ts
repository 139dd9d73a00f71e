// The prover and the signer of config.json: one PCZT at a time, and only where nobody else can say what is run.

import fs from 'node:fs';
import path from 'node:path';
import anyTest, { type ExecutionContext } from 'ava';
import { CompanionError } from '../../../src/protocol/errors.ts';
import type { PcztRole } from '../../../src/protocol/pcztPrograms.ts';
import { PcztProgram } from '../../../src/service/programs/pcztProgram.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { until } from '../../helpers/until.ts';
import { type Behaviour, type FakeProgram, fakeProgram, isAlive, unix } from './fakeProgram.ts';

const test = unix ? anyTest : anyTest.skip;

interface Bed {
  readonly prover: PcztProgram;
  readonly settingsFile: string;
  readonly logged: object[];
}

const settingOf = ({ command }: FakeProgram) => ({ command, timeout_seconds: 7, max_memory_mb: 100 });

function bed(t: ExecutionContext, program?: FakeProgram, role: PcztRole = 'prover'): Bed {
  const settingsFile = path.join(temporaryFolder(t), 'config.json');
  fs.writeFileSync(settingsFile, '{}', { mode: 0o600 });
  const logged: object[] = [];
  const log = (fields: object) => void logged.push(fields);
  const prover = new PcztProgram(role, {
    settingsFile,
    setting: program === undefined ? null : settingOf(program),
    log: { info: log, warn: log },
    env: process.env,
    after: () => () => undefined,
    memoryOf: () => undefined,
  });
  t.teardown(() => prover.stop());
  return { prover, settingsFile, logged };
}

const never = new AbortController().signal;
const bytes = (text = 'PCZT'): Uint8Array => new Uint8Array(Buffer.from(text));

async function refusal(proof: Promise<unknown>): Promise<[string, string]> {
  try {
    await proof;
  } catch (error) {
    if (error instanceof CompanionError) return [error.code, error.message];
  }
  return ['none', ''];
}

test('the answer is what the program wrote, and what it was given is wiped', async (t) => {
  const { prover, logged } = bed(t, fakeProgram(t, 'good'));
  const given = bytes();
  t.is(Buffer.from(await prover.run(given, never)).toString(), 'proved PCZT');
  t.true(given.every((byte) => byte === 0));
  t.deepEqual(logged, []);
});

test('without a program there are no proofs; one that is configured later makes them', async (t) => {
  const { prover } = bed(t);
  const given = bytes();
  t.is((await refusal(prover.run(given, never)))[0], 'NO_PROVER');
  t.true(given.every((byte) => byte === 0));
  prover.configure(settingOf(fakeProgram(t, 'good')));
  t.is(Buffer.from(await prover.run(bytes(), never)).toString(), 'proved PCZT');
  prover.configure(null);
  t.is((await refusal(prover.run(bytes(), never)))[0], 'NO_PROVER');
});

test('a failure is described in words of ours, and in the program’s in the log alone', async (t) => {
  const { prover, logged } = bed(t, fakeProgram(t, 'fails'));
  t.deepEqual(await refusal(prover.run(bytes(), never)), [
    'PROVER_FAILED',
    'The prover ended with EXIT_3; the log has its last words.',
  ]);
  t.like(logged[0], { failure: 'EXIT_3', lastWords: { 1: 'the key is ... of ...' } });
  const nothing: Behaviour = 'says nothing';
  prover.configure(settingOf(fakeProgram(t, nothing)));
  t.deepEqual(await refusal(prover.run(bytes(), never)), ['PROVER_FAILED', 'The prover wrote nothing.']);
});

test('it is not run while others may write config.json', async (t) => {
  const { prover, settingsFile } = bed(t, fakeProgram(t, 'good'));
  fs.chmodSync(settingsFile, 0o666);
  const [code, detail] = await refusal(prover.run(bytes(), never));
  t.is(code, 'PROVER_FAILED');
  t.false(detail.includes(settingsFile));
  fs.chmodSync(settingsFile, 0o600);
  t.is(Buffer.from(await prover.run(bytes(), never)).toString(), 'proved PCZT');
});

test('one proof is made at a time, four wait, and more get BUSY', async (t) => {
  const program = fakeProgram(t, 'hangs');
  const { prover } = bed(t, program);
  const stops = Array.from({ length: 5 }, () => new AbortController());
  const proofs = stops.map(({ signal }) => refusal(prover.run(bytes(), signal)));
  const first = await program.pid();
  t.is((await refusal(prover.run(bytes(), never)))[0], 'BUSY');
  // Who waits and gives up does not wait for the others.
  stops[2]!.abort();
  t.deepEqual(await proofs[2], ['PROVER_FAILED', 'The proof was given up before it was made.']);
  t.true(isAlive(first));
  fs.rmSync(path.join(program.folder, 'pid'));
  stops[0]!.abort();
  t.is((await proofs[0])![0], 'PROVER_FAILED');
  await until(() => !isAlive(first));
  const second = await program.pid();
  t.not(second, first);
  prover.stop();
  for (const proof of proofs) t.is((await proof)[0], 'PROVER_FAILED');
  await until(() => !isAlive(second));
  t.is((await refusal(prover.run(bytes(), never)))[0], 'PROVER_FAILED');
});

test('a signer fails in words of its own', async (t) => {
  const { prover: signer } = bed(t, fakeProgram(t, 'fails'), 'signer');
  t.deepEqual(await refusal(signer.run(bytes(), never)), [
    'SIGNER_FAILED',
    'The signer ended with EXIT_3; the log has its last words.',
  ]);
  signer.configure(null);
  t.is((await refusal(signer.run(bytes(), never)))[0], 'NO_SIGNER');
});
