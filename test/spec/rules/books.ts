// What somebody who keeps books from the answers would add up: balance, notes, transactions and scan results have
// to tell one story, at every moment and after every order of scanning.
import assert from 'node:assert/strict';
import type { Client } from '../client.ts';
import { refusal } from '../client.ts';
import { PASSWORD, type Rule, restored } from '../world.ts';

/** The three lists tell one sum. */
export async function agree(client: Client): Promise<number> {
  const balance = await client.balance();
  const notes = await client.everyNote();
  const unspent = await client.everyNote('?unspent=true');
  const sum = (of: typeof notes) => of.reduce((total, note) => total + note.value_zatoshi, 0);
  assert.equal(sum(unspent), balance.total_zatoshi, 'unspent notes and balance');
  assert.deepEqual(
    unspent,
    notes.filter((note) => note.spent === null),
    'unspent=true is a filter',
  );
  assert.equal(balance.note_count, unspent.length, 'note_count');
  const transactions = await client.everyTransaction();
  const net = transactions.reduce((total, entry) => total + entry.received_zatoshi - entry.spent_zatoshi, 0);
  assert.equal(net, balance.total_zatoshi, 'transactions and balance');
  assert.equal(
    transactions.reduce((total, entry) => total + entry.received_zatoshi, 0),
    sum(notes),
    'received and notes',
  );
  for (const note of notes) {
    if (note.spent === null) continue;
    const spender = transactions.find(({ txid }) => txid === note.spent?.txid);
    assert.equal(spender?.height, note.spent.height, 'the spending transaction is listed');
  }
  const status = await client.config();
  if (balance.as_of_height !== null) assert.equal(balance.as_of_height, status.last_scan_height);
  return balance.total_zatoshi;
}

export const books: readonly Rule[] = [
  {
    name: 'before anything was scanned the balance is unknown, not zero',
    says: 'Before anything was scanned both `as_of` are null and `complete` is false',
    blocks: 20,
    async check(world) {
      await restored(world);
      const balance = await world.client.balance();
      assert.deepEqual([balance.as_of_height, balance.as_of_hash, balance.complete], [null, null, false]);
      await world.client.sync();
      await world.client.rescan();
      const again = await world.client.balance();
      assert.deepEqual([again.as_of_height, again.as_of_hash, again.complete], [null, null, false]);
      assert.equal((await world.client.config()).last_scan_height, 0);
    },
  },
  {
    name: 'balance, notes, transactions and scan counts agree after each step',
    says: 'total = unspent mined notes; pending = those below `min_confirmations`',
    blocks: 10,
    ironwoodFrom: 13,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      const first = chain.pay('sapling', 100_000);
      chain.pay('orchard', 2_000_000);
      chain.pay('ironwood', 30_000_000);
      const answer = await client.sync();
      assert.deepEqual([answer.notes_found, answer.notes_new, answer.notes_spent], [3, 3, 0]);
      assert.equal(await agree(client), 32_100_000);
      chain.spend(first);
      const spent = await client.sync();
      assert.deepEqual([spent.notes_found, spent.notes_new, spent.notes_spent], [1, 1, 1]);
      assert.equal(await agree(client), 32_000_000);
      assert.equal((await client.balance()).pools.sapling.total_zatoshi, 0);
      const listed = (await client.transactions()).transactions;
      assert.equal(listed.length, 4);
    },
  },
  {
    name: 'scanning a range again finds the same notes, new ones none, and changes nothing',
    says: '`notes_found` counts what the range holds, `notes_new` what was not known; twice changes nothing',
    blocks: 10,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      const paid = chain.pay('orchard', 70_000);
      chain.pay('sapling', 900);
      chain.spend(paid);
      const tip = chain.tip();
      const first = await client.sync({ start_height: 1, end_height: tip });
      const books = [await client.everyNote(), await client.everyTransaction(), await client.balance()];
      const again = await client.sync({ start_height: 1, end_height: tip });
      assert.equal(again.blocks_scanned, tip, 'an explicit range is always scanned');
      assert.deepEqual([first.notes_found, first.notes_new], [3, 3]);
      assert.deepEqual([again.notes_found, again.notes_new], [3, 0]);
      assert.deepEqual(
        [await client.everyNote(), await client.everyTransaction(), await client.balance()],
        books,
      );
    },
  },
  {
    name: 'ranges in any order give the books of scanning in order, spends in the same block included',
    says: 'The balance after scanning ranges in any order equals that after scanning in order',
    blocks: 10,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      const first = chain.pay('orchard', 110_000);
      chain.mine(5);
      chain.pay('sapling', 2_200);
      chain.payAndSpend(33_000);
      chain.mine(5);
      chain.spend(first);
      const tip = chain.tip();
      for (let end = tip; end > 0; end -= 4) {
        const answer = await client.sync({ start_height: Math.max(1, end - 3), end_height: end });
        if (answer.complete) assert.ok(end <= 4, 'complete while blocks are missing');
        await agree(client);
      }
      assert.equal((await client.balance()).complete, true);
      const backwards = [await client.everyNote(), await client.everyTransaction(), await client.balance()];
      await client.rescan();
      await client.syncUntilCaughtUp();
      const forwards = [await client.everyNote(), await client.everyTransaction(), await client.balance()];
      assert.deepEqual(backwards, forwards);
      assert.equal(await agree(client), 2_200);
    },
  },
  {
    name: 'confirmations and pending follow min_confirmations',
    says: 'pending = those below `min_confirmations` (default 1)',
    blocks: 10,
    async check(world) {
      const edited = await world.restart(() => world.writeConfig({ min_confirmations: 3 }));
      const { client, chain } = edited;
      await restored(edited);
      chain.pay('orchard', 5_000);
      for (const [confirmations, pending] of [
        [1, 5_000],
        [2, 5_000],
        [3, 0],
      ]) {
        await client.sync();
        const balance = await client.balance();
        assert.deepEqual(
          [balance.pending_zatoshi, balance.confirmed_zatoshi],
          [pending, 5_000 - Number(pending)],
        );
        assert.equal((await client.notes()).notes[0]?.confirmations, confirmations);
        chain.mine(1);
      }
    },
  },
  {
    name: 'pages join to the whole list whatever their size, in both lists',
    says: '`GET /api/notes` (`?account=&pool=&unspent=&limit=&cursor=`, limit <= 1000)',
    blocks: 10,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      for (let at = 0; at < 7; at++) chain.pay(at % 2 === 0 ? 'orchard' : 'sapling', 100 + at);
      chain.pay('orchard', 0);
      await client.sync();
      const notes = await client.everyNote();
      assert.equal(notes.length, 8, 'zero-value notes included');
      const transactions = await client.everyTransaction();
      for (const limit of [1, 2, 3, 8, 1000]) {
        assert.deepEqual(await client.everyNote(`?limit=${limit}`), notes);
        assert.deepEqual(await client.everyTransaction(`?limit=${limit}`), transactions);
      }
      const sapling = await client.everyNote('?pool=sapling&limit=1');
      assert.deepEqual(
        sapling,
        notes.filter((note) => note.pool === 'sapling'),
      );
      const page = await client.notes('?limit=2');
      assert.equal(page.notes.length, 2);
      chain.pay('orchard', 77);
      await client.sync();
      const rest = await client.everyNote('?limit=2', page.next_cursor);
      const keys = [...page.notes, ...rest].map((note) => `${note.txid}${note.output_index}`);
      assert.equal(new Set(keys).size, keys.length, 'no note twice while the list grows');
      for (const note of notes) assert.ok(keys.includes(`${note.txid}${note.output_index}`), 'no note lost');
    },
  },
  {
    name: 'an account added later makes the balance incomplete until its ranges are closed',
    says: 'An account added later has its own scanned ranges, and the balance is not `complete` until they are closed',
    blocks: 30,
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.sync();
      // The scan of a restored phrase has looked at account 1 already.
      await client.addAccount({ password: PASSWORD });
      assert.equal((await client.balance()).complete, true);
      await client.addAccount({ password: PASSWORD });
      const open = await client.balance();
      assert.equal(open.complete, false);
      assert.ok(open.missing_ranges.length > 0, 'what is missing is said');
      assert.equal((await client.balance('?account=0')).complete, true);
      const plain = await client.sync();
      assert.equal(plain.complete, (await client.balance()).complete, 'sync and balance agree');
      const closed = await client.sync({ end_height: 30 });
      assert.equal(closed.complete, true);
      assert.equal((await client.balance()).complete, true);
      const parts = await Promise.all([0, 1, 2].map((account) => client.balance(`?account=${account}`)));
      const whole = await client.balance();
      for (const field of ['total_zatoshi', 'confirmed_zatoshi', 'pending_zatoshi', 'note_count'] as const) {
        assert.equal(
          parts.reduce((sum, part) => sum + part[field], 0),
          whole[field],
          field,
        );
      }
      assert.match((await refusal(client.balance('?account=7'))).code, /NOT_FOUND|INVALID_REQUEST/);
    },
  },
  {
    name: 'addresses: the lowest index by default, a new one with each POST, none reserved by GET',
    says: '`GET /api/address` never reserves and `POST /api/address` (the next unused index)',
    blocks: 5,
    async check(world) {
      const { client } = world;
      await restored(world);
      const first = await client.address();
      assert.deepEqual(await client.address(), first);
      const { warning, ...next } = await client.nextAddress();
      assert.match(String(warning), /may have been paid before/, 'nothing was scanned');
      assert.ok(Number(next.diversifier_index) > Number(first.diversifier_index));
      assert.notEqual(next.unified_address, first.unified_address);
      const third = await client.nextAddress();
      assert.ok(Number(third.diversifier_index) > Number(next.diversifier_index));
      assert.deepEqual(await client.address(`?diversifier_index=${next.diversifier_index}`), next);
      const unlocked = await client.unlock({ password: PASSWORD });
      assert.equal(unlocked.unified_address, first.unified_address);
    },
  },
];
