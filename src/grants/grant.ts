// A grant as it is kept, and the rules for its parts.

import { createHash, timingSafeEqual } from 'node:crypto';
import { timeText, timeTextOrNull } from '@wallet-companion/base/values';
import { badField, CompanionError } from '../protocol/errors.ts';
import { EVERY_WALLET, type GrantLimits, hasScope, type Permit, type Scope } from '../protocol/grants.ts';
import type { Output } from '../protocol/operations.ts';

/** Times in milliseconds since 1970. */
export interface Grant {
  /** 16 hexadecimal digits, random. */
  readonly id: string;
  readonly name: string;
  /** The extension that was let in; null: a program. */
  readonly origin: string | null;
  /** SHA-256 of the token, in hexadecimal; null for an extension without one. */
  readonly tokenHash: string | null;
  readonly scopes: readonly Scope[];
  /** Names, or `*`. */
  readonly wallets: readonly string[];
  readonly expiresAt: number | null;
  readonly limits: GrantLimits;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  /** That of the till (till.ts) alone. */
  readonly pin?: Pin | undefined;
}

/** What recognises a PIN, in hexadecimal, and how often it was typed wrong since it was right. */
export interface Pin {
  readonly salt: string;
  readonly hash: string;
  readonly wrongTries: number;
}

/** Beside config.json; changed as a whole. */
export interface GrantFile {
  read(): readonly Grant[];
  /** Durable when it resolves. */
  write(grants: readonly Grant[]): Promise<void>;
}

export type GrantView = Output<'grants.narrow'>;

const DAY_MS = 24 * 3_600_000;

/** When so many days from `now` are over; null: without an end. */
export const endAfter = (days: number | null | undefined, now: number): number | null =>
  days === null || days === undefined ? null : now + days * DAY_MS;

export const isExpired = ({ expiresAt }: Pick<Grant, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && now >= expiresAt;

/** The same grant, made now: it lasts as long as it was given for. An end before its making is a right clock's. */
export const remadeAt = (grant: Grant, now: number): Grant => ({
  ...grant,
  createdAt: now,
  expiresAt:
    grant.expiresAt === null || grant.expiresAt < grant.createdAt
      ? grant.expiresAt
      : grant.expiresAt - grant.createdAt + now,
  lastUsedAt: grant.lastUsedAt === null ? null : Math.min(grant.lastUsedAt, now),
});

export const viewOf = (grant: Grant, now: number): GrantView => ({
  id: grant.id,
  name: grant.name,
  origin: grant.origin,
  scopes: [...grant.scopes],
  wallets: [...grant.wallets],
  expires_at: timeTextOrNull(grant.expiresAt),
  expired: isExpired(grant, now),
  limits: {
    payment_zatoshi: grant.limits.payment_zatoshi ?? null,
    day_zatoshi: grant.limits.day_zatoshi ?? null,
    payees: grant.limits.payees === undefined ? null : [...grant.limits.payees],
    calls_per_minute: grant.limits.calls_per_minute ?? null,
  },
  created_at: timeText(grant.createdAt),
  last_used_at: timeTextOrNull(grant.lastUsedAt),
});

export const permitOf = ({ id, name, scopes, wallets, limits, ...grant }: Grant, now: number): Permit =>
  isExpired(grant, now)
    ? refusedPermit(id, name, new CompanionError('GRANT_EXPIRED', EXPIRED))
    : { id, name, scopes, wallets, limits, tokenHash: grant.tokenHash };

const EXPIRED = 'The time of this grant is over. Ask the owner for another one.';

export const refusedPermit = (id: string, name: string, refusal: CompanionError): Permit => ({
  id,
  name,
  scopes: [],
  wallets: [],
  limits: {},
  refusal,
});

/** What a grant may lose. Undefined: as before. */
export interface Narrowing {
  readonly scopes?: readonly Scope[] | undefined;
  readonly wallets?: readonly string[] | undefined;
  readonly expiresAt?: number | undefined;
  readonly limits: GrantLimits;
}

/** Throws `INVALID_REQUEST` where something would be added. */
export function narrow<G extends Pick<Grant, 'scopes' | 'wallets' | 'expiresAt' | 'limits'>>(
  grant: G,
  { scopes = grant.scopes, wallets = grant.wallets, expiresAt, limits }: Narrowing,
): G {
  if (!scopes.every((scope) => hasScope(grant, [scope]))) throw wider('scopes');
  const hasAll = grant.wallets.includes(EVERY_WALLET);
  if (!wallets.every((name) => hasAll || grant.wallets.includes(name))) throw wider('wallets');
  if (expiresAt !== undefined && grant.expiresAt !== null && expiresAt > grant.expiresAt) throw wider('days');
  return {
    ...grant,
    scopes: [...new Set(scopes)],
    wallets: [...new Set(wallets)],
    expiresAt: expiresAt ?? grant.expiresAt,
    limits: narrowedLimits(grant.limits, limits),
  };
}

function narrowedLimits(before: GrantLimits, wanted: GrantLimits): GrantLimits {
  for (const name of ['payment_zatoshi', 'day_zatoshi', 'calls_per_minute'] as const) {
    const [had, has] = [before[name], wanted[name]];
    if (had !== undefined && has !== undefined && has > had) throw wider(name);
  }
  const { payees } = before;
  if (payees !== undefined && wanted.payees?.some((payee) => !payees.includes(payee))) throw wider('payees');
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(given) };
}

const wider = (path: string): CompanionError =>
  badField(
    path,
    'must not be more than before',
    `A grant can only be narrowed: ${path} would be more than before.`,
  );

// Secrets that open something to the one that sends them: what is kept of them is a hash, which opens nothing.

const BYTES = 32;

/** SHA-256, in hexadecimal. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** `token`: 32 random bytes in base64url. */
export function freshToken(randomBytes: (length: number) => Uint8Array): {
  readonly token: string;
  readonly hash: string;
} {
  const token = Buffer.from(randomBytes(BYTES)).toString('base64url');
  return { token, hash: tokenHash(token) };
}

/** In constant time. */
export const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other));
