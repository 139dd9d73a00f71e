// Nobody reads what the companion writes, or it cannot be written: that is no reason to stand still or to end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { secretFile } from '../helpers/cliProcess.ts';
import { PROGRAM } from '../helpers/program.ts';
import { callsTo, UNHURRIED } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

/** More than a pipe and the companion's own queue hold. */
const CALLS = 3_000;

async function serve(t: Parameters<typeof temporaryFolder>[0], stderr: 'pipe' | number) {
  const folder = temporaryFolder(t);
  const dataDir = path.join(folder, 'data');
  const folders = ['--config-dir', path.join(folder, 'config'), '--data-dir', dataDir];
  const args = [...UNHURRIED, PROGRAM, 'serve', '--port', '0', ...folders];
  const env = { ...process.env, WALLET_COMPANION_LOG: 'debug' };
  const child = untilTestEnds(t, spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', stderr] }));
  let output = '';
  for await (const chunk of child.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.endsWith('\n')) break;
  }
  const url = /http:\S+/.exec(output)?.[0] ?? '';
  const flood = async (): Promise<void> => {
    const headers = { 'x-request-id': 'f'.repeat(100) };
    for (let n = 0; n < CALLS; n += 1) await (await fetch(`${url}/healthz`, { headers })).arrayBuffer();
  };
  const logged = (): number => readFileSync(path.join(dataDir, 'companion.log'), 'utf8').split('\n').length;
  return { child, flood, logged, ...callsTo(url) };
}

function endOf(child: ChildProcess): Promise<unknown[]> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  return ended;
}

test('a companion whose log is not read answers on, reports how many lines it left out, and ends in order', async (t) => {
  const { child, flood, logged, get } = await serve(t, 'pipe');
  await flood();
  t.is((await get('/healthz')).status, 200);
  t.true(logged() > CALLS, 'the file has all');
  let lines = '';
  for await (const chunk of child.stderr!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    lines += chunk;
    if (/"lines":\d+,.*left out.*\n/.test(lines)) break;
  }
  await flood();
  t.deepEqual(await endOf(child), [0, null]);
});

test('a log that cannot be written ends nothing', async (t) => {
  const full = openSync('/dev/full', 'w');
  t.teardown(() => closeSync(full));
  const { child, get, post } = await serve(t, full);
  await post('/api/wallet/create', { password: 'long enough' });
  t.is((await get('/healthz')).status, 200);
  t.deepEqual(await endOf(child), [0, null]);
});

test('an answer that cannot be written is exit 7 and a sentence, which says where a recovery phrase is shown again', async (t) => {
  const full = openSync('/dev/full', 'w');
  t.teardown(() => closeSync(full));
  const folder = temporaryFolder(t);
  const run = async (...words: string[]) => {
    const args = [...UNHURRIED, PROGRAM, ...words, '--config-dir', folder, '--data-dir', folder];
    const child = untilTestEnds(t, spawn(process.execPath, args, { stdio: ['ignore', full, 'pipe'] }));
    const [output] = await Promise.all([text(child.stderr!), once(child, 'close')]);
    return { code: child.exitCode, output };
  };
  const password = ['--password-file', secretFile(folder, 'password', 'long enough')];
  for (const words of [['wallet', 'create', '--json', ...password], ['wallet', 'exists'], ['--help']]) {
    const { code, output } = await run(...words);
    t.is(code, 7, output);
    t.regex(output, /answer could not be written to standard output \(ENOSPC\).*\(STORAGE_FAILED\)\n$/);
    t.notRegex(output, /\n {4}at /);
    if (words.includes('create')) t.true(output.includes('"wallet-companion wallet backup'), output);
  }
});
