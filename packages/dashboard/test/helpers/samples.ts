// What the companion answers, as the model gets it: one transaction, a balance, and the characters of a QR code.

import type { Output } from '@wallet-companion/client';

export const transaction: Output<'transactions.list'>['transactions'][number] = {
  txid: '1ed1dae8155692ded03719c16a9db96bf54a483db3482b229d3016163a508bda',
  height: 1_000_003,
  time: '2026-01-02T03:04:05Z',
  block_hash: '9c37deba104b62d674312630c43606e8132450bbe3f8fa749b0e4fcb7233a6a4',
  confirmations: 47,
  verified_with: 'node',
  received_zatoshi: 3_411_110,
  spent_zatoshi: 0,
  fee_zatoshi: null,
  received_outputs: [
    {
      account: 0,
      pool: 'orchard',
      scope: 'external',
      output_index: 1,
      value_zatoshi: 3_411_110,
      diversifier_index: '0',
      label: 'donations',
      memo: { text: 'order 1042' },
    },
  ],
  sent_outputs: [],
  complete: true,
};

const pool = { total_zatoshi: 5, confirmed_zatoshi: 4, note_count: 1 };

export const balance: Output<'balance.get'> = {
  total_zatoshi: 15,
  spendable_zatoshi: 15,
  payments_at_once: 3,
  confirmed_zatoshi: 12,
  pending_zatoshi: 3,
  reserved_zatoshi: 0,
  withdraw_only_zatoshi: 0,
  unconfirmed_zatoshi: 0,
  spent_unconfirmed_zatoshi: 0,
  unconfirmed_as_of: null,
  note_count: 3,
  pools: { sapling: pool, orchard: pool, ironwood: pool },
  as_of_height: 1_000_049,
  as_of_hash: transaction.block_hash,
  complete: false,
  missing_ranges: [{ start_height: 10, end_height: 20 }],
  accounts_searched: null,
  verified_with: null,
};

/** Two rows of modules on each line, as the companion writes a code. */
export function qrCharacters(rows: readonly (readonly boolean[])[]): string {
  const lines = rows.filter((_, y) => y % 2 === 0);
  const character = (upper: boolean, lower: boolean) =>
    upper ? (lower ? '\u2588' : '\u2580') : lower ? '\u2584' : ' ';
  return lines
    .map((line, y) => `${line.map((upper, x) => character(upper, rows[2 * y + 1]?.[x] ?? false)).join('')}\n`)
    .join('');
}
