// A made-up chain that knows the truth: blocks with notes of ours and their spends, on any number of branches.

import { createHash } from 'node:crypto';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { asBlockHash, asNullifier, asTxId } from '@wallet-companion/zcash/identifiers';
import type { FoundNote, ScannedBlock } from '@wallet-companion/zcash/scan';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';

export interface MadeNote {
  readonly account: number;
  readonly value: number;
}

/** One block to be: notes paid to accounts, and which of the unspent notes (counted from the newest) it spends. */
export interface Made {
  readonly notes: readonly MadeNote[];
  readonly spends: readonly number[];
}

export interface WorldBlock {
  readonly scanned: ScannedBlock;
  readonly parent: WorldBlock | undefined;
  /** Unspent after it, oldest first. */
  readonly unspent: readonly FoundNote[];
}

const digest = (...parts: readonly (string | number)[]): Uint8Array =>
  new Uint8Array(createHash('sha256').update(parts.join(':')).digest());

const FIRST_HEIGHT = 1;

/** Every block that was ever made, whichever server has it. */
export class Blocks {
  readonly #byHash = new Map<string, WorldBlock>();

  get count(): number {
    return this.#byHash.size;
  }

  add(block: WorldBlock): void {
    this.#byHash.set(bytesToHex(block.scanned.hash), block);
  }

  named(hash: Uint8Array): WorldBlock {
    const block = this.#byHash.get(bytesToHex(hash));
    if (block === undefined) throw new Error('no such block');
    return block;
  }
}

/** One server's chain. */
export class World {
  /** Best chain, from height 1. */
  chain: WorldBlock[] = [];
  readonly #blocks: Blocks;

  constructor(blocks: Blocks) {
    this.#blocks = blocks;
  }

  get tip(): number {
    return this.chain.length;
  }

  at(height: number): WorldBlock | undefined {
    return this.chain[height - FIRST_HEIGHT];
  }

  mine(blocks: readonly Made[]): void {
    for (const made of blocks) this.chain.push(this.#next(made));
  }

  /** The best chain loses its top and grows another one. */
  reorganise(depth: number, blocks: readonly Made[]): void {
    this.chain = this.chain.slice(0, Math.max(0, this.chain.length - depth));
    this.mine(blocks);
  }

  #next({ notes, spends }: Made): WorldBlock {
    const parent = this.chain.at(-1);
    const height = this.chain.length + FIRST_HEIGHT;
    const id = this.#blocks.count;
    const txid = asTxId(digest('tx', id));
    const leavesBefore = parent?.scanned.treeSizes.orchard ?? 0;
    const made = notes.map(
      ({ account, value }, outputIndex): FoundNote => ({
        pool: 'orchard',
        account,
        scope: 'external',
        value,
        height,
        txid,
        txIndex: 1,
        outputIndex,
        position: leavesBefore + outputIndex,
        nullifier: asNullifier(digest('nf', id, outputIndex)),
        diversifier: new Uint8Array(11),
        diversifierIndex: 0n,
        memo: new Uint8Array(512),
      }),
    );
    const unspent = [...(parent?.unspent ?? []), ...made];
    const spent: FoundNote[] = [];
    for (const spend of spends) {
      if (unspent.length === 0) break;
      spent.push(...unspent.splice(unspent.length - 1 - (spend % unspent.length), 1));
    }
    const block: WorldBlock = {
      parent,
      unspent,
      scanned: {
        height,
        hash: asBlockHash(digest('block', id)),
        prevHash: parent?.scanned.hash ?? asBlockHash(new Uint8Array(32)),
        time: 1_700_000_000 + height,
        treeSizes: poolSizes({ orchard: leavesBefore + made.length }),
        outputCount: made.length,
        notes: made,
        nullifiers: spent.map((note, i) => ({
          pool: 'orchard',
          txIndex: 2 + i,
          txid: asTxId(digest('spend', id, i)),
          nullifiers: note.nullifier!,
        })),
      },
    };
    this.#blocks.add(block);
    return block;
  }
}

/** What accounts with these birthdays own after the block, as `nullifier: value`. */
export function trueNotes(
  block: WorldBlock | undefined,
  birthdays: ReadonlyMap<number, number>,
): Map<string, number> {
  const ours = (block?.unspent ?? []).filter(
    ({ account, height }) => height >= (birthdays.get(account) ?? Infinity),
  );
  return new Map(ours.map((note) => [bytesToHex(note.nullifier!), note.value]));
}
