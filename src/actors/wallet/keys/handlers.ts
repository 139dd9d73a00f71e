// Accounts and their addresses.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { SessionContext } from '../session/sessions.ts';
import type { Scans } from '../sync/scans.ts';
import { accountEntry, addressOf, createAccount, importAccount, nextAddress } from './accounts.ts';

export function keyHandlers(context: SessionContext & { readonly scans: Scans }): FeatureHandlers<'keys'> {
  const { sessions, scans } = context;
  return {
    'address.get': (input) => addressOf(context, input),
    'address.next': (input) => sessions.exclusive(() => nextAddress(context, input)),
    'accounts.list': () => {
      const session = sessions.use();
      return {
        accounts: session.accounts.map((account) => accountEntry(context, session, account)),
        seed_fingerprint: session.book.seedFingerprint ?? null,
      };
    },
    'accounts.create': (input, caller) => {
      sessions.use();
      return sessions.exclusiveTry(caller, (guard) =>
        scans.between(() => createAccount(context, guard, input)),
      );
    },
    'accounts.import_viewing_key': (input, caller) => {
      sessions.use();
      return sessions.exclusiveTry(caller, (guard) =>
        scans.between(() => importAccount(context, guard, input)),
      );
    },
  };
}
