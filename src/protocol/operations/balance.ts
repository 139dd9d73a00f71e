// The balance of an open wallet.

import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_SESSION, type Operation } from '../operation.ts';
import { unminedAmounts } from './mempool.ts';

const poolBalance = z.strictObject({
  total_zatoshi: field.zatoshi,
  confirmed_zatoshi: field.zatoshi,
  note_count: field.count,
});

export const balanceOperations = {
  'balance.get': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'Shielded balance, per pool, and what has not been scanned yet',
    input: z.strictObject({ account: field.onlyAccount }),
    output: z.strictObject({
      total_zatoshi: field.zatoshi.describe('Unspent mined notes'),
      spendable_zatoshi: field.zatoshi
        .nullable()
        .describe(
          'Part of the total that a payment could spend now: deep enough (10 confirmations, change 3), not reserved, not spent in the mempool, and more than dust. Null where no payment can be prepared: blocks are missing, the scan is still below NU5, or this wallet does not see spends',
        ),
      payments_at_once: field.count
        .nullable()
        .describe(
          'How many payments could be made now without waiting for the change of another: each takes a note of its own that is worth more than its fee. Null as above',
        ),
      confirmed_zatoshi: field.zatoshi,
      pending_zatoshi: field.zatoshi.describe('Notes below `min_confirmations`'),
      reserved_zatoshi: field.zatoshi.describe(
        'Part of the total: notes of prepared payments that may still be mined',
      ),
      withdraw_only_zatoshi: field.zatoshi.describe(
        'Part of the total: in a pool that only drains (Orchard, since Ironwood). It can be spent; nothing is paid into it any more, and whatever leaves it shows its amount to everybody',
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
      accounts_searched: field.accountsSearched,
      verified_with: field.verifier
        .nullable()
        .describe(
          '`node`: the chain node gave every block that was scanned; `work`: peers gave some of them; null: of some a compact server alone says what is in them (`GET /api/coverage` names them), or nothing was scanned',
        ),
      warning: field.warning,
    }),
    http: { method: 'GET', path: '/api/balance' },
    ipc: 'balance',
    cli: {
      words: ['balance'],
      amountsFromScan: true,
      lines: [
        'total_zatoshi',
        'spendable_zatoshi',
        'payments_at_once',
        'pending_zatoshi',
        'reserved_zatoshi',
        'withdraw_only_zatoshi',
        'unconfirmed_zatoshi',
        'spent_unconfirmed_zatoshi',
        'as_of_height',
        'complete',
        'verified_with',
        'warning',
      ],
    },
    hasFunds: true,
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT'],
  },
} as const satisfies Record<string, Operation>;
