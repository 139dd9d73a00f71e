// The command: the same operations, the same answers, and an exit code that follows from the error's code.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PASSWORD, type Rule, restored, WRONG } from '../world.ts';

export const commandLine: readonly Rule[] = [
  {
    name: '--json gives exactly the HTTP body, and 0',
    says: '`--json` gives exactly the HTTP body',
    blocks: 12,
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.sync();
      for (const [args, path] of [
        [['wallet', 'exists'], '/api/wallet/exists'],
        [['config', 'get'], '/api/config'],
        [['balance'], '/api/balance'],
        [['lwd', 'chain-tip'], '/api/lwd/chain-tip'],
        [['notes'], '/api/notes'],
        [['transactions'], '/api/transactions'],
        [['address', 'get'], '/api/address'],
        [['accounts', 'list'], '/api/accounts'],
        [['version'], '/api/version'],
      ] as const) {
        const { code, out, err } = await world.command([...args, '--json', '--url', client.base]);
        assert.equal(code, 0, `${args.join(' ')}: ${err}`);
        const { text } = await client.raw('GET', path);
        assert.equal(out.trimEnd(), text.trimEnd(), args.join(' '));
      }
    },
  },
  {
    name: 'a failure has the exit code of its code, and --json the problem document',
    says: 'Exit codes: 0 ok, 2 bad input, 3 locked or wrong password, 4 not found, 5 conflict, 6 upstream',
    blocks: 12,
    async check(world) {
      const { client, dataDir } = world;
      const file = join(dataDir, '..', 'password');
      await writeFile(file, `${PASSWORD}\n`, { mode: 0o600 });
      const wrong = join(dataDir, '..', 'wrong');
      await writeFile(wrong, `${WRONG}\n`, { mode: 0o600 });
      const to = ['--json', '--url', client.base];
      const run = async (expected: number, ...args: string[]) => {
        const { code, out, err } = await world.command([...args, ...to]);
        assert.equal(code, expected, `${args.join(' ')}\n${out}\n${err}`);
        return `${out}${err}`;
      };
      assert.match(await run(4, 'balance'), /NO_WALLET/);
      await run(2, 'config', 'theme', 'pink');
      await run(2, 'no-such-command');
      await run(2, 'sync', '--start-height', '9', '--end-height', '5');
      await restored(world);
      await run(5, 'wallet', 'create', '--password-file', file);
      await run(0, 'wallet', 'lock');
      assert.match(await run(3, 'balance'), /WALLET_LOCKED/);
      assert.match(await run(3, 'wallet', 'unlock', '--password-file', wrong), /WRONG_PASSWORD/);
      await run(0, 'wallet', 'unlock', '--password-file', file);
      await run(6, 'sync', '--node-url', 'http://127.0.0.1:9');
      await run(0, 'sync', '--password-file', file);
    },
  },
  {
    name: 'sync --to-tip fills the holes by itself',
    says: 'Clients repeat the call until caught up; what was skipped stays visible until it is scanned',
    blocks: 40,
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.sync({ start_height: 11, end_height: 15 });
      await client.sync({ start_height: 30 });
      const { code, err } = await world.command(['sync', '--to-tip', '--json', '--url', client.base]);
      assert.equal(code, 0, err);
      const balance = await client.balance();
      assert.deepEqual([balance.complete, balance.missing_ranges], [true, []]);
    },
  },
];
