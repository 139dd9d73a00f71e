// One chain with a node and a compact server of its own. It knows after each of its blocks, on any branch, which notes
// the wallet has received and where each was spent.

import { createHash } from 'node:crypto';
import { concatBytes } from '@wallet-companion/base/bytes';
import { Devnet } from '@wallet-companion/devnet';
import { MinedBlock, TreeStates } from '@wallet-companion/devnet/chain';
import { CompactServer, NodeServer } from '@wallet-companion/devnet/servers';
import { blockHashToHex, nullifierToHex } from '@wallet-companion/zcash/identifiers';
import { type PerPool, type Pool, perPool } from '@wallet-companion/zcash/pools';
import { addLeaves } from '@wallet-companion/zcash/trees';
import type { Made } from '../world.ts';
import { PARAMETERS } from './invoices.ts';
import { type KnownTransaction, type PaidNote, payments } from './payments.ts';

export interface TrueNote {
  readonly name: string;
  readonly account: number;
  readonly pool: Pool;
  readonly value: number;
  readonly height: number;
  /** The time of its block, in seconds since 1970. */
  readonly time: number;
  readonly txid: string;
  readonly position: number;
  readonly nullifier: string;
  readonly spent: { readonly txid: string; readonly height: number } | null;
  readonly paid: PaidNote;
}

/** In the order of the chain. */
export type TrueNotes = readonly TrueNote[];

export type TrueLeaves = PerPool<readonly Uint8Array[]>;

export const nameOf = (note: {
  readonly txid: string;
  readonly pool: Pool;
  readonly output_index: number;
  readonly account: number;
}): string => `${note.txid}:${note.pool}:${note.output_index}:${note.account}`;

/** After every block that was ever mined, by hash. */
export class Truth {
  readonly #after = new Map<string, { readonly notes: TrueNotes; readonly leaves: TrueLeaves }>();

  after(displayHash: string): TrueNotes {
    return this.#at(displayHash).notes;
  }

  /** Of the trees after the block. */
  leavesAfter(displayHash: string): TrueLeaves {
    return this.#at(displayHash).leaves;
  }

  set(displayHash: string, notes: TrueNotes, leaves: TrueLeaves): void {
    this.#after.set(displayHash, { notes, leaves });
  }

  #at(displayHash: string) {
    const known = this.#after.get(displayHash);
    if (known === undefined) throw new Error('no such block');
    return known;
  }
}

/** Wallets compare the sizes of trees; nobody looks at their roots, and real ones cost as much as all the rest. */
const cheapHash = {
  combine: (level: number, left: Uint8Array, right: Uint8Array) =>
    new Uint8Array(
      createHash('sha256')
        .update(concatBytes(Uint8Array.of(level), left, right))
        .digest(),
    ),
  emptyRoot: () => new Uint8Array(32),
};

export class Branch {
  readonly #devnet: Devnet;
  readonly #truth: Truth;
  readonly #node: NodeServer;
  readonly #compact: CompactServer;
  #nodeUrl = '';
  #compactUrl = '';
  #offered: KnownTransaction | undefined;

  constructor(seed: string, truth: Truth) {
    this.#devnet = new Devnet({ params: PARAMETERS, seed });
    this.#truth = truth;
    truth.set(
      this.tipHash,
      [],
      perPool(() => []),
    );
    const { params, blocks, mempool } = this.#devnet;
    const trees = perPool((pool) => new TreeStates(pool, cheapHash, []));
    const view = { params, blocks, mempool, trees };
    this.#node = new NodeServer(view);
    this.#compact = new CompactServer(view);
  }

  async listen(): Promise<void> {
    this.#nodeUrl = await this.#node.listen();
    this.#compactUrl = await this.#compact.listen();
  }

  async close(): Promise<void> {
    await Promise.all([this.#node.close(), this.#compact.close()]);
  }

  get urls(): { readonly node_url: string; readonly compact_server_url: string } {
    return { node_url: this.#nodeUrl, compact_server_url: this.#compactUrl };
  }

  get tip(): number {
    return this.#devnet.tip.height;
  }

  get tipHash(): string {
    return blockHashToHex(this.#devnet.tip.hash);
  }

  /** Before each answer of either server. */
  watch(watcher: () => void): void {
    this.#node.watch(watcher);
    this.#compact.watch(watcher);
  }

  /** Neither server answers. */
  fail(): void {
    this.#node.misbehave({ kind: 'hang-up' });
    for (const method of ['GetLightdInfo', 'GetLatestBlock', 'GetBlockRange', 'GetMempoolStream'] as const)
      this.#compact.misbehave({ kind: 'error', method });
  }

  /** Streams of the mempool end at once, or there are none. */
  tellNothing(kind: 'short-stream' | 'not-offered'): void {
    this.#compact.misbehave({ kind, method: 'GetMempoolStream' });
  }

  behave(): void {
    this.#node.behave();
    this.#compact.behave();
  }

  get mempoolStreams(): number {
    return this.#compact.mempoolStreams;
  }

  /** The lower blocks of another one, up to a height. Only on a chain without blocks. */
  share(other: Branch, height: number): void {
    for (const block of other.#devnet.blocks.blocks.slice(1, height + 1)) {
      const { bytes, hash, prevHash, time, transactions, treeSizes } = block;
      const { tip: parent, blocks } = this.#devnet;
      blocks.append(
        new MinedBlock({
          height: block.height,
          bytes,
          hash,
          prevHash,
          time,
          transactions,
          treeSizes,
          parent,
        }),
      );
    }
  }

  /** One more payment is in the mempool, in the place of the one before, which is dropped. Undefined where there are no more. */
  offer(kind: number): KnownTransaction | undefined {
    const { mempool, blocks } = this.#devnet;
    if (this.#offered !== undefined) mempool.drop(this.#offered.built.txid);
    this.#offered = payments().payment(0, kind, (txid) => blocks.byTxid(txid) !== undefined);
    if (this.#offered !== undefined) mempool.put(this.#offered.built);
    return this.#offered;
  }

  /** `strangers`: outputs of other people in each pool of each block. */
  mine(blocks: readonly Made[], strangers = 0): void {
    for (const made of blocks) this.#mine(made, strangers);
  }

  /** The best chain loses its top and grows another one. */
  reorganise(depth: number, blocks: readonly Made[]): void {
    this.#devnet.blocks.rewindTo(Math.max(0, this.tip - depth));
    this.mine(blocks);
  }

  #mine({ notes, spends }: Made, strangers: number): void {
    const { tip } = this.#devnet;
    const block = new BlockTruth(this.#truth.after(this.tipHash), tip);
    const isThere = (txid: string): boolean =>
      this.#devnet.blocks.byTxid(txid) !== undefined || block.has(txid);
    for (const { account, value } of notes) {
      const payment = payments().payment(account, value, isThere);
      if (payment !== undefined) block.add(payment);
    }
    for (const spend of spends) {
      const unspent = block.notes.filter((note) => note.spent === null);
      const note = unspent[unspent.length - 1 - (spend % Math.max(1, unspent.length))];
      const spending = note && payments().spend(note.paid, note.position);
      if (spending !== undefined) block.add(spending);
    }
    const ours = block.transactions.map(({ built }) => built);
    const others = strangers === 0 ? [] : [this.#devnet.traffic(perPool(() => strangers))];
    const leaves = this.#truth.leavesAfter(this.tipHash);
    this.#devnet.mine({ transactions: [...ours, ...others] });
    const { tip: mined } = this.#devnet;
    const { height, time } = mined;
    this.#truth.set(
      this.tipHash,
      block.notes.map((note) => (note.height === height ? { ...note, time } : note)),
      perPool((pool) => {
        const added = mined.leaves(pool);
        // A week has more blocks than memory has room for copies.
        return added.length === 0 ? leaves[pool] : [...leaves[pool], ...added];
      }),
    );
  }
}

/** A block to be, and the wallet's notes after it. */
class BlockTruth {
  readonly transactions: KnownTransaction[] = [];
  readonly #height: number;
  #notes: TrueNotes;
  #sizes: MinedBlock['treeSizes'];

  constructor(before: TrueNotes, parent: MinedBlock) {
    this.#notes = before;
    this.#height = parent.height + 1;
    this.#sizes = parent.treeSizes;
  }

  get notes(): TrueNotes {
    return this.#notes;
  }

  has(txid: string): boolean {
    return this.transactions.some((transaction) => transaction.txid === txid);
  }

  add(transaction: KnownTransaction): void {
    const { txid, built } = transaction;
    const height = this.#height;
    const revealed = new Set(built.spends.map(({ nullifier }) => nullifierToHex(nullifier) as string));
    const made = transaction.notes.map((paid): TrueNote => {
      const { pool, outputIndex, value } = paid.owned.note;
      const position = this.#sizes[pool] + outputIndex;
      return {
        name: nameOf({ txid, pool, output_index: outputIndex, account: paid.account }),
        account: paid.account,
        pool,
        value: Number(value),
        height,
        time: 0,
        txid,
        position,
        nullifier: payments().nullifier(paid, position),
        spent: null,
        paid,
      };
    });
    this.#notes = [...this.#notes, ...made].map((note) =>
      revealed.has(note.nullifier) ? { ...note, spent: { txid, height } } : note,
    );
    this.#sizes = addLeaves(this.#sizes, built.leafCounts);
    this.transactions.push(transaction);
  }
}
