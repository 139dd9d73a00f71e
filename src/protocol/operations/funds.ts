// What an open wallet can tell: balance, addresses, notes, transactions, accounts.

import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_PASSWORD, NEEDS_SESSION, type Operation } from '../operation.ts';
import { unminedAmounts } from './mempool.ts';

const poolBalance = z.strictObject({
  total_zatoshi: field.zatoshi,
  confirmed_zatoshi: field.zatoshi,
  note_count: field.count,
});

const address = z.strictObject({
  unified_address: z.string(),
  sapling_address: z.string().nullable().describe('Null in a wallet without Sapling keys'),
  diversifier_index: field.diversifierIndex,
});

const note = z.strictObject({
  account: field.account,
  pool: field.pool,
  scope: field.scope,
  value_zatoshi: field.zatoshi,
  height: field.height,
  txid: field.displayHash,
  output_index: field.count,
  position: field.count.describe("Position in the pool's note commitment tree"),
  nullifier: field.protocolHex.nullable().describe('Null in a wallet that only sees what comes in'),
  diversifier_index: field.diversifierIndex,
  label: field.receivingLabel,
  memo: field.memo,
  confirmations: field.count,
  spent: z.strictObject({ txid: field.displayHash, height: field.height }).nullable(),
  spent_unconfirmed: z
    .strictObject({ txid: field.displayHash })
    .nullable()
    .describe('The unmined transaction that spends it, as of the last look at the mempool'),
  reserved_by: z
    .string()
    .nullable()
    .describe('The payment_id of a prepared payment that may still be mined, and spends it'),
});

const sentOutput = z.strictObject({
  account: field.account,
  pool: field.pool,
  scope: field.scope.describe(
    'The outgoing key that recovered it; internal is change or a shielding transfer',
  ),
  output_index: field.count,
  value_zatoshi: field.zatoshi,
  recipient: z.string().describe("The recipient's address, one receiver"),
  memo: field.memo,
});

const transaction = z.strictObject({
  txid: field.displayHash,
  height: field.height,
  time: field.time
    .nullable()
    .describe('Of the block; null where an earlier version scanned it and kept none'),
  block_hash: field.displayHash
    .nullable()
    .describe('Null where an earlier version scanned it, or its spend was seen above a gap'),
  confirmations: field.count,
  received_zatoshi: field.zatoshi.describe('Sum of our notes made here, change included'),
  spent_zatoshi: field.zatoshi.describe('Sum of our notes spent here'),
  fee_zatoshi: field.zatoshi
    .nullable()
    .describe(
      'What we paid; null where it cannot be known: not read in full, transparent or foreign inputs, outputs we cannot see',
    ),
  received_outputs: z.array(field.receivedOutput).describe('Our notes made here, change included'),
  sent_outputs: z.array(sentOutput).describe('Outputs recovered with our outgoing viewing keys'),
  complete: z.boolean().describe('Whether the full transaction was read (memos, sent outputs)'),
});

const nextCursor = z.string().nullable().describe('Give it as `cursor` for the next page; null on the last');

const accountView = z.strictObject({
  account: field.account,
  birthday_height: field.height,
  unified_address: z.string(),
  complete: z.boolean().describe('As of the balance: false before anything was scanned'),
  missing_ranges: z.array(field.heightRange),
});

export const fundsOperations = {
  'balance.get': {
    actor: 'wallet',
    access: 'session',
    summary: 'Shielded balance, per pool, and what has not been scanned yet',
    input: z.strictObject({ account: field.onlyAccount }),
    output: z.strictObject({
      total_zatoshi: field.zatoshi.describe('Unspent mined notes'),
      confirmed_zatoshi: field.zatoshi,
      pending_zatoshi: field.zatoshi.describe('Notes below `min_confirmations`'),
      reserved_zatoshi: field.zatoshi.describe(
        'Part of the total: notes of prepared payments that may still be mined',
      ),
      ...unminedAmounts,
      note_count: field.count,
      pools: z.strictObject(field.perPoolName(poolBalance)),
      as_of_height: field.height
        .nullable()
        .describe(
          'Highest block scanned; null before anything was scanned: the balance is then unknown, not zero',
        ),
      as_of_hash: field.displayHash.nullable().describe('Its hash; null where it is not kept'),
      complete: z
        .boolean()
        .describe(
          'Whether something was scanned, and nothing from the birthday to `last_scan_height` is missing',
        ),
      missing_ranges: z.array(field.heightRange).describe('Blocks up to `last_scan_height` not scanned yet'),
      verified_with: field.verifier
        .nullable()
        .describe(
          'That the chain node gave every block that was scanned, or had it compared with its own (verify_with); null: of some a compact server alone says what is in them (`GET /api/coverage` names them), or nothing was scanned',
        ),
      warning: z.string().optional().describe('Why the balance is not what can be spent'),
    }),
    http: { method: 'GET', path: '/api/balance' },
    ipc: 'balance',
    cli: { words: ['balance'], amountsFromScan: true },
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT'],
  },
  'address.get': {
    actor: 'wallet',
    access: 'session',
    summary: 'The address at an index (default: the lowest valid one); reserves nothing',
    input: z.strictObject({
      account: field.oneAccount,
      diversifier_index: field.diversifierIndex.optional(),
    }),
    output: address,
    http: { method: 'GET', path: '/api/address' },
    ipc: 'address_get',
    cli: { words: ['address', 'get'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'address.next': {
    actor: 'wallet',
    access: 'session',
    summary: 'A fresh address: the next unused index, reserved',
    input: z.strictObject({ account: field.oneAccount }),
    output: address,
    http: { method: 'POST', path: '/api/address' },
    ipc: 'address_next',
    cli: { words: ['address', 'next'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT'],
  },
  'notes.list': {
    actor: 'wallet',
    access: 'session',
    summary: 'Notes received, spent or not, zero-value ones included',
    input: z.strictObject({
      account: field.onlyAccount,
      pool: field.pool.optional(),
      unspent: z.boolean().optional().describe('true: only unspent notes; otherwise all'),
      limit: field.limit.optional(),
      cursor: field.cursor.optional(),
    }),
    output: z.strictObject({ notes: z.array(note), next_cursor: nextCursor }),
    http: { method: 'GET', path: '/api/notes' },
    ipc: 'notes_list',
    cli: {
      words: ['notes'],
      columns: ['height', 'account', 'pool', 'value_zatoshi', 'confirmations', 'spent', 'memo', 'txid'],
    },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'transactions.list': {
    actor: 'wallet',
    access: 'session',
    summary: 'Our transactions, one entry each, with sent outputs where recoverable',
    input: z.strictObject({
      account: field.onlyAccount,
      limit: field.limit.optional(),
      cursor: field.cursor.optional(),
    }),
    output: z.strictObject({ transactions: z.array(transaction), next_cursor: nextCursor }),
    http: { method: 'GET', path: '/api/transactions' },
    ipc: 'transactions_list',
    cli: {
      words: ['transactions'],
      columns: ['height', 'time', 'received_zatoshi', 'spent_zatoshi', 'txid'],
    },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'accounts.list': {
    actor: 'wallet',
    access: 'session',
    summary: 'The accounts of this wallet',
    input: z.strictObject({}),
    output: z.strictObject({ accounts: z.array(accountView) }),
    http: { method: 'GET', path: '/api/accounts' },
    ipc: 'accounts_list',
    cli: { words: ['accounts', 'list'] },
    errors: [...NEEDS_SESSION],
  },
  'accounts.create': {
    actor: 'wallet',
    access: 'password',
    summary:
      'Add the next ZIP 32 account to an unlocked wallet; blocks from its birthday must be scanned for it',
    input: z.strictObject({
      password: field.password,
      birthday_height: field.birthdayHeight.optional(),
      birthday: field.birthday.optional(),
    }),
    output: accountView,
    http: { method: 'POST', path: '/api/accounts' },
    ipc: 'accounts_create',
    cli: { words: ['accounts', 'create'] },
    errors: [...NEEDS_PASSWORD, 'WALLET_LOCKED', 'SYNC_IN_PROGRESS'],
  },
} as const satisfies Record<string, Operation>;
