// What BTCPay is told about the chain and the accounts, from what the companion says of them.

import type { Outputs } from '@wallet-companion/client/contract';
import { CompanionError } from '@wallet-companion/client/contract';

/** The plugin shows `fee / 1024 * 100` as network fee: ZIP 317's 10,000 zatoshi for a usual payment. */
export const FEE_ESTIMATE = 102_400;

/** Why the companion would not see a payment now; undefined where it would. */
export function troubleOf({ state, failure }: Outputs['follow.get']): CompanionError | undefined {
  switch (state) {
    case 'off':
      return new CompanionError(
        'NOT_READY',
        'The companion does not follow the chain, so it sees no payment. Start it with "serve --follow --keep-open", or call "follow set on".',
      );
    case 'waiting_for_unlock':
      return new CompanionError(
        'WALLET_LOCKED',
        'The wallet is locked, or there is none, so no payment is seen. Unlock it, and start the companion with "serve --follow --keep-open" so that it stays open.',
      );
    case 'backing_off':
      return new CompanionError(
        'NOT_READY',
        `The companion's last look at the chain failed${failure === null ? '' : ` (${failure.code})`}. It tries again; "wallet-companion doctor" says what is wrong.`,
      );
    default:
      return undefined;
  }
}

/** A chain tip that is not known yet is ahead: BTCPay would take its absence for "synced". */
export const syncInfo = ({ last_scan_height: height, chain_tip: tip }: Outputs['sync.status']) => ({
  height,
  target_height: tip ?? height + 1,
});

export function accountsAnswer(
  accounts: readonly { account: number; address: string; balance: Outputs['balance.get'] }[],
) {
  const shown = accounts.map(({ account, address, balance }) => ({
    account_index: account,
    balance: balance.total_zatoshi,
    base_address: address,
    label: `account ${account}`,
    tag: '',
    // Null in a wallet that does not see spends.
    unlocked_balance: balance.spendable_zatoshi ?? balance.confirmed_zatoshi,
  }));
  return {
    subaddress_accounts: shown,
    total_balance: shown.reduce((sum, { balance }) => sum + balance, 0),
    total_unlocked_balance: shown.reduce((sum, account) => sum + account.unlocked_balance, 0),
  };
}
