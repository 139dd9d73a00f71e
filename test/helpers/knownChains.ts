// Every chain with known answers in one shape: the made-up ones of known-seed, the one that a real node recorded, and
// the synthetic one. Raw and compact blocks are the same blocks.

import { hexToBytes } from '@wallet-companion/base/bytes';
import { summarizeRawBlock } from '@wallet-companion/zcash/blocks';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import type { ActivationHeights } from '@wallet-companion/zcash/network';
import { type Pool, perPool, type TreeSizes } from '@wallet-companion/zcash/pools';
import { readDelimited, readFixtureJson, readRawBlocks } from '@wallet-companion/zcash/test/fixtures';
import { EMPTY_TREES, leafCount } from '@wallet-companion/zcash/trees';
import type { Network } from '../../src/protocol/network.ts';
import { expectedBalance, expectedNotes, readKnownSeed } from './knownSeed.ts';
import { readRecordedNotes } from './recordedNotes.ts';

/** As `GET /api/notes` shows it, without what depends on the memo and the tip. */
export interface KnownNote {
  readonly account: number;
  readonly pool: Pool;
  readonly scope: string;
  readonly value_zatoshi: number;
  readonly height: number;
  readonly txid: string;
  readonly output_index: number;
  readonly position: number;
  readonly nullifier: string | null;
  readonly spent: { readonly txid: string; readonly height: number } | null;
}

/** Totals of accounts 0 and 1 together. */
export type KnownBalance = Readonly<Record<Pool | 'total', number>>;

interface Answers {
  readonly notes: readonly KnownNote[];
  readonly balance: KnownBalance;
}

export interface KnownBranch extends Answers {
  readonly raw: readonly Uint8Array[];
  readonly compact: readonly Uint8Array[];
  readonly tip: number;
}

export interface KnownChain {
  readonly name: string;
  readonly network: Network;
  readonly activationHeights: Partial<ActivationHeights>;
  /** What nodes and compact servers of such a chain call it. */
  readonly chainName: string;
  readonly saplingActivation: number;
  readonly mnemonic: string;
  readonly firstHeight: number;
  readonly treesBefore: TreeSizes;
  readonly main: KnownBranch;
  /** Its blocks follow `forkHeight`; notes and balance are those of the whole chain then. */
  readonly fork: (KnownBranch & { readonly forkHeight: number }) | undefined;
}

function branchOf(raw: readonly Uint8Array[], compact: readonly Uint8Array[], answers: Answers): KnownBranch {
  return { raw, compact, ...answers, tip: summarizeRawBlock(raw.at(-1)!).height };
}

function knownSeedChain(name: 'main' | 'regtest'): KnownChain {
  const seed = readKnownSeed(name);
  const { mnemonic, network, firstHeight, treesBefore, main, reorg } = seed;
  const answers = (chain: typeof main): Answers => ({
    notes: expectedNotes(chain, [0, 1], false).map(({ memo: _, ...note }) => note),
    balance: expectedBalance(chain, chain.tip.height, [0, 1]),
  });
  const compact = (file: string) => readDelimited('known-seed', name, file);
  return {
    name: `known-seed ${name}`,
    network,
    activationHeights: name === 'regtest' ? { nu6_3: firstHeight + 26 } : {},
    chainName: name === 'main' ? 'main' : 'test',
    saplingActivation: name === 'main' ? 419_200 : 1,
    mnemonic,
    firstHeight,
    treesBefore,
    main: branchOf(seed.mainBlocks, compact('compact-main.bin'), answers(main)),
    fork: {
      ...branchOf(seed.reorgBlocks, compact('compact-reorg.bin'), answers(reorg)),
      forkHeight: reorg.lastCommonHeight!,
    },
  };
}

/** Chains from height 1 of a regtest. */
const FROM_THE_START = {
  network: 'regtest',
  chainName: 'test',
  saplingActivation: 1,
  firstHeight: 1,
  treesBefore: EMPTY_TREES,
} as const;

function zebraRecorded(): KnownChain {
  const folder = ['known-seed', 'zebra-recorded'] as const;
  const notes = readRecordedNotes().map(({ value, outputIndex, spentHeight, spentTxid, ...note }) => ({
    ...note,
    value_zatoshi: value,
    output_index: outputIndex,
    spent: spentTxid === null || spentHeight === null ? null : { txid: spentTxid, height: spentHeight },
  }));
  const sum = (pool: Pool): number =>
    notes
      .filter((note) => note.pool === pool && note.spent === null)
      .reduce((total, note) => total + note.value_zatoshi, 0);
  const pools = perPool(sum);
  const balance = { ...pools, total: leafCount(pools) };
  return {
    ...FROM_THE_START,
    name: 'zebra-recorded',
    activationHeights: { nu6_3: 20 },
    mnemonic: readFixtureJson<{ mnemonic: string }>('known-seed', 'regtest', 'keys.json').mnemonic,
    main: branchOf(readRawBlocks(...folder, 'raw-blocks.hex'), readDelimited(...folder, 'compact.bin'), {
      notes,
      balance,
    }),
    fork: undefined,
  };
}

interface SyntheticAnswers {
  readonly received_notes: readonly {
    readonly account: number;
    readonly scope: string;
    readonly pool: Pool;
    readonly height: number;
    /** Wire order in this file. */
    readonly txid: string;
    readonly output_index: number;
    readonly value: string;
    readonly position: number;
    readonly nullifier: string;
  }[];
  readonly spends: readonly { readonly height: number; readonly txid: string; readonly nullifier: string }[];
  readonly balance_after_each_block: readonly Readonly<Record<string, string | number>>[];
}

function synthetic(): KnownChain {
  interface Block {
    readonly raw: string;
    readonly compact: string;
  }
  const chain = readFixtureJson<{
    readonly meta: { readonly mnemonic: string };
    readonly blocks: readonly Block[];
    readonly reorg_blocks: readonly Block[];
    readonly expected: SyntheticAnswers;
    readonly expected_after_reorg: SyntheticAnswers;
  }>('vectors', 'synthetic_chain.json');
  const display = (txid: string): string => toDisplayHex(hexToBytes(txid));
  const answers = ({ received_notes, spends, balance_after_each_block }: SyntheticAnswers): Answers => {
    const last = balance_after_each_block.at(-1)!;
    const sum = (pool: Pool): number =>
      Number(last[`account0_${pool}`] ?? 0) + Number(last[`account1_${pool}`] ?? 0);
    const pools = perPool(sum);
    return {
      balance: { ...pools, total: leafCount(pools) },
      notes: received_notes.map((note) => {
        const spend = spends.find(({ nullifier }) => nullifier === note.nullifier);
        const { account, scope, pool, height, output_index, position, nullifier } = note;
        return {
          ...{ account, scope, pool, height, output_index, position, nullifier },
          txid: display(note.txid),
          value_zatoshi: Number(note.value),
          spent: spend === undefined ? null : { txid: display(spend.txid), height: spend.height },
        };
      }),
    };
  };
  const branch = (blocks: readonly Block[], known: SyntheticAnswers): KnownBranch =>
    branchOf(
      blocks.map(({ raw }) => hexToBytes(raw)),
      blocks.map(({ compact }) => hexToBytes(compact)),
      answers(known),
    );
  return {
    ...FROM_THE_START,
    name: 'synthetic',
    activationHeights: { nu5: 2, nu6: 2, nu6_1: 2, nu6_2: 2, nu6_3: 4 },
    mnemonic: chain.meta.mnemonic,
    main: branch(chain.blocks, chain.expected),
    fork: { ...branch(chain.reorg_blocks, chain.expected_after_reorg), forkHeight: 6 },
  };
}

export const readKnownChains = (): KnownChain[] => [
  knownSeedChain('main'),
  knownSeedChain('regtest'),
  zebraRecorded(),
  synthetic(),
];

/** In a fixed order. */
export const sortedNotes = (notes: readonly KnownNote[]): KnownNote[] =>
  [...notes].sort((a, b) => a.pool.localeCompare(b.pool) || a.position - b.position || a.account - b.account);
