// What happens to a sync: others at once, cancelling, passwords, nodes that fail, branches, a person's edits.
import assert from 'node:assert/strict';
import { refusal } from '../client.ts';
import { PASSWORD, type Rule, restored } from '../world.ts';

export const sync: readonly Rule[] = [
  {
    name: 'two syncs at once: the second gets 409 at once',
    says: 'Two syncs at once: the second gets 409 at once',
    blocks: 200,
    async check(world) {
      const { client, gate } = world;
      await restored(world);
      const held = await gate();
      const running = client.sync({ node_url: held.url });
      await held.reached;
      const second = await refusal(client.sync());
      assert.equal(second.code, 'SYNC_IN_PROGRESS');
      assert.equal(second.retryable, true);
      assert.equal((await client.status()).syncing, true);
      await client.balance();
      held.release();
      assert.equal((await running).blocks_scanned, 200);
      assert.equal((await client.status()).syncing, false);
      assert.notEqual((await client.config()).node_url, held.url, 'for that request only');
    },
  },
  {
    name: 'a cancelled sync answers 200 with cancelled, keeps what it scanned, and says where to go on',
    says: 'the running request answers 200 with `cancelled: true`, and what was scanned stays',
    blocks: 200,
    async check(world) {
      const { client, gate } = world;
      await restored(world);
      const held = await gate();
      const running = client.sync({ node_url: held.url });
      await held.reached;
      await client.cancel();
      held.release();
      const answer = await running;
      assert.deepEqual([answer.cancelled, answer.caught_up, answer.range_complete], [true, false, false]);
      assert.equal(answer.next_start_height, answer.last_scan_height + 1);
      assert.equal((await client.config()).last_scan_height, answer.last_scan_height);
      const rest = await client.syncUntilCaughtUp();
      assert.equal(answer.blocks_scanned + rest.reduce((sum, step) => sum + step.blocks_scanned, 0), 200);
    },
  },
  {
    name: 'a cancel without a running sync is no error and cancels no later one',
    says: '`POST /api/sync/cancel`',
    blocks: 20,
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.cancel();
      const answer = await client.sync();
      assert.deepEqual([answer.cancelled, answer.blocks_scanned], [false, 20]);
    },
  },
  {
    name: 'a client that goes away does not cancel the scan',
    says: 'A client that disconnects does not cancel the scan',
    blocks: 100,
    async check(world) {
      const { client, gate } = world;
      await restored(world);
      const held = await gate();
      const gone = client.abandon('/api/sync', { node_url: held.url }, held.reached);
      await gone;
      held.release();
      await world.until(async () => !(await client.status()).syncing);
      assert.equal((await client.config()).last_scan_height, 100);
    },
  },
  {
    name: 'password unlocks when locked, is checked when open, and a wrong one scans nothing',
    says: '`password` unlocks when locked; when already open it is checked',
    blocks: 20,
    async check(world) {
      const { client } = world;
      await restored(world);
      assert.equal((await refusal(client.sync({ password: 'no' }))).code, 'WRONG_PASSWORD');
      assert.equal((await client.config()).last_scan_height, 0);
      assert.equal((await client.status()).unlocked, true, 'an open session is never disturbed');
      await client.lock();
      assert.equal((await refusal(client.sync({ password: 'no' }))).code, 'WRONG_PASSWORD');
      assert.equal((await client.sync({ password: PASSWORD })).last_scan_height, 20);
      assert.equal((await client.status()).unlocked, true);
    },
  },
  {
    name: 'a node that is down says so, says where the scan stands, and stays configured',
    says: 'a sync that fails half-way adds `last_scan_height`',
    blocks: 20,
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.sync({ end_height: 10 });
      const failed = await refusal(client.sync({ node_url: 'http://127.0.0.1:9' }));
      assert.deepEqual([failed.code, failed.retryable], ['NODE_UNREACHABLE', true]);
      assert.equal((await client.balance()).as_of_height, 10);
      assert.equal((await client.sync()).start_height, 11);
    },
  },
  {
    name: 'a rewind keeps the books: reorg names the last common block, the answer the new tip',
    says: '`fork_height` is the last common block',
    blocks: 40,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      const lost = chain.pay('orchard', 5_000);
      await client.sync();
      assert.equal((await client.balance()).total_zatoshi, 5_000);
      chain.reorg(3);
      const answer = await client.sync();
      assert.deepEqual(answer.reorg, { fork_height: 38, depth: 3 });
      assert.equal(answer.last_scan_height, chain.tip());
      assert.equal(answer.complete, true);
      assert.equal((await client.balance()).total_zatoshi, 0, lost.txid);
      assert.equal((await client.transactions()).transactions.length, 0);
    },
  },
  {
    name: 'a value written into config.json while stopped counts: lower scans again, higher skips',
    says: 'lower means scan again from there, higher means skip (and missing)',
    blocks: 60,
    async check(world) {
      await restored(world);
      await world.client.sync({ end_height: 30 });
      const lowered = await world.restart(() => world.writeLastScanHeight(20));
      await lowered.client.unlock({ password: PASSWORD });
      const again = await lowered.client.sync({ end_height: 30 });
      assert.deepEqual([again.start_height, again.end_height, again.blocks_scanned], [21, 30, 10]);
      const raised = await lowered.restart(() => lowered.writeLastScanHeight(50));
      assert.equal((await raised.client.config()).last_scan_height, 50);
      await raised.client.unlock({ password: PASSWORD });
      const answer = await raised.client.sync();
      assert.deepEqual([answer.start_height, answer.end_height], [51, 60]);
      assert.deepEqual(answer.missing_ranges, [{ start_height: 31, end_height: 50 }]);
      assert.equal(answer.complete, false);
      const closed = await raised.client.sync({ end_height: 60 });
      assert.deepEqual([closed.start_height, closed.end_height, closed.complete], [31, 50, true]);
    },
  },
  {
    name: 'a value written before the wallet was restored is honoured, and what is below shows as missing',
    says: 'A value that a person wrote before the wallet was restored counts in the same way',
    blocks: 60,
    async check(world) {
      const edited = await world.restart(() => world.writeLastScanHeight(40));
      await restored(edited, 11);
      assert.equal((await edited.client.config()).last_scan_height, 40);
      const before = await edited.client.balance();
      assert.equal(before.complete, false);
      const answer = await edited.client.sync();
      assert.deepEqual([answer.start_height, answer.end_height], [41, 60]);
      assert.deepEqual(answer.missing_ranges, [{ start_height: 11, end_height: 40 }]);
      assert.equal(answer.complete, false);
      const again = await edited.restart();
      assert.equal((await again.client.config()).last_scan_height, 60);
      await again.client.unlock({ password: PASSWORD });
      assert.deepEqual((await again.client.balance()).missing_ranges, answer.missing_ranges);
    },
  },
  {
    name: 'a block that cannot be taken names its height, keeps what is below, and leaves a way on',
    says: 'a sync that fails half-way adds `last_scan_height`; `NODE_BAD_RESPONSE` 502',
    blocks: 40,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      chain.spoil(25);
      const failed = await refusal(client.sync());
      assert.equal(failed.code, 'NODE_BAD_RESPONSE');
      assert.match(failed.detail, /\b25\b/, 'names the height');
      assert.ok(Number(failed.last_scan_height) < 25);
      assert.equal((await client.config()).last_scan_height, failed.last_scan_height);
      assert.equal((await client.sync({ end_height: 24 })).last_scan_height, 24);
      const past = await client.sync({ start_height: 26 });
      assert.deepEqual([past.last_scan_height, past.complete], [40, false]);
      assert.deepEqual(past.missing_ranges, [{ start_height: 25, end_height: 25 }]);
      chain.mine(5);
      const on = await client.sync();
      assert.deepEqual([on.start_height, on.last_scan_height, on.complete], [41, 45, false]);
      chain.mend();
      assert.equal((await client.sync({ end_height: 45 })).complete, true);
    },
  },
];
