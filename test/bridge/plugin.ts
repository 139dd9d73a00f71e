// BTCPay's Zcash plugin as a shop runs it: its eight calls with what it insists on in the answers, its orders, and what it does
// when it is told of a transaction or a block. Written from the plugin's sources, not from the bridge's.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Teardown } from '../helpers/childProcess.ts';
import { until } from '../helpers/until.ts';

type Shape = 'integer' | 'maybe' | 'text' | readonly [Shape] | { readonly [member: string]: Shape };
type Of<S> = S extends 'integer'
  ? number
  : S extends 'maybe'
    ? number | null
    : S extends 'text'
      ? string
      : S extends readonly [infer Each]
        ? Of<Each>[]
        : { readonly [Member in keyof S]: Of<S[Member]> };

const TRANSFER = {
  address: 'text',
  amount: 'integer',
  confirmations: 'integer',
  height: 'integer',
  fee: 'integer',
  note: 'text',
  payment_id: 'text',
  subaddr_index: { major: 'integer', minor: 'integer' },
  suggested_confirmations_threshold: 'integer',
  timestamp: 'integer',
  txid: 'text',
  type: 'text',
  unlock_time: 'integer',
} as const;
const ACCOUNT = {
  account_index: 'integer',
  balance: 'integer',
  base_address: 'text',
  label: 'text',
  tag: 'text',
  unlocked_balance: 'integer',
} as const;
const ANSWERS = {
  sync_info: { height: 'integer', target_height: 'maybe' },
  get_fee_estimate: { fee: 'integer' },
  get_height: { height: 'integer' },
  create_account: { account_index: 'integer', address: 'text' },
  create_address: { address: 'text', address_index: 'integer' },
  get_accounts: {
    subaddress_accounts: [ACCOUNT],
    total_balance: 'integer',
    total_unlocked_balance: 'integer',
  },
  get_transfers: { in: [TRANSFER] },
  get_transfer_by_txid: { transfer: TRANSFER, transfers: [TRANSFER] },
} as const;

export type Method = keyof typeof ANSWERS;
export const METHODS = Object.keys(ANSWERS) as Method[];
export type Transfer = Of<typeof TRANSFER>;

export interface Order {
  readonly account: number;
  readonly minor: number;
  readonly address: string;
  /** By what tells one payment from another. */
  payments: ReadonlyMap<string, Transfer>;
}

/** The plugin itself sees no more than that a call failed. */
export class Refused extends Error {
  readonly status: number;
  readonly detail: string;

  constructor(method: string, status: number, text: string) {
    super(`${method}: ${status} ${text}`);
    this.status = status;
    this.detail = String((JSON.parse(text) as { detail?: unknown }).detail);
  }
}

const NUMBER_LIMIT = 2 ** 31;
const isInteger = (value: unknown): boolean => Number.isSafeInteger(value);

function insist(value: unknown, shape: Shape, where: string): void {
  const wrong = new Error(`${where} is ${JSON.stringify(value)}`);
  if (shape === 'text') {
    if (typeof value !== 'string') throw wrong;
  } else if (shape === 'integer' || shape === 'maybe') {
    if (!isInteger(value) && !(shape === 'maybe' && value === null)) throw wrong;
  } else if (Array.isArray(shape)) {
    if (!Array.isArray(value)) throw wrong;
    for (const each of value) insist(each, shape[0] as Shape, `${where}[]`);
  } else {
    if (typeof value !== 'object' || value === null) throw wrong;
    const members = value as Record<string, unknown>;
    for (const [name, of] of Object.entries(shape)) insist(members[name], of as Shape, `${where}.${name}`);
  }
}

const WANTED = { in: true, out: false, pending: false, failed: false, pool: true } as const;

export class Plugin {
  readonly orders: Order[] = [];
  /** `tx HASH` (`of ACCOUNT`) and `block HASH`, in the order in which the bridge told of them. */
  readonly reported: string[] = [];
  /** BTCPay's answer to a callback. */
  answer = (): number => 200;
  /** Older plugins look for a transaction in account 0 whatever the shop's account is. */
  readonly #isOld: boolean;
  #base: string;
  #failure: unknown;
  #work = Promise.resolve();

  constructor({ isOld = false, base = '' }: { readonly isOld?: boolean; readonly base?: string } = {}) {
    this.#isOld = isOld;
    this.#base = base;
  }

  /** The address of the bridge, up to the slash at its end. */
  connect(base: string): void {
    this.#base = base;
  }

  /** BTCPay's own address, behind a path as where one server has several sites. */
  async listen(t: Teardown): Promise<string> {
    const server = http.createServer((request, response) => {
      response.writeHead(this.#hear(`${request.method} ${request.url}`), { location: '/elsewhere' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`;
  }

  async post(method: string, body: string, base = this.#base): Promise<Response> {
    const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
    return fetch(base + method, { method: 'POST', headers, body });
  }

  async call<M extends Method>(method: M, input: object): Promise<Of<(typeof ANSWERS)[M]>> {
    const response = await this.post(method, JSON.stringify(input));
    const text = await response.text();
    if (!response.ok) throw new Refused(method, response.status, text);
    const answer: unknown = JSON.parse(text);
    insist(answer, ANSWERS[method], method);
    return answer as Of<(typeof ANSWERS)[M]>;
  }

  /** Whether the shop offers Zcash at all. */
  async isAvailable(): Promise<boolean> {
    try {
      const { height, target_height } = await this.call('sync_info', {});
      return height > 0 && height >= (target_height || height);
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  }

  async networkFee(): Promise<number> {
    const { fee } = await this.call('get_fee_estimate', { grace_blocks: null });
    return Math.trunc(fee / 1024) * 100;
  }

  async order(account: number): Promise<Order> {
    const label = `btcpay invoice #${this.orders.length}`;
    const made = await this.call('create_address', { account_index: account, label });
    const { address, address_index: minor } = made;
    if (minor < 0 || minor >= NUMBER_LIMIT) throw new Error(`the index ${minor} is no 31-bit number`);
    const order: Order = { account, minor, address, payments: new Map() };
    this.orders.push(order);
    return order;
  }

  /** Without indices: those of all. */
  transfers(account: number, indices: readonly number[] | null): Promise<Transfer[]> {
    const heights = { 'filter_by_height ': false, min_height: 0, max_height: 0 };
    const input = { ...WANTED, ...heights, account_index: account, subaddr_indices: indices };
    return this.call('get_transfers', input).then((answer) => answer.in);
  }

  /** What every order has been paid, as the bridge has it now. */
  async look(): Promise<void> {
    for (const account of new Set(this.orders.map((order) => order.account))) {
      const own = this.orders.filter((order) => order.account === account);
      const all = await this.transfers(
        account,
        own.map(({ minor }) => minor),
      );
      for (const transfer of all) this.#orderOf(transfer);
      for (const order of own) {
        const paid = all.filter(({ subaddr_index }) => subaddr_index.minor === order.minor);
        order.payments = new Map(paid.map((transfer) => [transfer.txid, transfer]));
        if (order.payments.size !== paid.length) throw new Error('one payment was listed twice');
      }
    }
  }

  /** What a new payment does to the orders, before any block. */
  async lookAt(txid: string): Promise<void> {
    const account = this.#isOld ? 0 : this.orders[0]!.account;
    const { transfer, transfers } = await this.call('get_transfer_by_txid', { txid, account_index: account });
    const texts = transfers.map((each) => JSON.stringify(each));
    if (!texts.includes(JSON.stringify(transfer))) throw new Error('transfer is none of transfers');
    for (const each of transfers) {
      if (each.txid !== txid) throw new Error(`asked for ${txid}, answered with ${each.txid}`);
      const order = this.#orderOf(each);
      order.payments = new Map([...order.payments, [txid, each]]);
    }
  }

  /** Until the callbacks have made it true; fails with the first answer that the plugin would stumble over. */
  async sees(holds: () => boolean): Promise<void> {
    await until(() => holds() || this.#failure !== undefined);
    await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #orderOf({ address, subaddr_index: { major, minor }, type }: Transfer): Order {
    const order = this.orders.find((one) => one.account === major && one.minor === minor);
    if (order?.address !== address) throw new Error(`no order has ${major}, ${minor} and ${address}`);
    if (type !== 'in') throw new Error(`${type} is not in`);
    return order;
  }

  /** BTCPay answers at once, and looks afterwards; the status. */
  #hear(request: string): number {
    const form =
      /^GET \/pay\/zcashlikedaemoncallback\/(tx|block)\?cryptoCode=zec&hash=([0-9a-f]{64})(?:&accountIndex=(\d+))?$/;
    const [, kind, hash = '', account] = form.exec(request) ?? [];
    if (kind === undefined) {
      this.#failure ??= new Error(`BTCPay knows no ${request}`);
      return 404;
    }
    this.reported.push(`${kind} ${hash}${account === undefined ? '' : ` of ${account}`}`);
    const status = this.answer();
    // Who waits for no payment has nothing to look for.
    if (status === 200 && this.orders.length > 0) {
      const look = () => (kind === 'tx' ? this.lookAt(hash) : this.look());
      this.#work = this.#work.then(look).catch((error) => {
        this.#failure ??= error;
      });
    }
    return status;
  }
}

/** What has come with so many confirmations. */
export const paid = ({ payments }: Order, confirmations: number): number =>
  [...payments.values()]
    .filter((payment) => payment.confirmations >= confirmations)
    .reduce((sum, { amount }) => sum + amount, 0);
