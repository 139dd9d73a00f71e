// The made-up chains with known answers (packages/zcash/test/fixtures/known-seed), and their answers in the shapes of the API.

import { type Pool, perPool, type TreeSizes } from '@wallet-companion/zcash/pools';
import {
  readDelimited,
  readFixtureJson,
  readFixtureLines,
  readRawBlocks,
} from '@wallet-companion/zcash/test/fixtures';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import type { Network } from '../../src/protocol/network.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { FixtureCompactServer } from './fixtureCompactServer.ts';
import { FixtureNode } from './fixtureNode.ts';

interface ExpectedNote {
  readonly pool: Pool;
  readonly account: number;
  readonly scope: 'external' | 'internal';
  readonly value: string;
  readonly height: number;
  readonly txid: string;
  readonly outputIndex: number;
  readonly position: number;
  readonly nullifier: string;
  readonly diversifierIndex: number | null;
  readonly memoHex: string | null;
  readonly memoText: string | null;
  readonly spentHeight: number | null;
  readonly spentTxid: string | null;
}

type PoolSums = Readonly<Partial<Record<Pool | 'total', string>>>;

export interface ExpectedChain {
  readonly tip: { readonly height: number; readonly hash: string };
  readonly notes: readonly ExpectedNote[];
  readonly blocks: readonly { readonly height: number; readonly hash: string }[];
  readonly balanceAfterHeight: readonly {
    readonly height: number;
    readonly accounts: Readonly<Record<string, PoolSums>>;
  }[];
  readonly lastCommonHeight?: number;
  readonly treeStateBeforeFirstBlock?: Record<string, unknown>;
  readonly activation?: Record<string, number>;
}

export interface KnownSeed {
  readonly network: Network;
  readonly mnemonic: string;
  readonly accounts: readonly {
    readonly ufvk: string;
    readonly uivk: string;
    readonly defaultAddress: string;
    readonly shieldedAddress: string;
    readonly saplingAddress: string;
  }[];
  readonly main: ExpectedChain;
  readonly reorg: ExpectedChain;
  readonly firstHeight: number;
  readonly mainBlocks: readonly Uint8Array[];
  readonly reorgBlocks: readonly Uint8Array[];
  readonly treesBefore: TreeSizes;
}

export function readKnownSeed(name: 'main' | 'regtest'): KnownSeed {
  const folder = ['known-seed', name] as const;
  const keys = readFixtureJson<Pick<KnownSeed, 'network' | 'mnemonic' | 'accounts'>>(...folder, 'keys.json');
  const main = readFixtureJson<ExpectedChain>(...folder, 'expected-main.json');
  return {
    ...keys,
    main,
    reorg: readFixtureJson<ExpectedChain>(...folder, 'expected-reorg.json'),
    firstHeight: main.blocks[0]!.height,
    mainBlocks: readRawBlocks(...folder, 'raw-blocks-main.hex'),
    reorgBlocks: readRawBlocks(...folder, 'raw-blocks-reorg.hex'),
    treesBefore: poolSizes({ sapling: 37, orchard: 21 }),
  };
}

export const startKnownSeedNode = (seed: KnownSeed): Promise<FixtureNode> =>
  FixtureNode.start({
    chain: seed.network === 'main' ? 'main' : 'test',
    firstHeight: seed.firstHeight,
    blocks: seed.mainBlocks,
    treesBefore: seed.treesBefore,
  });

export const startKnownSeedCompactServer = ({ network }: KnownSeed): Promise<FixtureCompactServer> =>
  FixtureCompactServer.start({
    blocks: readDelimited('known-seed', network, 'compact-main.bin'),
    info:
      network === 'main'
        ? { chainName: 'main', saplingActivationHeight: 419_200n }
        : { chainName: 'test', saplingActivationHeight: 1n },
  });

/** What `GET /api/notes` must list for these accounts, in a fixed order. */
export function expectedNotes(chain: ExpectedChain, accounts: readonly number[], withMemos = true) {
  return sortNotes(
    chain.notes
      .filter((note) => accounts.includes(note.account))
      .map((note) => ({
        account: note.account,
        pool: note.pool,
        scope: note.scope,
        value_zatoshi: Number(note.value),
        height: note.height,
        txid: note.txid,
        output_index: note.outputIndex,
        position: note.position,
        nullifier: note.nullifier,
        memo: withMemos ? memoOf(note) : null,
        spent: note.spentHeight === null ? null : { txid: note.spentTxid ?? '', height: note.spentHeight },
      })),
  );
}

export function shownNotes(notes: Output<'notes.list'>['notes'], withMemos = true) {
  return sortNotes(
    notes.map(
      ({
        diversifier_index: _,
        confirmations: __,
        label: ___,
        spent_unconfirmed: ____,
        reserved_by: _____,
        verified_with: ______,
        memo,
        ...note
      }) => ({
        ...note,
        memo: withMemos ? memo : null,
      }),
    ),
  );
}

const memoOf = ({ memoText, memoHex }: ExpectedNote) => {
  if (memoText !== null) return { text: memoText };
  return memoHex === null || memoHex === 'f6' ? null : { hex: memoHex.padEnd(1024, '0') };
};

const sortNotes = <
  T extends { height: number; txid: string; pool: string; output_index: number; account: number },
>(
  notes: T[],
): T[] =>
  notes.sort(
    (a, b) =>
      a.height - b.height ||
      a.txid.localeCompare(b.txid) ||
      a.pool.localeCompare(b.pool) ||
      a.output_index - b.output_index ||
      a.account - b.account,
  );

/** Balance after a height, summed over accounts, in the API's shape. */
export function expectedBalance(chain: ExpectedChain, height: number, accounts: readonly number[]) {
  const entry = chain.balanceAfterHeight.find((candidate) => candidate.height === height);
  const sum = (pool: keyof PoolSums) =>
    accounts.reduce((total, account) => total + Number(entry?.accounts[String(account)]?.[pool] ?? 0), 0);
  return { total: sum('total'), ...perPool(sum) };
}

export const shownBalance = ({ total_zatoshi, pools }: Output<'balance.get'>) => ({
  total: total_zatoshi,
  ...perPool((pool) => pools[pool].total_zatoshi),
});

export interface RecordedTransaction {
  readonly txid: string;
  readonly height: number | null;
  readonly branch: string;
  readonly spendsNotes: readonly unknown[];
  readonly sentOutputs: readonly {
    readonly pool: string;
    readonly outputIndex: number;
    readonly fromAccount: number;
    readonly value: string;
    readonly rawAddress: string;
    readonly recoverableWithOvk: string | null;
  }[];
}

export const readTransactions = (name: 'main' | 'regtest'): RecordedTransaction[] =>
  readFixtureLines('known-seed', name, 'transactions.jsonl').map(
    (line) => JSON.parse(line) as RecordedTransaction,
  );
