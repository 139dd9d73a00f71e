// The module's prover without a module, and with files that are none: each is an error, and ends no process.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import {
  createModuleProver,
  hasSaplingParameters,
  ProverError,
  proverIsBuilt,
} from '@wallet-companion/prover';
import test, { type ExecutionContext } from 'ava';

function moduleOf(t: ExecutionContext, bytes: readonly number[]): URL {
  const folder = mkdtempSync(path.join(tmpdir(), 'prover-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'prover.wasm');
  writeFileSync(file, new Uint8Array(bytes));
  return pathToFileURL(file);
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return error instanceof ProverError ? error.code : String(error);
  }
  return 'none';
}

const PCZT = new TextEncoder().encode('PCZT');
const EMPTY_MODULE = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const CALLS = [
  '_initialize',
  'start_threads',
  'allocate',
  'prove',
  'verify',
  'answer_pointer',
  'answer_length',
];

const named = (name: string): number[] => [name.length, ...Buffer.from(name)];
const section = (id: number, ...content: number[]): number[] => [id, content.length, ...content];

/** A module whose functions answer 0, and that imports one function of WASI. */
const moduleImporting = (name: string): readonly number[] => [
  ...EMPTY_MODULE,
  ...section(1, 1, 0x60, 0, 1, 0x7f),
  ...section(2, 1, ...named('wasi_snapshot_preview1'), ...named(name), 0, 0),
  ...section(3, 1, 0),
  ...section(7, CALLS.length, ...CALLS.flatMap((call) => [...named(call), 0, 1])),
  ...section(10, 1, 4, 0, 0x41, 0, 0x0b),
];

test('a build without the module is reported', async (t) => {
  const module = new URL('no.wasm', moduleOf(t, []));
  t.false(proverIsBuilt(module));
  t.is(await codeOf(createModuleProver({ threads: 1, module }).prove(PCZT)), 'NOT_BUILT');
  t.is(await codeOf(createModuleProver({ threads: 1, module }).verify(PCZT)), 'NOT_BUILT');
});

test('a damaged file and another module are errors, each time', async (t) => {
  const damaged = createModuleProver({ threads: 1, module: moduleOf(t, [1, 2, 3]) });
  t.is(await codeOf(damaged.prove(PCZT)), 'NOT_BUILT');
  const other = createModuleProver({ threads: 1, module: moduleOf(t, EMPTY_MODULE) });
  t.is(await codeOf(other.prove(PCZT)), 'CRASHED');
  t.is(await codeOf(other.prove(PCZT)), 'CRASHED');
});

test("files that are not the ceremony's are refused before the module starts", async (t) => {
  const module = moduleOf(t, moduleImporting('random_get'));
  const folder = path.dirname(fileURLToPath(module));
  const code = () =>
    codeOf(createModuleProver({ threads: 1, module, sapling: async () => folder }).prove(PCZT));
  t.false(hasSaplingParameters(folder));
  t.is(await code(), 'PARAMETERS');
  for (const name of ['sapling-spend.params', 'sapling-output.params'])
    writeFileSync(path.join(folder, name), 'of somebody else');
  t.false(hasSaplingParameters(folder));
  t.is(await code(), 'PARAMETERS');
});

test('a module gets random bytes, and no file', async (t) => {
  const codeWith = (name: string) =>
    codeOf(createModuleProver({ threads: 1, module: moduleOf(t, moduleImporting(name)) }).prove(PCZT));
  t.is(await codeWith('random_get'), 'none');
  for (const name of ['fd_read', 'path_open', 'fd_prestat_get', 'sock_send'])
    t.is(await codeWith(name), 'CRASHED', name);
});

test.serial('an idle module ends when its host says so, and the next call begins anew', async (t) => {
  const seen: string[] = [];
  let end = (): void => t.fail();
  const prover = createModuleProver({
    threads: 1,
    module: moduleOf(t, moduleImporting('random_get')),
    whenIdle: (given) => {
      seen.push('idle');
      end = given;
      return () => void seen.push('awake');
    },
  });
  const started: Worker[] = [];
  const hear = (worker: Worker) => void started.push(worker);
  process.on('worker', hear);
  t.teardown(() => process.off('worker', hear));
  t.is(await codeOf(prover.prove(PCZT)), 'none');
  t.is(await codeOf(prover.prove(PCZT)), 'none');
  t.deepEqual(seen, ['idle', 'awake', 'idle']);
  t.is(started.length, 1);
  const ended = once(started[0]!, 'exit');
  end();
  await ended;
  t.is(await codeOf(prover.prove(PCZT)), 'none');
  t.is(started.length, 2);
});

test('what is too long, given up or a second call does not reach the module', async (t) => {
  const prover = createModuleProver({ threads: 1, module: moduleOf(t, EMPTY_MODULE) });
  t.is(await codeOf(prover.prove(new Uint8Array(8 * 1024 * 1024 + 1))), 'INVALID_PCZT');
  t.is(await codeOf(prover.prove(PCZT, { signal: AbortSignal.abort() })), 'STOPPED');
  const first = codeOf(prover.prove(PCZT));
  t.is(await codeOf(prover.prove(PCZT)), 'BUSY');
  await first;
  prover.close();
  t.is(await codeOf(prover.prove(PCZT)), 'STOPPED');
});
