// The owner's calls about grants and about extensions that ask to be let in.

import { agreesWith, timeText } from '@wallet-companion/base/values';
import type { FeatureHandlers, HandlerContext } from '../protocol/operations.ts';
import type { AccessSettings } from './access.ts';
import { endAfter, type GrantView, viewOf } from './grant.ts';
import type { GrantBook, Made } from './grantBook.ts';
import type { GrantLog } from './grantLog.ts';
import type { PageCodes } from './pageCodes.ts';
import type { Pairings } from './pairings.ts';
import type { Till } from './till.ts';

const DEFAULT_LINES = 100;

export interface GrantHandlersContext {
  readonly book: GrantBook;
  readonly pages: PageCodes;
  readonly pairings: Pairings;
  readonly till: Till;
  readonly log: GrantLog;
  readonly settings: () => AccessSettings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Of the newest scanned block, in seconds since 1970; null where it is not known. */
  readonly scannedTime: (requestId: string) => Promise<number | null>;
}

export function grantHandlers(
  context: GrantHandlersContext,
): FeatureHandlers<'grants', 'service'> & FeatureHandlers<'pairing', 'service'> {
  const { book, pages, pairings, till, log, settings, now, scannedTime } = context;
  const view = (grant: Parameters<typeof viewOf>[0]): GrantView => viewOf(grant, now());
  const mended = ({ requestId }: HandlerContext): Promise<void> =>
    book.mend(async () => agreesWith(await scannedTime(requestId), now()));
  const withToken = ({ grant, token }: Made) => ({ grant: view(grant), token });
  return {
    'grants.list': async (_input, caller) => {
      if (caller.byService !== true) await mended(caller);
      return {
        anonymous_access: settings().anonymousAccess,
        allowed_origins: [...settings().allowedOrigins],
        grants: book.all.map(view),
      };
    },
    'grants.create': async ({ name, scopes, wallets, days, ...limits }) => {
      const wanted = { name, scopes, wallets, expiresAt: endAfter(days, now()), limits };
      return withToken(await book.create(wanted));
    },
    'grants.narrow': async ({ grant, scopes, wallets, days, ...limits }, caller) => {
      await mended(caller);
      const expiresAt = endAfter(days, now()) ?? undefined;
      return view(await book.narrow(grant, { scopes, wallets, expiresAt, limits }));
    },
    'grants.rotate': async ({ grant }) => withToken(await book.rotate(grant)),
    'grants.revoke': async ({ grant }) => {
      const known = book.named(grant);
      const ended = view(known);
      if (known.origin === null) await book.revoke(known.id);
      // Its origin may be in config.json as well, which would allow it more than the grant did.
      else await pairings.revoke({ origin: known.origin });
      return ended;
    },
    'grants.log': ({ grant, limit = DEFAULT_LINES }) => {
      const known = grant === undefined ? undefined : (book.withName(grant) ?? book.withOrigin(grant));
      // A grant that is gone has its lines still.
      return { lines: log.lines(limit, known?.id ?? grant) };
    },
    'grants.page_code': () => {
      const { code, until: end } = pages.code();
      return { code, expires_at: timeText(end) };
    },
    'grants.open_page': ({ code }) => ({ token: pages.exchange(code) }),
    'till.get': () => ({ is_on: book.till !== undefined }),
    'till.start': async ({ pin, wallets }) => withToken(await till.start(pin, wallets)),
    'till.lock': async (_input, { grant }) => {
      await till.lock(grant);
      return { is_on: true };
    },
    'till.unlock': async ({ pin }) => withToken(await till.unlock(pin)),
    'till.end': async (_input, { byOwner }) => {
      await till.end();
      // The page in which the password was typed is the owner's again.
      const needsToken = byOwner !== true && settings().anonymousAccess !== 'full';
      return { token: needsToken ? pages.exchange(pages.code().code) : null };
    },
    'pairing.request': (input, { origin }) => pairings.request(input, origin),
    'pairing.list': () => pairings.list(),
    'pairing.allow': (input) => pairings.allow(input),
    'pairing.refuse': (input) => pairings.refuse(input),
    'pairing.revoke': (input) => pairings.revoke(input),
  };
}
