// What each scope reaches, written out by hand: a change of a row in the table of operations has to be made here as well.

import type { Asked, Scope } from '../../src/protocol/grants.ts';
import { type HttpOnlyRoute, httpOnlyRoutes } from '../../src/protocol/httpOnly.ts';
import { accessRequest, type OperationName, operationNames } from '../../src/protocol/operations.ts';

export const ALL_SCOPES: readonly Scope[] = ['read', 'sync', 'invoice', 'prepare', 'send', 'admin'];

type Routes = typeof httpOnlyRoutes;
type RouteName = Routes[keyof Routes]['operationId'];
export type Name = OperationName | RouteName;

/**
 * The scopes, each of which is enough, beside `admin`, which always is; `any`: whichever it has; `anyone`: also without a
 * grant; `owner`: no grant.
 */
const OF_A_WALLET = {
  'wallet.exists': 'any',
  'wallet.status': 'any',
  'wallet.create': 'admin',
  'wallet.restore': 'admin',
  'wallet.import_viewing_key': 'admin',
  'wallet.device': 'admin',
  'wallet.unlock': 'read sync prepare send',
  'wallet.lock': 'admin',
  'wallet.change_password': 'owner',
  'wallet.backup': 'owner',
  'wallet.confirm_phrase': 'owner',
  'wallet.remove': 'admin',
  'wallet.rescan': 'admin',
  'wallet.viewing_key': 'owner',
  'config.get': 'read',
  'address.get': 'read',
  'address.next': 'admin',
  'accounts.list': 'read',
  'accounts.create': 'admin',
  'accounts.import_viewing_key': 'admin',
  'balance.get': 'read',
  'notes.list': 'read',
  'transactions.list': 'read',
  'changes.list': 'read',
  'notes.witness': 'prepare',
  'labels.list': 'read',
  'labels.set': 'admin',
  'labels.remove': 'admin',
  'labels.export': 'read',
  'labels.import': 'admin',
  'contacts.list': 'read',
  'contacts.set': 'admin',
  'contacts.remove': 'admin',
  'transactions.export': 'read',
  'balance.at': 'read',
  'statement.get': 'read',
  'statement.gains': 'read',
  'statement.check': 'read',
  'payment_uri.create': 'read',
  'payment_uri.qr': 'read',
  'payment_uri.parse': 'any',
  'invoices.create': 'invoice',
  'prices.get': 'read invoice',
  'days.open': 'admin',
  'days.close': 'admin',
  'days.list': 'read',
  'days.get': 'read',
  'invoices.get': 'read invoice',
  'invoices.list': 'read invoice',
  'invoices.cancel': 'invoice',
  'invoices.qr': 'read invoice',
  'pczt.inspect': 'prepare',
  'payments.pay': 'send',
  'payments.prepare': 'prepare',
  'payments.shield': 'prepare',
  'payments.refund': 'prepare',
  'payments.list': 'read prepare send',
  'payments.get': 'read prepare send',
  'payments.pczt': 'prepare',
  'payments.combine': 'prepare send',
  'payments.batch': 'prepare',
  'payments.combine_batch': 'prepare send',
  'payments.sign': 'send',
  'payments.prove': 'prepare send',
  'payments.broadcast': 'send',
  'payments.discard': 'prepare',
  'receipts.create': 'read',
  'receipts.verify': 'read',
  'sync.run': 'sync',
  'sync.status': 'any',
  'sync.estimate': 'sync',
  'sync.cancel': 'sync',
  'coverage.get': 'read sync',
  'mempool.list': 'read',
  'mempool.look': 'read',
  'follow.get': 'read sync',
  'follow.set': 'sync',
  'system.ready': 'any',
  'events.stream': 'any',
} as const satisfies Partial<Record<Name, string>>;

/** The same; `*`: only a grant for every wallet. */
const OF_THE_COMPANION = {
  'wallets.list': 'any',
  'wallets.rename': 'admin *',
  'config.node_url': 'admin *',
  'config.compact_server_url': 'admin *',
  'config.block_source': 'admin *',
  'config.theme': 'admin *',
  'lwd.info': 'read sync',
  'lwd.servers': 'admin *',
  'lwd.chain_tip': 'read sync',
  'lwd.sync_compact': 'sync',
  'lwd.prune': 'admin *',
  'pairing.request': 'anyone',
  'pairing.list': 'owner',
  'pairing.allow': 'owner',
  'pairing.refuse': 'owner',
  'pairing.revoke': 'owner',
  'grants.list': 'owner',
  'grants.create': 'owner',
  'grants.narrow': 'owner',
  'grants.rotate': 'owner',
  'grants.revoke': 'owner',
  'grants.log': 'owner',
  'grants.page_code': 'owner',
  'grants.open_page': 'anyone',
  'till.get': 'anyone',
  'till.start': 'owner',
  'till.lock': 'read invoice',
  'till.unlock': 'anyone',
  'till.end': 'anyone',
  'hooks.list': 'admin *',
  'system.version': 'anyone',
  'system.backup': 'admin *',
  'system.status': 'read sync',
  'doctor.run': 'admin *',
  'system.health': 'anyone',
  'system.metrics': 'read',
  'system.openapi': 'anyone',
} as const satisfies Partial<Record<Name, string>>;

/** Compiles only with every name in one of both. */
const REACHED: Readonly<Record<Name, string>> = { ...OF_A_WALLET, ...OF_THE_COMPANION };

export const reachedNames = Object.keys(REACHED) as readonly Name[];

/** The names that the sources have. */
export const knownNames = (): readonly Name[] => [
  ...operationNames,
  ...Object.values(httpOnlyRoutes).map(({ operationId }) => operationId),
];

export const isOfAWallet = (name: Name): boolean => Object.hasOwn(OF_A_WALLET, name);

/** What a caller has, in the words of this table. */
export type Holder =
  | { readonly is: 'owner' }
  | { readonly is: 'grant'; readonly scopes: readonly Scope[]; readonly wallets: readonly string[] }
  | { readonly is: 'over' }
  | { readonly is: 'nobody'; readonly reads: boolean };

/** What becomes of a call: `ok`, or the code of the refusal. */
export function verdict(holder: Holder, name: Name, wallet: string): string {
  const row = REACHED[name].split(' ');
  if (row.includes('anyone') || holder.is === 'owner') return 'ok';
  if (holder.is === 'over') return 'GRANT_EXPIRED';
  if (holder.is === 'nobody')
    return holder.reads && (row.includes('read') || row.includes('any')) ? 'ok' : 'GRANT_REQUIRED';
  if (row.includes('owner')) return 'GRANT_SCOPE';
  const hasScope = holder.scopes.some(
    (scope) => scope === 'admin' || row.includes('any') || row.includes(scope),
  );
  const hasAll = holder.wallets.includes('*');
  const hasWallet = isOfAWallet(name)
    ? hasAll || holder.wallets.includes(wallet)
    : hasAll || !row.includes('*');
  return hasScope && hasWallet ? 'ok' : 'GRANT_SCOPE';
}

/** What the fronts ask for with a call or a route. */
export function askedFor(name: Name, wallet: string): Asked {
  const route = (Object.values(httpOnlyRoutes) as readonly HttpOnlyRoute[]).find(
    ({ operationId }) => operationId === name,
  );
  if (route === undefined)
    return accessRequest(name as OperationName, wallet === 'default' ? undefined : wallet);
  return { name, reach: route.reach, wallet: route.ofWallet === undefined ? null : wallet };
}
