// Chains that others made: 127 blocks of a real node, and eight made by independent code with traps in them.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { fromDisplayHex } from '@wallet-companion/zcash/identifiers';
import type { Pool } from '@wallet-companion/zcash/pools';
import { readFixtureJson, readRawBlocks } from '@wallet-companion/zcash/test/fixtures';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { FixtureNode } from '../../helpers/fixtureNode.ts';
import { inRecordedForm, readRecordedNotes } from '../../helpers/recordedNotes.ts';
import { PASSWORD, startWallet } from '../../helpers/walletHarness.ts';

const byPlace = (a: { pool: string; position: number }, b: { pool: string; position: number }) =>
  a.pool.localeCompare(b.pool) || a.position - b.position;

test('a real node’s chain gives the notes that an independent reader found', async (t) => {
  const { mnemonic } = readFixtureJson<{ mnemonic: string }>('known-seed', 'regtest', 'keys.json');
  const node = await FixtureNode.start({
    chain: 'test',
    firstHeight: 1,
    blocks: readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex'),
    treesBefore: EMPTY_TREES,
  });
  t.teardown(() => node.stop());
  const wallet = await startWallet(t, {
    config: { network: 'regtest', node_url: node.url, activation_heights: { nu6_3: 20 } },
  });
  await wallet.call('wallet.restore', { mnemonic, password: PASSWORD });
  await wallet.call('accounts.create', { password: PASSWORD });
  const summary = await wallet.call('sync.run');
  t.like(summary, { start_height: 1, caught_up: true, complete: true, accounts_searched: 3 });
  const { notes } = await wallet.call('notes.list', { limit: 1000 });
  t.deepEqual(inRecordedForm(notes), readRecordedNotes());
  t.true(notes.some(({ memo }) => memo?.text === 'ironwood to account one'));
});

interface SyntheticChain {
  readonly meta: { readonly mnemonic: string };
  readonly blocks: readonly { readonly raw: string }[];
  readonly reorg_blocks: readonly { readonly height: number; readonly raw: string }[];
  readonly expected: SyntheticAnswers;
  readonly expected_after_reorg: SyntheticAnswers;
}

interface SyntheticAnswers {
  readonly received_notes: readonly {
    readonly account: number;
    readonly scope: string;
    readonly pool: Pool;
    readonly height: number;
    readonly txid: string;
    readonly output_index: number;
    readonly value: string;
    readonly memo_text: string | null;
    readonly diversifier_index: number | string;
    readonly position: number;
    readonly nullifier: string;
  }[];
  readonly balance_after_each_block: readonly Readonly<Record<string, string | number>>[];
  readonly sent_notes_recoverable_with_external_ovk: readonly {
    readonly value: string;
    readonly memo_text: string | null;
  }[];
}

test('the synthetic chain: notes, balance after every block, both branches, no trap taken', async (t) => {
  const chain = readFixtureJson<SyntheticChain>('vectors', 'synthetic_chain.json');
  const main = chain.blocks.map(({ raw }) => hexToBytes(raw));
  const node = await FixtureNode.start({
    chain: 'test',
    firstHeight: 1,
    blocks: main,
    treesBefore: EMPTY_TREES,
  });
  t.teardown(() => node.stop());
  const wallet = await startWallet(t, {
    config: {
      network: 'regtest',
      node_url: node.url,
      activation_heights: { nu5: 2, nu6: 2, nu6_1: 2, nu6_2: 2, nu6_3: 4 },
    },
  });
  await wallet.call('wallet.restore', { mnemonic: chain.meta.mnemonic, password: PASSWORD });
  await wallet.call('accounts.create', { password: PASSWORD });

  const compare = async (answers: SyntheticAnswers) => {
    const { notes } = await wallet.call('notes.list', { limit: 1000 });
    t.deepEqual(
      notes
        .map((note) => ({
          account: note.account,
          scope: note.scope as string,
          pool: note.pool,
          height: note.height,
          // This file gives txids in wire order.
          txid: bytesToHex(fromDisplayHex(note.txid)),
          output_index: note.output_index,
          value: String(note.value_zatoshi),
          memo_text: note.memo?.text ?? null,
          diversifier_index: note.diversifier_index,
          position: note.position,
          nullifier: note.nullifier,
        }))
        .sort(byPlace),
      answers.received_notes
        .map(
          ({
            account,
            scope,
            pool,
            height,
            txid,
            output_index,
            value,
            memo_text,
            diversifier_index,
            position,
            nullifier,
          }) => ({
            account,
            scope,
            pool,
            height,
            txid,
            output_index,
            value,
            memo_text,
            diversifier_index: String(diversifier_index),
            position,
            nullifier,
          }),
        )
        .sort(byPlace),
    );
    const { transactions } = await wallet.call('transactions.list', { limit: 1000 });
    t.deepEqual(
      transactions
        .flatMap(({ sent_outputs }) => sent_outputs.filter(({ scope }) => scope === 'external'))
        .map(({ value_zatoshi, memo }) => `${value_zatoshi} ${memo?.text ?? null}`)
        .sort(),
      answers.sent_notes_recoverable_with_external_ovk
        .map(({ value, memo_text }) => `${value} ${memo_text}`)
        .sort(),
    );
  };
  const compareBalance = async (expected: Readonly<Record<string, string | number>>) => {
    for (const account of [0, 1]) {
      const { pools } = await wallet.call('balance.get', { account });
      for (const pool of ['sapling', 'orchard', 'ironwood'] as const) {
        t.is(
          String(pools[pool].total_zatoshi),
          String(expected[`account${account}_${pool}`]),
          `${pool} ${account}`,
        );
      }
    }
  };

  for (const [i, balance] of chain.expected.balance_after_each_block.entries()) {
    await wallet.call('sync.run', { end_height: i + 1 });
    await compareBalance(balance);
  }
  await compare(chain.expected);
  node.reorg(
    6,
    chain.reorg_blocks.map(({ raw }) => hexToBytes(raw)),
  );
  t.like(await wallet.call('sync.run'), { reorg: { fork_height: 6, depth: 2 }, caught_up: true });
  await compareBalance(chain.expected_after_reorg.balance_after_each_block.at(-1)!);
  await compare(chain.expected_after_reorg);
});
