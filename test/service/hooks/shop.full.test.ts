// The receiver of docs/hooks.md, run as it stands there, told by hooks on a real wallet on a chain that reorganises; the
// companion and the receiver are restarted at any moment.

import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Devnet } from '@wallet-companion/devnet';
import { MAIN } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import type { HookLink } from '../../../src/hooks/hookLink.ts';
import { Hooks } from '../../../src/hooks/hooks.ts';
import { jsonLink } from '../../../src/protocol/jsonCalls.ts';
import type { Output } from '../../../src/protocol/operations.ts';
import { hookRecordFile } from '../../../src/storage/files/hookRecordFile.ts';
import { untilTestEnds } from '../../helpers/childProcess.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { PASSWORD, startWallet } from '../../helpers/walletHarness.ts';

const FIRST = 3_500_000;

/** From the page, in a process of its own. */
async function startReceiver(t: ExecutionContext, folder: string, port = 0) {
  const [, text = t.fail() as never] =
    /```js\n(\/\/ receiver[^`]*(?:`[^`]+`[^`]*)*?)```/.exec(fs.readFileSync('docs/hooks.md', 'utf8')) ?? [];
  const file = path.join(folder, 'receiver.mjs');
  fs.writeFileSync(file, text);
  const started = spawn(process.execPath, [file, String(port), path.join(folder, 'key')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const child = untilTestEnds(t, started);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const output = (check: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!check()) return;
        reader.off('line', look);
        resolve();
      };
      reader.on('line', look);
      look();
    });
  reader.on('line', (line) => lines.push(line));
  await output(() => lines.length > 0);
  const bound = Number(/^listening on (\d+)$/.exec(lines.shift() ?? '')?.[1]);
  const end = async () => {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };
  return { lines, output, end, port: bound };
}

const unixOnly = process.platform === 'win32' ? test.skip : test;
unixOnly('a shop has every change of a real wallet, reversals included, over restarts of both', async (t) => {
  const devnet = new Devnet({
    params: MAIN,
    seed: t.title,
    startHeight: FIRST,
    initialLeaves: { sapling: 3, orchard: 2, ironwood: 2 },
  });
  t.teardown(() => devnet.close());
  const node_url = await devnet.node.listen();
  const folder = temporaryFolder(t);
  const start = () => startWallet(t, { folder, config: { network: 'main', node_url, min_confirmations: 2 } });
  let wallet = await start();
  const { unified_address: address } = await wallet.call('wallet.create', {
    password: PASSWORD,
    birthday_height: FIRST,
  });
  fs.writeFileSync(path.join(folder, 'key'), 'key of more than sixteen characters\n', { mode: 0o600 });
  let receiver = await startReceiver(t, folder);
  const url = `http://127.0.0.1:${receiver.port}/`;
  const log: string[] = [];
  const print = (fields: object, message: string) => void log.push(`${message} ${JSON.stringify(fields)}`);
  const listeners = new Set<Parameters<HookLink['subscribeToAll']>[0]>();
  const begin = () => {
    const hooks = new Hooks({
      settings: [{ name: 'shop', events: ['change'], url, secret_file: path.join(folder, 'key') }],
      settingsFile: process.execPath,
      walletNames: () => ['default'],
      file: hookRecordFile(folder),
      log: { info: print, warn: print },
      requestId: randomUUID,
      now: () => Date.now(),
      elapsed: () => performance.now(),
      // Pauses are over at once; deadlines never come.
      after: (ms, strike) => {
        if (ms >= 10_000) return () => undefined;
        const timer = setTimeout(strike, Math.min(ms, 5));
        return () => clearTimeout(timer);
      },
      random: () => 0,
      env: {},
    });
    hooks.start({
      subscribeToAll: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      ...jsonLink({
        dispatch: async (name, input, context) =>
          (await wallet.actor.dispatch({ name, input, ...context })) as never,
      }),
    });
    return hooks;
  };
  let hooks = begin();
  await receiver.output(() => receiver.lines.includes('hook.started  '));
  const sync = async () => {
    await wallet.call('sync.run');
    for (const listener of listeners) listener({ event: 'sync.progress', data: {} as never }, 'default');
  };
  const pay = (zatoshi: bigint) => devnet.payTo(address, { pool: 'ironwood', zatoshi, memo: 'order' });
  /** What the shop has to have heard, from the books of the wallet itself. */
  const expected = async (): Promise<string[]> => {
    const { changes }: Output<'changes.list'> = await wallet.call('changes.list', { limit: 1000 });
    return changes.map(({ kind, value_zatoshi, txid }) => `change.${kind} ${value_zatoshi} ${txid}`);
  };
  const heard: string[] = [];
  const all = async () => {
    const wanted = await expected();
    const money = () => [...heard, ...receiver.lines.filter((line) => line.startsWith('change.'))];
    await receiver.output(
      () => money().at(-1) === wanted.at(-1) && new Set(money()).size === new Set(wanted).size,
    );
    return { wanted, money: money() };
  };
  for (let round = 0; round < 4; round++) {
    pay(BigInt(1000 + round));
    devnet.mineEmpty(1);
    await sync();
    if (round === 1) {
      // The shop dies, and comes back with nothing but its books.
      await all();
      heard.push(...receiver.lines.filter((line) => line.startsWith('change.')));
      await receiver.end();
      devnet.reorganise(2);
      await sync();
      receiver = await startReceiver(t, folder, receiver.port);
    }
    if (round === 2) {
      await hooks.stop();
      listeners.clear();
      await wallet.stop();
      wallet = await start();
      await wallet.call('wallet.unlock', { password: PASSWORD });
      hooks = begin();
    }
  }
  devnet.mineEmpty(2);
  await sync();
  const { wanted, money } = await all();
  t.true(wanted.some((line) => line.startsWith('change.unreceived')));
  t.deepEqual(
    money.filter((line, at) => money.indexOf(line) === at),
    wanted.filter((line, at) => wanted.indexOf(line) === at),
  );
  await hooks.stop();
  t.false(log.join().includes('order'), 'nothing of what was told is logged');
  t.false(/\d{4}|[0-9a-f]{64}|127\.0/.test(log.join()), log.join());

  // What is not signed with the key, or is old, is nothing that the shop books.
  const before = receiver.lines.length;
  const time = String(Math.floor(Date.now() / 1000));
  const sign = (key: string, at: string) =>
    `v1=${createHmac('sha256', key).update(`${at}.{"id":"x","event":"y","data":{}}`).digest('hex')}`;
  const send = async (key: string, at: string) => {
    const headers = { 'wallet-companion-timestamp': at, 'wallet-companion-signature': sign(key, at) };
    return (await fetch(url, { method: 'POST', headers, body: '{"id":"x","event":"y","data":{}}' })).status;
  };
  t.is(await send('key of more than sixteen letters', time), 401);
  t.is(await send('key of more than sixteen characters', '1000'), 401);
  t.is(receiver.lines.length, before);
  t.is(await send('key of more than sixteen characters', time), 204);
});
