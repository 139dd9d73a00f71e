// Chains whose blocks have transactions of ours: notes of two accounts with memos, spends, outputs that we sent, and
// whatever is somebody else's. Notes take long to make: the transactions are made once and dealt into blocks anew.

import { parseBlock, summarizeRawBlock } from '@wallet-companion/zcash/blocks';
import { compactFromBlock, encodeCompactBlock } from '@wallet-companion/zcash/compactBlocks';
import { type Nullifier, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { textMemo } from '@wallet-companion/zcash/notes';
import { ACTION_POOLS, POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { type ScannedBlock, scanBatch, type TrialDecryptor } from '@wallet-companion/zcash/scan';
import {
  actionBundle,
  actionWith,
  blockWith,
  saplingBundle,
  saplingOutputWith,
  seededBytes,
  testAccount,
  transactionWith,
} from '@wallet-companion/zcash/test/noteMaker';
import { scanHeights } from '@wallet-companion/zcash/test/perPool';
import { packBatch } from '@wallet-companion/zcash/test/scanning';
import { parseTransaction, txid } from '@wallet-companion/zcash/transactions';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import type { ScanKeys } from '../../src/actors/wallet/ports/scanPool.ts';

export const FIRST_HEIGHT = 100;
const HEIGHTS = scanHeights();

export interface OwnBlock {
  readonly height: number;
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
  readonly transactions: ReadonlyMap<string, Uint8Array>;
}

export interface OwnTransactions {
  readonly keys: ScanKeys;
  /** Serialized; a spend comes after what it spends. */
  readonly transactions: readonly Uint8Array[];
  /** A block for each list of transactions, by their indexes; `prevHash` of the first one. */
  chain(dealt: readonly (readonly number[])[], from?: number, prevHash?: Uint8Array): OwnBlock[];
  /** As a scan finds them. */
  scanned(blocks: readonly OwnBlock[], format: 'raw' | 'compact'): ScannedBlock[];
}

/** `count` transactions that receive, and as many that spend what one of them received. */
export function makeOwnTransactions(seed: number, count: number, decryptor: TrialDecryptor): OwnTransactions {
  const random = seededBytes(seed);
  const draw = <T>(choices: readonly T[]): T => choices[random(1)[0]! % choices.length]!;
  const protocols = ['sapling', 'orchard'] as const;
  const ours = [0, 1].flatMap((account) =>
    (['external', 'internal'] as const).flatMap((scope) =>
      protocols.map((protocol) => {
        const { incoming, outgoing, address } = testAccount(protocol, account, random);
        return { incoming: { ...incoming, scope }, outgoing: { ...outgoing, scope }, address };
      }),
    ),
  );
  const strangers = protocols.map((protocol) => testAccount(protocol, 9, random));
  const keys: ScanKeys = {
    incoming: ours.map(({ incoming }) => incoming),
    outgoing: ours.map(({ outgoing }) => outgoing),
    heights: HEIGHTS,
  };
  let memos = 0;
  const output = (pool: Pool, recipients: readonly (typeof strangers)[number][], nullifier?: Nullifier) => {
    const fits = ({ incoming }: (typeof strangers)[number]): boolean =>
      incoming.protocol === POOL[pool].protocol;
    const options = {
      recipient: draw(recipients.filter(fits)).address(),
      value: BigInt(1000 + memos),
      memo: textMemo(`memo ${memos++}`),
      // Of any pool: it is that of the one that pays.
      ovk: draw([...[...ours, ...strangers].map(({ outgoing }) => outgoing.ovk), null]),
    };
    const made =
      pool === 'sapling' ? saplingOutputWith(options, random) : actionWith(pool, options, random, nullifier);
    // A wrong tag loses the memo.
    if (random(1)[0]! % 8 === 0) made.encCiphertext[579]! ^= 1;
    return made;
  };
  type Made = ReturnType<typeof output>;
  const transaction = (made: Partial<Record<Pool, readonly Made[]>>): Uint8Array =>
    transactionWith(6, {
      sapling: saplingBundle([], (made.sapling ?? []) as ReturnType<typeof saplingOutputWith>[]),
      orchard: actionBundle((made.orchard ?? []) as ReturnType<typeof actionWith>[]),
      ironwood: actionBundle((made.ironwood ?? []) as ReturnType<typeof actionWith>[]),
    });
  const anybody = [...ours, ...strangers];
  const some = (pool: Pool): Made[] => Array.from({ length: random(1)[0]! % 3 }, () => output(pool, anybody));

  const chain: OwnTransactions['chain'] = (dealt, from = FIRST_HEIGHT, prevHash = new Uint8Array(32)) => {
    let previous = prevHash;
    return dealt.map((indexes, i) => {
      const inBlock = indexes.map((index) => transactions[index]!);
      const bytes = blockWith(from + i, previous, inBlock);
      previous = summarizeRawBlock(bytes).hash;
      const byId = parseBlock(bytes).transactions.map(({ bytes: own }) => [idOf(own), own] as const);
      return { height: from + i, bytes, hash: previous, transactions: new Map(byId) };
    });
  };
  const scanned: OwnTransactions['scanned'] = (blocks, format) => {
    const packed = blocks.map(({ bytes, height }) =>
      format === 'raw' ? bytes : encodeCompactBlock(compactFromBlock(parseBlock(bytes), height, undefined)),
    );
    return scanBatch(packBatch(format, packed, EMPTY_TREES), keys.incoming, HEIGHTS, decryptor);
  };

  const transactions = Array.from({ length: count }, () =>
    transaction({
      sapling: some('sapling'),
      orchard: [...some('orchard'), output('orchard', ours)],
      ironwood: some('ironwood'),
    }),
  );
  const received = scanned(chain(transactions.map((_, index) => [index])), 'raw').flatMap(
    ({ notes }) => notes,
  );
  const spendable = ACTION_POOLS.flatMap((pool) =>
    received.filter((note) => note.pool === pool).map(({ nullifier }) => ({ pool, nullifier: nullifier! })),
  );
  for (const { pool, nullifier } of spendable.slice(0, count)) {
    const others = POOLS.filter((other) => other !== pool && random(1)[0]! % 2 === 0);
    transactions.push(
      transaction({
        [pool]: [output(pool, strangers, nullifier)],
        ...Object.fromEntries(others.map((other) => [other, some(other)])),
      }),
    );
  }
  return { keys, transactions, chain, scanned };
}

const idOf = (bytes: Uint8Array): string => txIdToHex(txid(parseTransaction(bytes)));
