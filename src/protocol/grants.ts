// What callers that are not the owner may do, as every front and actor has to know it: scopes, what an operation is open
// to, and the part of a grant that travels with a call. The decisions themselves are in src/grants.

import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { badField, type CompanionError, type ErrorCode } from './errors.ts';

/** `admin` has all others. */
export const SCOPES = ['read', 'sync', 'invoice', 'prepare', 'send', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Stands for all wallets in a grant. */
export const EVERY_WALLET = '*';

/** `anyone`: also a caller that has no grant. `owner`: no grant ever. Else a grant with one of the scopes. */
export type Reach = 'anyone' | 'owner' | readonly [Scope, ...Scope[]];

/** For what a grant of any kind needs to work at all. */
export const ANY_SCOPE = SCOPES;

export interface GrantLimits {
  /** What one payment, and all that were prepared within 24 hours, may move out of the wallet, without fees. */
  readonly payment_zatoshi?: number | undefined;
  readonly day_zatoshi?: number | undefined;
  /** Addresses as they are written in payments; absent: any. */
  readonly payees?: readonly string[] | undefined;
  readonly calls_per_minute?: number | undefined;
}

/** The caller, for an actor: absent for the owner and for those whom nothing limits. Plain data. */
export interface CallingGrant {
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly wallets: readonly string[];
  readonly limits: GrantLimits;
}

/** What a caller may do now. */
export interface Permit {
  /** Who it is, for the log of grants and for what is counted for each caller. */
  readonly id: string;
  readonly name: string;
  /** `all`: the owner, or those who are not told apart from the owner. */
  readonly scopes: readonly Scope[] | 'all';
  /** Names, or `*`. */
  readonly wallets: readonly string[];
  readonly limits: GrantLimits;
  /** Recognises the token that was shown: another one has taken its place where the grant has another. */
  readonly tokenHash?: string | null;
  /** Why a caller without scopes has none. */
  readonly refusal?: CompanionError;
}

/** A call, or another thing to be looked at. */
export interface Asked {
  readonly name: string;
  readonly reach: Reach;
  /** The wallet's name; null where it concerns the companion as a whole. */
  readonly wallet: string | null;
}

/** What a caller shows of itself. */
export interface Credentials {
  readonly token?: string | undefined;
  /** The header that browsers set. */
  readonly origin?: string | undefined;
}

/** What the fronts need to tell callers apart. */
export interface AccessControl {
  /** Never throws: what the caller may not do is refused when it is asked for. */
  permitOf(credentials: Credentials): Permit;
  /** For a program's token alone: the page's is for pages. Never throws. */
  grantOf(token: string): Permit;
  /** Whether this extension was let in, be it that its time is over. */
  knowsOrigin(origin: string): boolean;
  /** The permit as it is now: without scopes and wallets where it holds no more. `asked`: throws where that is not open to it now. */
  renewed(permit: Permit, asked?: Asked): Permit;
  /** The one check: throws before `work` is begun. What a grant did, and with which result, is kept. */
  during<T>(permit: Permit, asked: Asked, work: () => Promise<T>): Promise<T>;
}

export const hasScope = ({ scopes }: Pick<Permit, 'scopes'>, wanted: readonly Scope[]): boolean =>
  scopes === 'all' || scopes.includes('admin') || wanted.some((scope) => scopes.includes(scope));

/** `wallet`: undefined for the default one. */
export const mayUseWallet = ({ wallets }: Pick<Permit, 'wallets'>, wallet?: string): boolean =>
  wallets.includes(EVERY_WALLET) || wallets.includes(wallet ?? DEFAULT_WALLET);

/** Whether the permit is open to it. */
export function reaches(permit: Permit, reach: Reach): boolean {
  if (reach === 'anyone' || permit.scopes === 'all') return true;
  return reach !== 'owner' && hasScope(permit, reach);
}

/** Throws `GRANT_SCOPE`, which names what is missing, or why the caller has no grant (`GRANT_REQUIRED`, `GRANT_EXPIRED`). */
export function requireReach(permit: Permit, { reach, wallet }: Asked): void {
  if (!reaches(permit, reach)) throw permit.refusal ?? lackingScope(reach);
  if (reach === 'anyone' || permit.scopes === 'all') return;
  if (wallet !== null && !mayUseWallet(permit, wallet)) throw notItsWallet();
  // What changes the whole companion is for grants on every wallet; what reads it leaves out the other wallets.
  const isRead = reach.includes('read') || reach.includes('sync');
  if (wallet === null && !isRead && !permit.wallets.includes(EVERY_WALLET))
    throw missing('This needs a grant for every wallet.', 'wallet', 'needs every wallet');
}

function lackingScope(reach: Reach): CompanionError {
  if (typeof reach === 'string')
    return missing(
      'No grant reaches this: use the command line of this machine, or the dashboard.',
      'scope',
      'is open to the owner alone',
    );
  const wanted = named(reach);
  const detail = `The grant lacks the scope ${wanted}. Ask the owner for one that has it.`;
  return missing(detail, 'scope', `needs ${wanted}`);
}

const named = (scopes: readonly Scope[]): string => scopes.map((scope) => `"${scope}"`).join(' or ');

export const notItsWallet = (): CompanionError =>
  missing('The grant is for other wallets than this one.', 'wallet', 'is none that the grant is for');

const missing = (detail: string, path: string, message: string): CompanionError =>
  badField(path, message, detail, 'GRANT_SCOPE');

/** What a grant makes itself, and may be all that it has to do with. */
export type Owned = 'payment' | 'invoice';

/** Those that others made: payments are for grants that may pay any amount to anyone, invoices for grants that read. */
const mayHaveOthers: Readonly<Record<Owned, (caller: Pick<Permit, 'scopes' | 'limits'>) => boolean>> = {
  payment: ({ limits: { payees, payment_zatoshi, day_zatoshi } }) =>
    payees === undefined && payment_zatoshi === undefined && day_zatoshi === undefined,
  invoice: (caller) => hasScope(caller, ['read']),
};

/** Whether the caller has to do with one that this grant made (none: the owner). */
export const mayHave = (
  owned: Owned,
  caller: Pick<Permit, 'id' | 'scopes' | 'limits'> | undefined,
  madeBy: string | null | undefined,
): boolean => caller === undefined || madeBy === caller.id || mayHaveOthers[owned](caller);

/** What an actor has to know of the caller; undefined where nothing limits it. */
export const callingGrant = ({ id, scopes, wallets, limits }: Permit): CallingGrant | undefined =>
  scopes === 'all' ? undefined : { id, scopes, wallets, limits };

/** Members of any input that lead to servers and files of the caller's choice, or to work that the owner has not set up. */
export const ADMIN_FIELDS = ['node_url', 'compact_server_url', 'db_path', 'verify_with'] as const;

/** With these a wallet may be opened. */
export const OPENING: readonly [Scope, ...Scope[]] = ['read', 'sync', 'prepare', 'send'];

/** Throws `GRANT_SCOPE` for what a grant may not send with any call. A password opens the wallet, which has its own scopes. */
export function requireInput(
  grant: CallingGrant | undefined,
  { handled, password }: { readonly handled: object; readonly password: Uint8Array | undefined },
  isOfWallet: boolean,
): void {
  if (grant === undefined) return;
  const field = ADMIN_FIELDS.find((name) => (handled as Record<string, unknown>)[name] !== undefined);
  if (field !== undefined && !hasScope(grant, ['admin'])) {
    const detail = `The grant lacks the scope "admin", without which ${field} cannot be given. Leave it out.`;
    throw missing(detail, field, 'needs "admin"');
  }
  if (password === undefined) return;
  if (!hasScope(grant, OPENING)) {
    const detail = `A password opens the wallet, which needs the scope ${named(OPENING)}. Leave it out.`;
    throw missing(detail, 'password', `needs ${named(OPENING)}`);
  }
  // That of the default wallet is meant.
  if (!isOfWallet && !mayUseWallet(grant)) throw notItsWallet();
}

/** Codes that any operation can answer to a caller that is not the owner. */
export const GRANT_ERRORS: readonly ErrorCode[] = [
  'GRANT_REQUIRED',
  'GRANT_EXPIRED',
  'GRANT_SCOPE',
  'RATE_LIMITED',
];

// What callers over HTTP may do without a grant (config.json).
export const ANONYMOUS_ACCESS = ['full', 'read', 'none'] as const;
export type AnonymousAccess = (typeof ANONYMOUS_ACCESS)[number];
