// The full bytes of the wallet's transactions: whole blocks from the node, which do not show it which transaction is the
// wallet's; else the transactions one by one.

import { SerialQueue } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import type { ChainService, Source, Upstream } from '@wallet-companion/chain/ports';
import {
  asBlockHashHex,
  type BlockHash,
  blockHashFromHex,
  txIdFromHex,
} from '@wallet-companion/zcash/identifiers';
import type { WantedTransaction } from '@wallet-companion/zcash/scan';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { StoredTransaction } from '../ports/noteDatabase.ts';
import type { FullTransactions } from '../ports/scanPool.ts';
import { Stopped, type StopSignal } from './stopSignal.ts';

/** The wallet's transactions in one block. */
export interface OursInBlock {
  readonly height: Height;
  readonly transactions: readonly StoredTransaction[];
}

/** Grouped by block, in the order of the transactions, which is the chain's. */
export function byBlock(transactions: Iterable<StoredTransaction>): OursInBlock[] {
  const blocks = new Map<Height, StoredTransaction[]>();
  for (const transaction of transactions) {
    const known = blocks.get(transaction.height);
    if (known === undefined) blocks.set(transaction.height, [transaction]);
    else known.push(transaction);
  }
  return [...blocks].map(([height, inBlock]) => ({ height, transactions: inBlock }));
}

export class FullTransactionReader {
  readonly #chain: ChainService;
  readonly #noteStore: NoteStore;
  readonly #upstream: Upstream;
  readonly #stop: StopSignal;
  /** Until the node's first answer, blocks are requested one at a time: a node that is away gets one request. */
  readonly #firstAnswer = new SerialQueue();
  #hasAnswered = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(chain: ChainService, noteStore: NoteStore, upstream: Upstream, stop: StopSignal) {
    this.#chain = chain;
    this.#noteStore = noteStore;
    this.#upstream = upstream;
    this.#stop = stop;
  }

  /** Empty where no server has them now. Several blocks may be read at once. Throws `Stopped` right after the signal. */
  async read({ height, transactions }: OursInBlock): Promise<FullTransactions[]> {
    const wanted = transactions.map((transaction) => this.#wanted(transaction));
    const bytes = await this.#block(height, transactions);
    if (bytes !== null) return [{ kind: 'block', bytes, height, wanted }];
    // The scan has already waited for this compact server.
    if (this.#upstream.offline === true) return [];
    const found: FullTransactions[] = [];
    for (const one of wanted) {
      const alone = await this.#orStopped(() =>
        this.#chain.rawTransaction({ ...this.#upstream, txid: one.txid }),
      );
      if (alone !== null) found.push({ kind: 'transaction', bytes: alone, height, wanted: [one] });
    }
    return found;
  }

  #wanted({ txid }: StoredTransaction): WantedTransaction {
    const notes = this.#noteStore.tables.notes
      .madeIn(txid)
      .filter(({ memo }) => memo === null)
      .map(({ pool, account, scope, outputIndex, value }) => ({ pool, account, scope, outputIndex, value }));
    return { txid: txIdFromHex(txid), notes };
  }

  async #block(height: Height, transactions: readonly StoredTransaction[]): Promise<ArrayBuffer | null> {
    let first: { readonly bytes: ArrayBuffer | null } | undefined;
    if (!this.#hasAnswered) {
      await this.#firstAnswer.run(async () => {
        if (!this.#hasAnswered) first = { bytes: await this.#askForBlock(height, transactions) };
      });
    }
    return first === undefined ? this.#askForBlock(height, transactions) : first.bytes;
  }

  /** After a compact scan the node may be away: the compact server is asked for what the node does not return. */
  async #askForBlock(
    height: Height,
    transactions: readonly StoredTransaction[],
  ): Promise<ArrayBuffer | null> {
    if (this.#failure !== undefined) return this.#withoutNode();
    const hash = this.#knownHash(height, transactions) ?? (await this.#askForHash(height));
    if (hash === null) return null;
    try {
      return await this.#orStopped(() =>
        this.#chain.rawBlock({ ...this.#upstream, source: this.#fullSource, height, hash }),
      );
    } catch (error) {
      if (error instanceof Stopped) throw error;
      this.#failure ??= { error };
      return this.#withoutNode();
    } finally {
      this.#hasAnswered = true;
    }
  }

  get #fullSource(): Source {
    return this.#upstream.source === 'peers' ? 'peers' : 'node';
  }

  #withoutNode(): null {
    if (this.#upstream.source !== 'compact') throw this.#failure?.error;
    return null;
  }

  #knownHash(height: Height, transactions: readonly StoredTransaction[]): BlockHash | undefined {
    const kept = this.#noteStore.block(height)?.hash;
    if (kept !== undefined) return kept;
    const blockHash = transactions.find(({ blockHash }) => blockHash !== undefined)?.blockHash;
    return blockHash === undefined ? undefined : blockHashFromHex(asBlockHashHex(blockHash));
  }

  #askForHash(height: Height): Promise<BlockHash | null> {
    return this.#orStopped(() => this.#chain.blockHash({ ...this.#upstream, height }));
  }

  /** Makes no request after the signal. */
  #orStopped<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#stop.isStopped) return Promise.reject(new Stopped());
    return this.#stop.orStopped(ask());
  }
}
