// The compact-block server's routes and what db_path may name.
import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refusal } from '../client.ts';
import { PASSWORD, type Rule, restored } from '../world.ts';

export const compactServer: readonly Rule[] = [
  {
    name: 'a GET never creates a store; a sync does, 1,000 blocks at a time, until caught up',
    says: 'A GET never creates a store; at most 1,000 blocks a request; starts above the store top',
    blocks: 1100,
    async check({ client, dataDir }) {
      const before = await readdir(dataDir);
      assert.equal((await client.serverInfo()).store, null);
      assert.equal((await client.serverInfo('?db_path=other.db')).store, null);
      const tip = await client.serverTip();
      assert.deepEqual([tip.height, tip.stored_height], [1100, null]);
      assert.deepEqual(await readdir(dataDir), before);
      const first = await client.syncCompact();
      assert.deepEqual([first.start_height, first.end_height, first.blocks_stored], [1, 1000, 1000]);
      assert.deepEqual(
        [first.next_start_height, first.caught_up, first.range_complete],
        [1001, false, false],
      );
      const second = await client.syncCompact({});
      assert.deepEqual([second.start_height, second.end_height, second.blocks_stored], [1001, 1100, 100]);
      assert.equal(second.caught_up && second.range_complete, true);
      const idle = await client.syncCompact();
      assert.deepEqual([idle.blocks_stored, idle.caught_up, idle.range_complete], [0, true, true]);
      const { store } = await client.serverInfo();
      assert.deepEqual([store?.first_height, store?.last_height, store?.block_count], [1, 1100, 1100]);
      assert.deepEqual(store?.missing_ranges, []);
      assert.equal((await client.serverTip()).stored_height, 1100);
    },
  },
  {
    name: 'a hole in the store is reported, and an explicit range closes it',
    says: '`store: null or {path, first_height, last_height, block_count, missing_ranges}`',
    blocks: 50,
    async check({ client }) {
      await client.syncCompact({ start_height: 1, end_height: 10 });
      const above = await client.syncCompact({ start_height: 31, end_height: 60 });
      assert.deepEqual([above.start_height, above.end_height, above.range_complete], [31, 50, false]);
      const { store } = await client.serverInfo();
      assert.deepEqual(store?.missing_ranges, [{ start_height: 11, end_height: 30 }]);
      assert.equal(store?.block_count, 30);
      const closed = await client.syncCompact({ start_height: 11, end_height: 30 });
      assert.equal(closed.range_complete, true);
      assert.deepEqual((await client.serverInfo()).store?.missing_ranges, []);
      const wrong = await refusal(client.syncCompact({ start_height: 5, end_height: 4 }));
      assert.equal(wrong.code, 'INVALID_RANGE');
    },
  },
  {
    name: 'source compact scans to the same books as the node',
    says: '`source`: `node` (default) or `compact`',
    blocks: 10,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      const paid = chain.pay('orchard', 40_000);
      chain.pay('sapling', 500);
      chain.spend(paid);
      const answer = await client.sync({ source: 'compact' });
      assert.deepEqual([answer.source, answer.caught_up, answer.complete], ['compact', true, true]);
      assert.deepEqual([answer.notes_found, answer.notes_spent], [3, 1]);
      const compact = await client.balance();
      await client.rescan();
      await client.sync();
      const node = await client.balance();
      assert.deepEqual(
        [compact.total_zatoshi, compact.pools, compact.as_of_height, compact.as_of_hash],
        [node.total_zatoshi, node.pools, node.as_of_height, node.as_of_hash],
      );
    },
  },
  {
    name: 'a server that is down is COMPACT_SERVER_UNREACHABLE; a bad address INVALID_URL',
    says: '`COMPACT_SERVER_UNREACHABLE` 502',
    async check({ client }) {
      const url = 'http://127.0.0.1:9';
      const query = `?compact_server_url=${encodeURIComponent(url)}`;
      for (const pending of [
        () => client.serverInfo(query),
        () => client.serverTip(query),
        () => client.syncCompact({ compact_server_url: url }),
      ]) {
        assert.equal((await refusal(pending())).code, 'COMPACT_SERVER_UNREACHABLE');
      }
      assert.equal((await refusal(client.serverTip('?compact_server_url=nothing'))).code, 'INVALID_URL');
      const bad = client.syncCompact({ compact_server_url: 'http://u:p@127.0.0.1:1' });
      assert.equal((await refusal(bad)).code, 'INVALID_URL');
    },
  },
  {
    name: 'db_path: what is refused is INVALID_DB_PATH and leaves nothing behind',
    says: 'Otherwise `INVALID_DB_PATH`, and nothing is created or changed',
    blocks: 5,
    async check(world) {
      const { client, dataDir, configFile } = world;
      await restored(world);
      await writeFile(join(dataDir, 'foreign.db'), 'not a store of ours');
      await symlink(join(dataDir, 'elsewhere.db'), join(dataDir, 'link.db'));
      await mkdir(join(dataDir, '.hidden'));
      await mkdir(join(dataDir, '..', 'open'));
      await chmod(join(dataDir, '..', 'open'), 0o777);
      const list = async () => (await readdir(join(dataDir, '..'), { recursive: true })).sort();
      const before = await list();
      const wallet = (await readdir(dataDir)).filter((name) => /wallet/.test(name));
      assert.ok(wallet.length > 0);
      const refused = [
        '',
        '../up.db',
        'a/../b.db',
        'name.txt',
        'name',
        '.db',
        '.hidden.db',
        '-x.db',
        'with space.db',
        'a\u0000.db',
        'ä.db',
        'foreign.db',
        'link.db',
        '.hidden/x.db',
        join(dataDir, '.hidden', 'x.db'),
        join(dataDir, '..', 'no-such-folder', 'x.db'),
        join(configFile, '..', 'x.db'),
        join(dataDir, '..', 'open', 'x.db'),
        '/proc/self/x.db',
        'file:x.db',
        ...wallet,
      ];
      for (const db_path of refused) {
        const { code } = await refusal(client.syncCompact({ db_path }));
        assert.equal(code, 'INVALID_DB_PATH', db_path);
        // An empty query parameter counts as absent.
        if (db_path === '') continue;
        const query = `?db_path=${encodeURIComponent(db_path)}`;
        assert.equal((await refusal(client.serverInfo(query))).code, 'INVALID_DB_PATH', `GET ${db_path}`);
      }
      assert.deepEqual(await list(), before);
      for (const db_path of ['a.db', 'sub/folder/b.sqlite', 'c.sqlite3', join(dataDir, 'd.db')]) {
        const answer = await client.syncCompact({ db_path });
        assert.equal(answer.blocks_stored, 5, db_path);
        const { store } = await client.serverInfo(`?db_path=${encodeURIComponent(db_path)}`);
        assert.equal(store?.block_count, 5, db_path);
      }
      await client.unlock({ password: PASSWORD });
    },
  },
];
