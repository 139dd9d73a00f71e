import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { whileItLives } from '../../src/cli/signOfLife.ts';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { PROGRAM } from '../helpers/program.ts';
import { startService } from '../helpers/service.ts';

test('a long call goes on while the companion reports its health, and ends where it falls silent', async (t) => {
  const strikes: (() => void)[] = [];
  const after = (_ms: number, strike: () => void) => {
    strikes.push(strike);
    return () => void strikes.splice(strikes.indexOf(strike), 1);
  };
  let isSilent = false;
  let asked = 0;
  const health = async (): Promise<void> => {
    asked += 1;
    if (isSilent) await new Promise(() => undefined);
    if (asked % 2 === 0) throw new Error('no');
  };
  const call = whileItLives('Process 7', new Promise<never>(() => undefined), health, after);
  for (let n = 0; n < 50; n += 1) {
    strikes.shift()?.();
    await new Promise(setImmediate);
  }
  t.is(asked, 50);
  isSilent = true;
  strikes.shift()?.();
  strikes.shift()?.();
  await t.throwsAsync(call, { message: /^Process 7 does not answer: / });
  t.is(await whileItLives('Process 7', Promise.resolve('answer'), health, after), 'answer');
  t.deepEqual(strikes, []);
});

test('commands end with 6 where the companion is stopped, by its socket and by its URL', async (t) => {
  const { pid = 0, url, configDir, dataDir } = await startService(t);
  process.kill(pid, 'SIGSTOP');
  const folders = ['--config-dir', configDir, '--data-dir', dataDir];
  const run = async (...words: string[]) => {
    const args = [PROGRAM, ...words, ...folders];
    const child = untilTestEnds(t, spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] }));
    const [output] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return [child.exitCode, output];
  };
  const why = 'does not answer: it was stopped (Ctrl-Z: fg), or is busy. (COMPANION_UNREACHABLE)\n';
  t.deepEqual(await Promise.all([run('doctor'), run('watch'), run('balance', '--url', url)]), [
    [6, `error: Process ${pid} ${why}`],
    [6, `error: The companion of this data directory ${why}`],
    [6, `error: The companion at ${url} ${why}`],
  ]);
});
