// Made from the operation table by `node scripts/bindings.mjs`; do not edit.

import type { Inputs } from '../../protocol/generated/types.ts';

/** The operations that each wallet has. */
export type WalletOperation =
  | 'wallet.exists'
  | 'wallet.status'
  | 'wallet.create'
  | 'wallet.restore'
  | 'wallet.import_viewing_key'
  | 'wallet.unlock'
  | 'wallet.lock'
  | 'wallet.change_password'
  | 'wallet.backup'
  | 'wallet.rescan'
  | 'wallet.viewing_key'
  | 'config.get'
  | 'balance.get'
  | 'address.get'
  | 'address.next'
  | 'notes.list'
  | 'transactions.list'
  | 'accounts.list'
  | 'accounts.create'
  | 'changes.list'
  | 'notes.witness'
  | 'labels.list'
  | 'labels.set'
  | 'labels.remove'
  | 'transactions.export'
  | 'balance.at'
  | 'payment_uri.create'
  | 'payment_uri.qr'
  | 'payment_uri.parse'
  | 'pczt.inspect'
  | 'payments.prepare'
  | 'payments.list'
  | 'payments.get'
  | 'payments.pczt'
  | 'payments.combine'
  | 'payments.prove'
  | 'payments.broadcast'
  | 'payments.discard'
  | 'sync.run'
  | 'sync.status'
  | 'sync.cancel'
  | 'coverage.get'
  | 'mempool.list'
  | 'mempool.look'
  | 'follow.get'
  | 'follow.set';

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

export const ROUTES: Readonly<Record<keyof Inputs, Route>> = {
  'wallet.exists': { method: 'GET', path: '/api/wallet/exists' },
  'wallet.status': { method: 'GET', path: '/api/wallet/status' },
  'wallet.create': { method: 'POST', path: '/api/wallet/create' },
  'wallet.restore': { method: 'POST', path: '/api/wallet/restore' },
  'wallet.import_viewing_key': { method: 'POST', path: '/api/wallet/import-viewing-key' },
  'wallet.unlock': { method: 'POST', path: '/api/wallet/unlock' },
  'wallet.lock': { method: 'POST', path: '/api/wallet/lock' },
  'wallet.change_password': { method: 'POST', path: '/api/wallet/change-password' },
  'wallet.backup': { method: 'POST', path: '/api/wallet/backup' },
  'wallet.rescan': { method: 'POST', path: '/api/wallet/rescan' },
  'wallet.viewing_key': { method: 'POST', path: '/api/viewing-key' },
  'wallets.list': { method: 'GET', path: '/api/wallets' },
  'config.get': { method: 'GET', path: '/api/config' },
  'config.node_url': { method: 'POST', path: '/api/config/node-url' },
  'config.compact_server_url': { method: 'POST', path: '/api/config/compact-server-url' },
  'config.theme': { method: 'POST', path: '/api/config/theme' },
  'balance.get': { method: 'GET', path: '/api/balance' },
  'address.get': { method: 'GET', path: '/api/address' },
  'address.next': { method: 'POST', path: '/api/address' },
  'notes.list': { method: 'GET', path: '/api/notes' },
  'transactions.list': { method: 'GET', path: '/api/transactions' },
  'accounts.list': { method: 'GET', path: '/api/accounts' },
  'accounts.create': { method: 'POST', path: '/api/accounts' },
  'changes.list': { method: 'GET', path: '/api/changes' },
  'notes.witness': { method: 'GET', path: '/api/notes/witness' },
  'labels.list': { method: 'GET', path: '/api/labels' },
  'labels.set': { method: 'POST', path: '/api/labels' },
  'labels.remove': { method: 'POST', path: '/api/labels/remove' },
  'transactions.export': { method: 'GET', path: '/api/transactions/export' },
  'balance.at': { method: 'GET', path: '/api/balance/at' },
  'payment_uri.create': { method: 'POST', path: '/api/payment-uri' },
  'payment_uri.qr': { method: 'POST', path: '/api/payment-uri/qr' },
  'payment_uri.parse': { method: 'POST', path: '/api/payment-uri/parse' },
  'pczt.inspect': { method: 'POST', path: '/api/pczt/inspect' },
  'payments.prepare': { method: 'POST', path: '/api/payments/prepare' },
  'payments.list': { method: 'GET', path: '/api/payments' },
  'payments.get': { method: 'GET', path: '/api/payments/{payment_id}' },
  'payments.pczt': { method: 'GET', path: '/api/payments/{payment_id}/pczt' },
  'payments.combine': { method: 'POST', path: '/api/payments/{payment_id}/combine' },
  'payments.prove': { method: 'POST', path: '/api/payments/{payment_id}/prove' },
  'payments.broadcast': { method: 'POST', path: '/api/payments/{payment_id}/broadcast' },
  'payments.discard': { method: 'POST', path: '/api/payments/{payment_id}/discard' },
  'sync.run': { method: 'POST', path: '/api/sync' },
  'sync.status': { method: 'GET', path: '/api/sync/status' },
  'sync.cancel': { method: 'POST', path: '/api/sync/cancel' },
  'coverage.get': { method: 'GET', path: '/api/coverage' },
  'mempool.list': { method: 'GET', path: '/api/mempool' },
  'mempool.look': { method: 'POST', path: '/api/mempool' },
  'follow.get': { method: 'GET', path: '/api/follow' },
  'follow.set': { method: 'POST', path: '/api/follow' },
  'lwd.info': { method: 'GET', path: '/api/lwd/info' },
  'lwd.chain_tip': { method: 'GET', path: '/api/lwd/chain-tip' },
  'lwd.sync_compact': { method: 'POST', path: '/api/lwd/sync/compact' },
  'lwd.prune': { method: 'POST', path: '/api/lwd/prune' },
  'pairing.request': { method: 'POST', path: '/api/pair' },
  'pairing.list': { method: 'GET', path: '/api/pair' },
  'pairing.allow': { method: 'POST', path: '/api/pair/allow' },
  'pairing.refuse': { method: 'POST', path: '/api/pair/refuse' },
  'pairing.revoke': { method: 'POST', path: '/api/pair/revoke' },
  'hooks.list': { method: 'GET', path: '/api/hooks' },
  'system.version': { method: 'GET', path: '/api/version' },
  'system.status': { method: 'GET', path: '/api/status' },
};
