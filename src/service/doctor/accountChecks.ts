// The open wallets: how far accounts of restored phrases were looked for, in numbers only, and whether Orchard has funds.

import type { Dispatcher } from '../../protocol/link.ts';
import type { Check } from '../../protocol/operations/system.ts';
import type { Output } from '../../protocol/operations.ts';
import { ok, warn } from './check.ts';

/** What each wallet that is open answers; it counts as no activity. A locked one is not asked: what it holds needs its session. */
export async function ofOpen<N extends 'sync.status' | 'balance.get' | 'wallet.status'>(
  name: N,
  link: Dispatcher,
  { wallets }: Output<'wallets.list'>,
  requestId: string,
): Promise<Output<N>[]> {
  const open = wallets.filter(({ unlocked }) => unlocked);
  const answers = await Promise.all(
    open.map(({ name: wallet }) => link.dispatch(name, {}, { requestId, byService: true, wallet })),
  );
  return answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
}

/** That there are some, not whose nor how much: the answer can be pasted where strangers read it. */
export const drainingCheck = (balances: readonly Output<'balance.get'>[]): Check =>
  ok(
    'orchard',
    balances.some(({ withdraw_only_zatoshi: draining }) => draining > 0)
      ? 'There are funds in Orchard, a pool that only drains: they can be spent, and whatever leaves it shows its amount. "wallet-companion balance" says how much of a wallet is there.'
      : 'No funds in Orchard are known of in the wallets that are open.',
  );

export function phraseCheck(statuses: readonly Output<'wallet.status'>[]): Check {
  const unconfirmed = statuses.filter(({ phrase_confirmed }) => phrase_confirmed === false).length;
  if (unconfirmed > 0)
    return warn(
      'recovery_phrase',
      `Wallets that are open and whose recovery phrase was not shown to be written down: ${unconfirmed}. Without it, a lost disk is lost money.`,
      'Run "wallet-companion wallet backup" for each; it shows the phrase and asks for three of its words.',
    );
  return ok(
    'recovery_phrase',
    statuses.length === 0
      ? 'No wallet is open, so it is not known whether each recovery phrase is written down.'
      : 'The recovery phrase of each wallet that is open and has one was confirmed.',
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
