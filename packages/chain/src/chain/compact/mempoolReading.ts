// The content so far of one stream of a compact server's mempool: full transactions with txids computed here. The stream
// does not mark the end of the present content: a pause does.

import { fromBinary } from '@bufbuild/protobuf';
import type { After } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import { RawTransactionSchema } from '@wallet-companion/zcash/compactProto';
import { type TxId, type TxIdHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { txidOf } from '../source/mempoolPacking.ts';
import type { MempoolEnd } from './compactConnection.ts';

export interface StreamedTransaction {
  readonly txid: TxId;
  readonly bytes: Uint8Array;
}

export class MempoolReading {
  readonly transactions = new Map<TxIdHex, StreamedTransaction>();
  /** The server has fallen silent, or the stream has ended. */
  readonly settled: Promise<void>;
  /** The tip during the stream, where it is known. */
  readonly tipHeight: Height | undefined;
  readonly #after: After;
  readonly #quietMs: number;
  #settle!: () => void;
  #callOff: () => void = () => undefined;
  #hasPaused = false;
  #state: 'reading' | MempoolEnd = 'reading';
  #failure: { readonly error: unknown } | undefined;

  constructor(quietMs: number, after: After, tipHeight?: Height) {
    this.tipHeight = tipHeight;
    this.#quietMs = quietMs;
    this.#after = after;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#expectMore();
  }

  get isReading(): boolean {
    return this.#state === 'reading';
  }

  get isTooMuch(): boolean {
    return this.#state === 'too much';
  }

  /** It lasted until the next block, and longer than the server needs to send its content. */
  get isWhole(): boolean {
    return this.#state === 'ended' && this.#hasPaused;
  }

  /** One message. Bytes that are no transaction are left out. */
  add(message: Uint8Array): void {
    if (!this.isReading) return;
    const transaction = transactionIn(message);
    if (transaction !== undefined) this.transactions.set(txIdToHex(transaction.txid), transaction);
    if (!this.#hasPaused) this.#expectMore();
  }

  /** The error of the stream. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  end(how: MempoolEnd, failure?: { readonly error: unknown }): void {
    if (!this.isReading) return;
    this.#state = how;
    this.#failure = failure;
    if (how === 'too much') this.transactions.clear();
    this.#callOff();
    this.#settle();
  }

  #expectMore(): void {
    this.#callOff();
    this.#callOff = this.#after(this.#quietMs, () => {
      this.#hasPaused = true;
      this.#settle();
    });
  }
}

function transactionIn(message: Uint8Array): StreamedTransaction | undefined {
  try {
    const { data } = fromBinary(RawTransactionSchema, message);
    const bytes = Uint8Array.from(data);
    const txid = txidOf(bytes);
    return txid === undefined ? undefined : { txid, bytes };
  } catch {
    // Bytes that protobuf refuses are bad data of the server, whatever the error is.
    return undefined;
  }
}
