// The link with calls for one wallet. A name without a wallet is answered with the names that there are for this caller.

import { CompanionError } from '../protocol/errors.ts';
import type { Dispatcher } from '../protocol/link.ts';
import { failure, type Result } from '../protocol/result.ts';

/** Undefined: the default wallet. */
export const ofWallet = (link: Dispatcher, wallet: string | undefined): Dispatcher =>
  wallet === undefined
    ? link
    : {
        dispatch: async (name, input, context) => {
          const result = await link.dispatch(name, input, { ...context, wallet });
          if (result.ok || result.error.code !== 'NO_WALLET') return result;
          const listed = await link.dispatch('wallets.list', {}, { requestId: context.requestId });
          const names = listed.ok ? listed.value.wallets.filter(({ exists }) => exists) : [];
          if (names.some((one) => one.name === wallet)) return result;
          return noSuchWallet(
            wallet,
            names.map((one) => one.name),
          );
        },
      };

function noSuchWallet(wallet: string, names: readonly string[]): Result<never> {
  const others = names.length === 0 ? 'There is none yet' : `There is ${names.join(', ')}`;
  return failure(
    new CompanionError(
      'NO_WALLET',
      `There is no wallet named ${wallet}. ${others}; "--wallet ${wallet} wallet create" makes this one.`,
    ),
  );
}
