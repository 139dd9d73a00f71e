// The companion as its own process: what the C library starts, and what the command line and the library then share.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import anyTest, { type ExecutionContext } from 'ava';
import { CODE_NUMBERS } from '../../scripts/generate/codeNumbers.ts';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import type { OperationName, Output } from '../../src/protocol/operations.ts';
import {
  companionProgram,
  compileProgram,
  koffi,
  missingCompiler,
  openLibrary,
  START_PATIENCE_MS,
} from '../helpers/companionLibrary.ts';
import { PROGRAM } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { until } from '../helpers/until.ts';

const reason = missingCompiler ?? (koffi === undefined ? 'koffi is not installed' : undefined);
const test = (title: string, body: (t: ExecutionContext) => unknown): void =>
  reason === undefined ? void anyTest(title, body) : void anyTest.skip(`${title} (skipped: ${reason})`, body);

test('the C library starts the companion, shares it with the command line, and ends it', async (t) => {
  const dataDir = temporaryFolder(t);
  const configDir = temporaryFolder(t);
  writeFileSync(path.join(configDir, 'config.json'), '{"network":"regtest","node_url":"http://127.0.0.1:9"}');
  const program = companionProgram(t, PROGRAM);
  const library = await openLibrary({ dataDir, configDir, program, startTimeoutMs: START_PATIENCE_MS });
  if (!('close' in library)) throw new Error(JSON.stringify(library));
  t.is(lstatSync(socketPath(dataDir)).mode & 0o777, 0o600);

  t.deepEqual(await library.call('wallet.exists', {}), { code: 0, answer: { exists: false } });
  t.is((await library.call('balance.get', {})).code, CODE_NUMBERS.NO_WALLET);
  const created = await library.call('wallet.create', { password: 'correct horse', birthday_height: 1 });
  t.is(created.code, 0, JSON.stringify(created.answer));
  const { mnemonic, unified_address: address } = created.answer as Output<'wallet.create'>;
  t.is(mnemonic.split(' ').length, 24);

  // The same companion through the command line, which finds the socket in the data directory.
  const cli = (...words: string[]): { status: number | null; body: unknown } => {
    const folders = ['--config-dir', configDir, '--data-dir', dataDir];
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...words, ...folders, '--json'], {
      encoding: 'utf8',
    });
    return { status, body: JSON.parse(stdout) };
  };
  t.like(cli('address', 'get'), { status: 0, body: { unified_address: address } });
  const link = createSocketLink(socketPath(dataDir));
  const ask = async (name: OperationName): Promise<unknown> => {
    const result = await link.dispatch(name, {}, { requestId: 'test' });
    return result.ok ? result.value : result.error;
  };
  t.deepEqual(await ask('balance.get'), cli('balance').body);
  t.deepEqual((await library.call('balance.get', {})).answer, cli('balance').body);
  link.close();
  await library.close();
  t.false(existsSync(socketPath(dataDir)));
  // Nothing runs any more: the command line opens the files itself, and the wallet is locked.
  t.is(cli('balance').status, 3);
});

test("a companion that was started for a handle ends with its host, and not with Ctrl-C in the host's terminal", async (t) => {
  const dataDir = temporaryFolder(t);
  const configDir = temporaryFolder(t);
  writeFileSync(path.join(configDir, 'config.json'), '{"network":"regtest","node_url":"http://127.0.0.1:9"}');
  const program = await compileProgram('test/ffi/programs/host.c');
  const words = [dataDir, configDir, companionProgram(t, PROGRAM)];
  // A group of its own, as a terminal gives one.
  const host = spawn(program, words, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => host.kill('SIGKILL'));
  await once(host.stdout, 'data');
  const link = createSocketLink(socketPath(dataDir));
  t.teardown(() => link.close());
  const lost = new Promise((resolve) => {
    const watched = createSocketLink(socketPath(dataDir), { onLost: () => resolve('lost') });
    t.teardown(() => watched.close());
    watched.subscribe(() => undefined);
  });
  const call = () => link.dispatch('wallet.exists', {}, { requestId: 'test' });
  t.true((await call()).ok);
  process.kill(-host.pid!, 'SIGINT');
  // A signal that reached it would have it end before long.
  for (let calls = 0; calls < 50; calls++) t.true((await call()).ok);
  host.kill('SIGKILL');
  await lost;
  await until(() => !existsSync(socketPath(dataDir)));
  t.false((await call()).ok);
});
