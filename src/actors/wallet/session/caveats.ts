// Why the amounts of a wallet are not what they seem. Made here alone, and added to every answer whose operation has amounts of the
// wallet (`hasFunds`), so that no answer is without it.

import type { Handlers } from '../../../protocol/operations.ts';
import { type OperationName, operations } from '../../../protocol/operations.ts';
import { INCOMING_ONLY_WARNING, UNCERTAIN_WARNING } from '../noteViews/scanReach.ts';
import { paymentsMissing } from '../payments/book/paymentBook.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** All accounts of a wallet have keys of one kind. */
export const seesSpends = (session: Session): boolean => session.account(0).keys.kind === 'full';

export function caveatOf(session: Session): string | undefined {
  const { noteStore, payments } = session;
  const caveats = [
    ...(seesSpends(session) ? [] : [INCOMING_ONLY_WARNING]),
    ...(noteStore.isUncertain ? [UNCERTAIN_WARNING] : []),
    ...(payments.missingUntil === undefined ? [] : [paymentsMissing(payments.missingUntil)]),
  ];
  return caveats.length === 0 ? undefined : caveats.join(' ');
}

type Answer = { readonly warning?: string };
type Handler = (...call: readonly unknown[]) => Promise<Answer>;

/** The handlers, with the caveat as `warning` of each answer with amounts, before what it warns of itself. */
export function withCaveats(sessions: Sessions, handlers: Handlers<'wallet'>): Handlers<'wallet'> {
  const wrapped = Object.entries(handlers as unknown as Record<string, Handler>).map(([name, handler]) => {
    if (operations[name as OperationName].hasFunds !== true) return [name, handler];
    const withCaveat: Handler = async (...call) => {
      const answer = await handler(...call);
      const caveat = sessions.current && caveatOf(sessions.current);
      if (caveat === undefined) return answer;
      return { ...answer, warning: answer.warning === undefined ? caveat : `${caveat} ${answer.warning}` };
    };
    return [name, withCaveat];
  });
  return Object.fromEntries(wrapped) as Handlers<'wallet'>;
}
