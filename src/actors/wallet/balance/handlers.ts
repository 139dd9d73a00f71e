// The balance of an open wallet.

import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { isWithdrawOnly, POOLS, type Pool, perPool } from '@wallet-companion/zcash/pools';
import type { FeatureHandlers, Input, Output } from '../../../protocol/operations.ts';
import { type UnminedSums, unminedSums } from '../mempool/mempoolView.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import { isOf, scanReach } from '../noteViews/scanReach.ts';
import { confirmations, confirmationTop, type ReservedBy } from '../noteViews/views.ts';
import { spendableNow } from '../payments/spendable.ts';
import type { WalletContext } from '../wallet/walletContext.ts';

export const balanceHandlers = (context: WalletContext): FeatureHandlers<'balance'> => ({
  'balance.get': (input, caller) => {
    const { environment, sessions, mempool, params, payments } = context;
    const { min_confirmations: confirmations } = environment.configFile.get();
    const session = sessions.read(caller, input.account);
    const unmined = unminedSums(session, mempool.state(session), input.account);
    const { total_zatoshi, ...balance } = balanceView(
      session.noteStore,
      input,
      confirmations,
      params,
      unmined,
      payments.reservedBy(session),
    );
    return {
      total_zatoshi,
      ...spendableNow(context, session, input.account),
      ...balance,
    };
  },
});

// The balance in the form that clients see. A pure function.

const NOT_LOOKED: UnminedSums = {
  unconfirmed_zatoshi: null,
  spent_unconfirmed_zatoshi: null,
  unconfirmed_as_of: null,
};

type PoolBalance = Output<'balance.get'>['pools'][Pool];

function balanceView(
  noteStore: NoteStore,
  input: Input<'balance.get'>,
  minConfirmations: number,
  { activation }: Pick<NetworkParameters, 'activation'>,
  unmined: UnminedSums = NOT_LOOKED,
  reservedBy: ReservedBy = () => undefined,
): Omit<Output<'balance.get'>, 'spendable_zatoshi' | 'payments_at_once'> {
  const pools = perPool((): { -readonly [K in keyof PoolBalance]: number } => ({
    total_zatoshi: 0,
    confirmed_zatoshi: 0,
    note_count: 0,
  }));
  const top = confirmationTop(noteStore);
  let reserved = 0;
  for (const note of noteStore.notes) {
    if (note.spent !== null || !isOf(input.account, note)) continue;
    const pool = pools[note.pool];
    pool.total_zatoshi += note.value;
    pool.note_count += 1;
    if (reservedBy(note) !== undefined) reserved += note.value;
    if (confirmations(top, note.height) >= minConfirmations) pool.confirmed_zatoshi += note.value;
  }
  const draining = POOLS.filter((pool) => isWithdrawOnly(pool, activation, top + 1));
  const sum = (field: keyof PoolBalance) => POOLS.reduce((total, pool) => total + pools[pool][field], 0);
  const total = sum('total_zatoshi');
  const confirmed = sum('confirmed_zatoshi');
  const { asOfHeight, complete, missing, verifiedWith } = scanReach(noteStore, input.account);
  const asOf = asOfHeight === null ? undefined : noteStore.block(asOfHeight);
  return {
    total_zatoshi: total,
    confirmed_zatoshi: confirmed,
    pending_zatoshi: total - confirmed,
    reserved_zatoshi: reserved,
    withdraw_only_zatoshi: draining.reduce((total, pool) => total + pools[pool].total_zatoshi, 0),
    ...unmined,
    note_count: sum('note_count'),
    pools,
    as_of_height: asOfHeight,
    as_of_hash: asOf === undefined ? null : blockHashToHex(asOf.hash),
    complete,
    missing_ranges: missing,
    accounts_searched: noteStore.accountsSearched,
    verified_with: verifiedWith,
  };
}
