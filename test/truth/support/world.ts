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
  /** Of change in a pool that only pays out: where the money came into the pool. */
  readonly #paidAt = new Map<string, number>();

  get count(): number {
    return this.#byHash.size;
  }

  add(block: WorldBlock): void {
    this.#byHash.set(bytesToHex(block.scanned.hash), block);
  }

  changed(note: FoundNote, paidAt: number): void {
    this.#paidAt.set(bytesToHex(note.nullifier!), paidAt);
  }

  paidAt(nullifier: string, height: number): number {
    return this.#paidAt.get(nullifier) ?? height;
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
  /**
   * From here on Orchard only pays out, and is spent first: who spends there may have change there, others are paid in Ironwood.
   */
  readonly #withdrawOnlyFrom: number;

  constructor(blocks: Blocks, withdrawOnlyFrom = Infinity) {
    this.#blocks = blocks;
    this.#withdrawOnlyFrom = withdrawOnlyFrom;
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
    const treeSizes = { ...(parent?.scanned.treeSizes ?? poolSizes({})) };
    const before = parent?.unspent ?? [];
    const isDraining = height >= this.#withdrawOnlyFrom;
    const inOrchard = (at: number) => before[at]?.pool === 'orchard';
    const left = [...before.keys(), ...notes.map((_, i) => before.length + i)];
    const taken: number[] = [];
    const change: MadeNote[] = [];
    for (const spend of spends) {
      if (left.length === 0) break;
      const draining = isDraining ? left.filter(inOrchard) : [];
      const from = draining.length > 0 ? draining : left;
      const at = from[from.length - 1 - (spend % from.length)]!;
      taken.push(...left.splice(left.indexOf(at), 1));
      if (draining.length > 0 && spend % 3 !== 0) change.push(before[at]!);
    }
    const drawn = taken.filter(inOrchard).map((at) => before[at]!);
    const made = [...change, ...notes].map(({ account, value }, outputIndex): FoundNote => {
      const sources = drawn.filter((note) => note.account === account);
      const pool = !isDraining || sources.length > 0 ? 'orchard' : 'ironwood';
      const note: FoundNote = {
        pool,
        account,
        scope: 'external',
        value,
        height,
        txid,
        txIndex: 1,
        outputIndex,
        position: treeSizes[pool]++,
        nullifier: asNullifier(digest('nf', id, outputIndex)),
        diversifier: new Uint8Array(11),
        diversifierIndex: 0n,
        memo: new Uint8Array(512),
      };
      const paidAt = sources.map((source) =>
        this.#blocks.paidAt(bytesToHex(source.nullifier!), source.height),
      );
      if (isDraining && pool === 'orchard') this.#blocks.changed(note, Math.max(...paidAt));
      return note;
    });
    const all = [...before, ...made.slice(change.length)];
    const unspent = [...left.map((at) => all[at]!), ...made.slice(0, change.length)];
    const spent = taken.map((at) => all[at]!);
    const block: WorldBlock = {
      parent,
      unspent,
      scanned: {
        height,
        hash: asBlockHash(digest('block', id)),
        prevHash: parent?.scanned.hash ?? asBlockHash(new Uint8Array(32)),
        time: 1_700_000_000 + height,
        treeSizes,
        outputCount: made.length,
        notes: made,
        nullifiers: spent.map((note, i) => ({
          pool: note.pool,
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

/** What accounts with these birthdays own after the block, as `nullifier: value`, of money that was paid since. */
export function trueNotes(
  block: WorldBlock | undefined,
  birthdays: ReadonlyMap<number, number>,
  blocks = new Blocks(),
): Map<string, number> {
  const ours = (block?.unspent ?? []).filter(
    ({ account, height, nullifier }) =>
      blocks.paidAt(bytesToHex(nullifier!), height) >= (birthdays.get(account) ?? Infinity),
  );
  return new Map(ours.map((note) => [bytesToHex(note.nullifier!), note.value]));
}
