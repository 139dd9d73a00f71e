// Which blocks a sync scans, and what a client that polls is told about the rest.

import assert from 'node:assert/strict';
import { createClient } from '@wallet-companion/client';
import { refusal } from '../client.ts';
import { type Rule, restored } from '../world.ts';

export const ranges: readonly Rule[] = [
  {
    name: 'without a range a sync goes on from last_scan_height + 1 until caught up',
    says: 'When POST /api/sync has no range, it scans incrementally from last_scan_height + 1',
    blocks: 40,
    async check(world) {
      const { client, chain } = world;
      await restored(world, 5);
      assert.equal((await client.config()).last_scan_height, 4);
      const first = await client.sync();
      assert.equal(first.start_height, 5);
      assert.equal(first.end_height, 40);
      assert.equal(first.blocks_scanned, 36);
      assert.equal(first.last_scan_height, 40);
      assert.equal(first.chain_tip, 40);
      assert.equal(first.caught_up && first.complete && first.range_complete, true);
      assert.equal(first.source, 'node');
      const idle = await client.sync();
      assert.equal(idle.blocks_scanned, 0);
      assert.equal(idle.caught_up && idle.complete && idle.range_complete, true);
      chain.mine(3);
      const more = await client.sync();
      assert.deepEqual([more.start_height, more.end_height, more.blocks_scanned], [41, 43, 3]);
      assert.equal((await client.config()).last_scan_height, 43);
    },
  },
  {
    name: 'a sync scans at most 1,000 blocks, and following next_start_height ends at the tip',
    says: 'A request never scans more than 1,000 blocks: a longer range is cut, `next_start_height` and `range_complete`',
    blocks: 2100,
    async check(world) {
      const { client } = world;
      await restored(world);
      const cut = await client.sync({ start_height: 1, end_height: 2050 });
      assert.deepEqual([cut.start_height, cut.end_height, cut.blocks_scanned], [1, 1000, 1000]);
      assert.equal(cut.next_start_height, 1001);
      assert.equal(cut.range_complete || cut.caught_up, false);
      assert.equal(cut.complete, true, 'speaks of what is below last_scan_height');
      const walked = await client.syncRange(1001, 2050);
      assert.deepEqual(
        walked.map((step) => step.blocks_scanned),
        [1000, 50],
      );
      assert.deepEqual(
        walked.map((step) => step.range_complete),
        [false, true],
      );
      assert.equal(walked.at(-1)?.caught_up, false);
      const rest = await client.syncUntilCaughtUp();
      assert.deepEqual(
        rest.map((step) => step.blocks_scanned),
        [50],
      );
      assert.equal((await client.balance()).complete, true);
    },
  },
  {
    name: 'start > end is INVALID_RANGE and changes nothing',
    says: '`start > end`: `INVALID_RANGE`',
    blocks: 20,
    async check(world) {
      const { client } = world;
      await restored(world);
      assert.equal((await refusal(client.sync({ start_height: 9, end_height: 8 }))).code, 'INVALID_RANGE');
      assert.equal((await client.config()).last_scan_height, 0);
      assert.equal((await client.sync({ start_height: 9, end_height: 9 })).blocks_scanned, 1);
    },
  },
  {
    name: 'only start_height scans from there up; what was skipped stays visible until it is scanned',
    says: 'What was skipped stays visible as `missing_ranges` with `complete: false` until it is scanned',
    blocks: 40,
    async check(world) {
      const { client } = world;
      await restored(world);
      const above = await client.sync({ start_height: 21 });
      assert.deepEqual([above.start_height, above.end_height, above.last_scan_height], [21, 40, 40]);
      assert.equal(above.complete, false);
      assert.deepEqual(above.missing_ranges, [{ start_height: 1, end_height: 20 }]);
      const balance = await client.balance();
      assert.equal(balance.complete, false);
      assert.deepEqual(balance.missing_ranges, above.missing_ranges);
      const below = await client.sync({ start_height: 5, end_height: 9 });
      assert.equal(below.last_scan_height, 40, 'one below leaves it');
      assert.deepEqual(below.missing_ranges, [
        { start_height: 1, end_height: 4 },
        { start_height: 10, end_height: 20 },
      ]);
      assert.equal(below.range_complete, true);
    },
  },
  {
    name: 'only end_height scans what is missing up to there, lowest first, and ends',
    says: 'only `end_height`: what is not scanned yet up to there, lowest first',
    blocks: 40,
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.sync({ start_height: 11, end_height: 20 });
      const seen: (number | null)[][] = [];
      for (let guard = 0; guard < 5; guard++) {
        const answer = await client.sync({ end_height: 30 });
        seen.push([answer.start_height, answer.end_height, answer.blocks_scanned]);
        if (answer.range_complete) break;
      }
      const blocks = seen.reduce((total, [, , scanned]) => total + Number(scanned), 0);
      assert.equal(blocks, 20, JSON.stringify(seen));
      const again = await client.sync({ end_height: 30 });
      assert.deepEqual([again.blocks_scanned, again.range_complete, again.last_scan_height], [0, true, 30]);
      assert.deepEqual(again.missing_ranges, []);
      assert.deepEqual([again.caught_up, again.complete], [false, true]);
    },
  },
  {
    name: 'beyond the tip is clamped, and such a range is not complete',
    says: '`range_complete` is true only if every block asked for exists and is scanned; at the tip 200 with no block',
    blocks: 30,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      const past = await client.sync({ start_height: 21, end_height: 50 });
      assert.deepEqual([past.start_height, past.end_height, past.blocks_scanned], [21, 30, 10]);
      assert.equal(past.range_complete, false);
      assert.equal(past.next_start_height, 31);
      const none = await client.sync({ start_height: 31, end_height: 50 });
      assert.deepEqual([none.blocks_scanned, none.range_complete, none.last_scan_height], [0, false, 30]);
      assert.equal(none.next_start_height, 31);
      chain.mine(20);
      assert.equal((await client.sync({ start_height: 31, end_height: 50 })).range_complete, true);
      const zero = await client.sync({ start_height: 0, end_height: 5 });
      assert.deepEqual([zero.start_height, zero.blocks_scanned], [1, 5], 'below Sapling activation');
    },
  },
  {
    name: 'repeating a sync without a range ends, whatever was skipped below',
    says: 'Clients repeat the call until caught up',
    blocks: 30,
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.sync({ start_height: 21, end_height: 25 });
      const answers = await client.syncUntilCaughtUp();
      assert.equal(answers.at(-1)?.last_scan_height, 30);
    },
  },
  {
    name: 'a range wholly above the tip scans nothing and moves nothing',
    says: 'Beyond the tip or below Sapling activation is clamped; at the tip the answer is 200 with no block',
    blocks: 30,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      for (const body of [{ start_height: 100 }, { start_height: 100, end_height: 200 }]) {
        const answer = await client.sync(body);
        assert.deepEqual([answer.blocks_scanned, answer.last_scan_height, answer.chain_tip], [0, 0, 30]);
        assert.deepEqual([answer.range_complete && 'end_height' in body, answer.caught_up], [false, false]);
        assert.ok(Number(answer.next_start_height) <= 100, 'going on there leaves nothing out');
      }
      assert.deepEqual((await client.balance()).as_of_height, null);
      chain.mine(1);
      assert.equal((await client.sync()).start_height, 1);
    },
  },
  {
    name: 'end_height alone closes holes over more than one request',
    says: 'only `end_height`: what is not scanned yet up to there, lowest first; never more than 1,000 blocks',
    blocks: 2300,
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.sync({ start_height: 501, end_height: 600 });
      await client.sync({ start_height: 2201, end_height: 2210 });
      const counts: number[] = [];
      for (;;) {
        const answer = await client.sync({ end_height: 2250 });
        counts.push(answer.blocks_scanned);
        if (answer.range_complete) break;
        assert.ok(answer.blocks_scanned > 0, 'it goes on');
        assert.ok(answer.complete === (answer.missing_ranges.length === 0));
      }
      assert.deepEqual(counts, [1000, 1000, 140]);
      const { complete, missing_ranges, as_of_height } = await client.balance();
      assert.deepEqual([complete, missing_ranges, as_of_height], [true, [], 2250]);
    },
  },
  {
    name: 'rescan from a height forgets what is above, keeps the keys, and ends in the same books',
    says: '`POST /api/wallet/rescan` `{from_height?}` (forgets what was scanned, keeps the keys)',
    blocks: 10,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      chain.pay('orchard', 70_000);
      chain.mine(5);
      chain.pay('sapling', 3_000);
      await client.sync();
      const before = [await client.balance(), await client.everyNote(), await client.everyTransaction()];
      await client.rescan({ from_height: 14 });
      assert.equal((await client.config()).last_scan_height, 13);
      const between = await client.balance();
      assert.deepEqual([between.total_zatoshi, between.as_of_height], [70_000, 13]);
      assert.equal((await client.sync()).start_height, 14);
      assert.deepEqual(
        [await client.balance(), await client.everyNote(), await client.everyTransaction()],
        before,
      );
    },
  },
  {
    name: 'the client package walks to the tip and fills the holes by itself',
    says: 'What was skipped stays visible as `missing_ranges` until it is scanned',
    blocks: 60,
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.sync({ start_height: 11, end_height: 15 });
      await client.sync({ start_height: 30, end_height: 40 });
      const companion = createClient({ baseUrl: client.base });
      for await (const step of companion.syncToTip()) assert.ok(step.kind);
      const { complete, missing_ranges, as_of_height } = await client.balance();
      assert.deepEqual([complete, missing_ranges, as_of_height], [true, [], 60]);
    },
  },
];
