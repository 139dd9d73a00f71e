// The accounts of the open wallets: how far those of restored phrases were looked for. Numbers only.

import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import type { Dispatcher } from '../../protocol/link.ts';
import type { Check } from '../../protocol/operations/doctor.ts';
import type { Output } from '../../protocol/operations.ts';
import { ok, warn } from './check.ts';

/** What each wallet that is open answers; it counts as no activity. */
export async function ofOpen<N extends 'sync.status' | 'balance.get'>(
  name: N,
  link: Dispatcher,
  { wallets }: Output<'wallets.list'>,
  requestId: string,
): Promise<Output<N>[]> {
  const open = wallets.filter(({ unlocked }) => unlocked);
  const answers = await Promise.all(
    open.map(({ name: wallet }) =>
      link.dispatch(
        name,
        {},
        { requestId, byService: true, ...(wallet === DEFAULT_WALLET ? {} : { wallet }) },
      ),
    ),
  );
  return answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
}

/** How many wallets, and no amounts. */
export function drainingCheck(balances: readonly Output<'balance.get'>[]): Check {
  const holders = balances.filter(({ withdraw_only_zatoshi: draining }) => draining > 0).length;
  return ok(
    'orchard',
    holders === 0
      ? 'No wallet that is open has funds in Orchard.'
      : `Wallets that are open and have funds in Orchard: ${holders}. That pool only drains: they can be spent, and whatever leaves it shows its amount.`,
  );
}

export function accountsCheck(statuses: readonly Output<'sync.status'>[]): Check {
  const shared = statuses.flatMap(({ shared_accounts }) => shared_accounts);
  if (shared.length > 0)
    return warn(
      'accounts',
      `Accounts whose viewing key has a part in common with that of an account before, so that both see the same notes: ${shared.join(', ')}. Each note counts once, for the lower number.`,
      'Rescan ("wallet-companion wallet rescan", then "sync --to-tip"), so that notes that had moved come back, and use the lower account. A wallet without the other one is made from its viewing keys ("wallet import-viewing-key").',
    );
  const searching = statuses.filter(({ accounts_searched }) => accounts_searched !== null);
  if (searching.length === 0) return ok('accounts', 'No restored phrase is open, so none are looked for.');
  const what = `Accounts of restored phrases that were looked at without a gap, in each wallet that is open: ${searching
    .map(({ accounts_searched }) => accounts_searched)
    .join(', ')}.`;
  return searching.every(({ complete }) => complete)
    ? ok('accounts', what)
    : warn(
        'accounts',
        `${what} The search is not complete.`,
        'Unlock each wallet once with its password, then "wallet-companion sync --to-tip".',
      );
}
