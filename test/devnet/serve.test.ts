// The devnet as a program: what is typed to it, when it ends, and what it says about a port that is taken.
import { createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { rpcResult } from '@wallet-companion/devnet/test/rpc';
import test, { type ExecutionContext } from 'ava';
import { type DevnetCommand, runDevnet } from '../../src/demo/devnetCommand.ts';
import { until } from '../helpers/until.ts';

const ANY_PORTS = { nodePort: 0, compactPort: 0, ironwoodHeight: 1, seed: 'typed' };

/** Lines as they are printed; each can be waited for. */
function terminal() {
  const input = new PassThrough();
  const ending = new AbortController();
  const printed: string[] = [];
  const waiting: (() => void)[] = [];
  const print = (line: string) => {
    printed.push(line);
    for (const wake of waiting.splice(0)) wake();
  };
  const line = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = printed.find((one) => pattern.test(one));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return { input, ending, printed, print, line, ended: ending.signal };
}

function start(t: ExecutionContext, options: Partial<DevnetCommand> = {}) {
  const typed = terminal();
  const done = runDevnet({ ...ANY_PORTS, ...options }, typed);
  t.teardown(async () => {
    typed.ending.abort();
    await done.catch(() => undefined);
  });
  return { ...typed, done };
}

test('lines are obeyed, and wrong ones answered', async (t) => {
  const { input, printed, done } = start(t);
  input.end(
    'mine 3\ntraffic 2\nreorg 2\nreorg x\npay nobody sapling 1\npay a sapling\nmine 5000\nhm\nquit\nmine\n',
  );
  await done;
  const answers = printed.slice(3);
  t.deepEqual(answers.slice(0, 4), [
    'tip 3',
    'tip 4',
    'forked at 2, tip 5',
    'expected a number from 1 to 1000',
  ]);
  t.is(answers[5], 'expected a number from 1 to 2100000000000000');
  t.is(answers[6], 'expected a number from 1 to 1000');
  t.regex(answers[7] ?? '', /^mine \[COUNT\]/);
  t.is(answers.length, 8, 'nothing is obeyed after quit');
});

test('without HTTP the end of the input ends it', async (t) => {
  const { input, done, line } = start(t);
  const node = (await line(/^node /)).split(/\s+/)[1] ?? '';
  t.is(await rpcResult(node, 'getblockcount'), 0);
  input.end();
  await done;
  await t.throwsAsync(rpcResult(node, 'getblockcount'));
});

test('with HTTP it stays when nothing can be typed, until it gets a signal to end', async (t) => {
  const { input, done, line, ending, printed } = start(t, { httpPort: 0 });
  input.end('mine 2\n');
  const url = (await line(/^http /)).split(/\s+/)[1] ?? '';
  await line(/^tip 2$/);
  await until(() => input.readableEnded);
  const chain = (await (await fetch(`${url}/chain`)).json()) as { tip: { height: number } };
  t.is(chain.tip.height, 2);
  ending.abort();
  await done;
  await t.throwsAsync(fetch(`${url}/chain`));
  t.false(printed.some((text) => text.startsWith('fault')));
});

test('a port that is taken is reported with the option that names another, and nothing stays open', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.teardown(() => other.close());
  const { port } = other.address() as { port: number };
  for (const [taken, option] of [
    ['nodePort', 'node-port'],
    ['compactPort', 'compact-port'],
    ['httpPort', 'http'],
  ] as const) {
    const error = await t.throwsAsync(runDevnet({ ...ANY_PORTS, httpPort: 0, [taken]: port }, terminal()), {
      code: 'INVALID_REQUEST',
    });
    t.true(error?.message.includes(`--${option} `), error?.message);
    t.true(error?.message.includes(`Port ${port} `), error?.message);
  }
});
