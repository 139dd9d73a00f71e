// The eight calls of BTCPay's plugin, over calls of the companion.

import type { Connection } from '@wallet-companion/client';
import { badField, CompanionError } from '@wallet-companion/client/contract';
import * as z from 'zod';
import { accountsAnswer, FEE_ESTIMATE, syncInfo, troubleOf } from '../btcpay/answers.ts';
import { MAX_INDEX } from '../btcpay/orders.ts';
import { transfersIn, transfersTo } from '../btcpay/transfers.ts';
import type { OrderBook } from './orderBook.ts';

type Method = (body: unknown) => Promise<object>;
/** By the last segment of the path. */
export type Methods = ReadonlyMap<string, Method>;

export function methodsOver({ call }: Connection, orders: OrderBook): Methods {
  const height = async () => (await call('sync.status')).last_scan_height;
  /** The highest block whose payments are known. `last_scan_height` follows it once config.json is written. */
  const top = async () => (await call('balance.get')).as_of_height ?? 0;
  const methods: Record<string, Method> = {
    sync_info: async () => {
      const trouble = troubleOf(await call('follow.get'));
      if (trouble !== undefined) throw trouble;
      return syncInfo(await call('sync.status'));
    },
    get_fee_estimate: async () => ({ fee: FEE_ESTIMATE }),
    get_height: async () => ({ height: await height() }),
    create_account: async (body) => {
      if (parseRequest(CREATE_ACCOUNT, body).key) throw keyRefused();
      // To make one takes the wallet's password, which the bridge does not have: BTCPay gets the first one.
      const [first] = (await call('accounts.list')).accounts;
      return { account_index: first?.account, address: first?.unified_address };
    },
    get_accounts: async () => {
      const { accounts } = await call('accounts.list');
      const withBalance = accounts.map(async ({ account, unified_address: address }) => {
        return { account, address, balance: await call('balance.get', { account }) };
      });
      return accountsAnswer(await Promise.all(withBalance));
    },
    create_address: async (body) => {
      const { account_index: account, label } = parseRequest(CREATE_ADDRESS, body);
      const { address, index } = await orders.create(account ?? 0, label ?? '');
      return { address, address_index: index };
    },
    get_transfers: async (body) => {
      const { account_index: account, subaddr_indices: indices } = parseRequest(GET_TRANSFERS, body);
      return { in: transfersTo(await orders.current(), account ?? 0, indices ?? [], await top()) };
    },
    get_transfer_by_txid: async (body) => {
      const { account_index: account, txid } = parseRequest(GET_TRANSFER, body);
      const known = await orders.current();
      const transfers = transfersIn(known, account ?? 0, txid.toLowerCase(), await top());
      const [transfer] = transfers;
      if (transfer !== undefined) return { transfer, transfers };
      throw new CompanionError('NOT_FOUND', 'No order was paid by this transaction.');
    },
  };
  return new Map(Object.entries(methods));
}

const keyRefused = (): CompanionError =>
  new CompanionError(
    'INVALID_REQUEST',
    'The bridge takes no key. Give it to the companion ("wallet import-viewing-key"), and choose the account that is there.',
  );

// What BTCPay asks, read from the bodies of its calls. Members that are not named here have no effect.
const account = z.int().min(0).max(MAX_INDEX).nullish();
const text = z.string().nullish();

const CREATE_ACCOUNT = z.object({ key: text });
const CREATE_ADDRESS = z.object({ account_index: account, label: text });
const GET_TRANSFERS = z.object({
  account_index: account,
  subaddr_indices: z.array(z.int()).nullish(),
});
const GET_TRANSFER = z.object({ account_index: account, txid: z.string() });

/** Throws `INVALID_REQUEST`. */
function parseRequest<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { path = [], message = 'is not valid' } = parsed.error.issues[0] ?? {};
  throw badField(path.join('.') || 'body', `is not as BTCPay sends it: ${message}`);
}
