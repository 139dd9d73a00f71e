// The orders of a wallet, kept beside it: each question asks only for the invoices that changed since the one before.

import { SerialQueue } from '@wallet-companion/base/async';
import type { Connection } from '@wallet-companion/client';
import { CompanionError } from '@wallet-companion/client/contract';
import { type Invoice, type Order, orderOf, orderRequest } from '../btcpay/orders.ts';

const PAGE = 250;
/** Other bridges may have drawn the same number. */
const MOST_TRIES = 20;

export interface OrderBookContext {
  readonly companion: Connection;
  /** A name that no other process has. */
  readonly bridge: string;
  /** A number from 0 to `MAX_INDEX`. */
  readonly drawn: () => number;
  /** A payment is new, is in another block than before, or its block has another mark. */
  readonly paid: (txid: string, account: number) => void;
}

export class OrderBook {
  readonly #context: OrderBookContext;
  readonly #orders = new Map<number, Order>();
  readonly #turns = new SerialQueue();
  #series: string | null = null;
  #sequence = 0;
  /** Nothing is new while all of it is read for the first time. */
  #isRead = false;

  constructor(context: OrderBookContext) {
    this.#context = context;
  }

  /** As the companion has them now. */
  current(): Promise<readonly Order[]> {
    return this.#turns.run(async () => {
      await this.#readChanges();
      return [...this.#orders.values()];
    });
  }

  create(account: number, label: string): Promise<Order> {
    return this.#turns.run(() => this.#create(account, label));
  }

  /** Drawn, not counted: after a loss of `invoices.db` nobody knows what BTCPay has been given. */
  async #create(account: number, label: string): Promise<Order> {
    const { companion, bridge, drawn } = this.#context;
    for (let tries = 1; ; tries += 1) {
      const index = drawn();
      if (this.#orders.has(index)) continue;
      try {
        const invoice = await companion.call('invoices.create', orderRequest(index, account, label, bridge));
        this.#take(invoice);
        return this.#orders.get(index)!;
      } catch (error) {
        const isTaken = error instanceof CompanionError && error.code === 'REFERENCE_IN_USE';
        if (!isTaken || tries === MOST_TRIES) throw error;
      }
    }
  }

  async #readChanges(): Promise<void> {
    const { companion } = this.#context;
    for (;;) {
      const page = await companion.call('invoices.list', { since: this.#sequence, limit: PAGE });
      const isOther = page.series !== this.#series || page.sequence < this.#sequence;
      this.#series = page.series;
      if (isOther && this.#sequence > 0) this.#beginAnew();
      else {
        for (const invoice of page.invoices) if (isTrusted(invoice, page.own_grant_id)) this.#take(invoice);
        this.#sequence = page.invoices.at(-1)?.sequence ?? this.#sequence;
        if (!page.has_more) break;
      }
    }
    this.#isRead = true;
  }

  #beginAnew(): void {
    this.#orders.clear();
    this.#sequence = 0;
    this.#isRead = false;
  }

  #take(invoice: Invoice): void {
    const order = orderOf(invoice);
    if (order === undefined) return;
    const known = new Set(this.#orders.get(order.index)?.payments.map(placeOf));
    this.#orders.set(order.index, order);
    if (!this.#isRead) return;
    const news = order.payments.filter((payment) => !known.has(placeOf(payment)));
    for (const txid of new Set(news.map((payment) => payment.txid))) this.#context.paid(txid, order.account);
  }
}

/** Made by this bridge's grant, or by the owner. Another grant writes what it likes into reference and metadata of its own invoices. */
const isTrusted = ({ grant_id: maker }: Invoice, own: string | null): boolean =>
  maker === null || maker === own;

const placeOf = ({
  txid,
  output_index,
  pool,
  height,
  verified_with: mark,
}: Order['payments'][number]): string => `${txid} ${pool} ${output_index} ${height} ${mark}`;
