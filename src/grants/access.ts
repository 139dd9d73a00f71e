// Tells callers apart, and checks every call of one that is not the owner as far as that needs no input: the actor that answers judges
// the rest by the same row (protocol/dispatch.ts).

import type { Clocks } from '@wallet-companion/base/async';
import { CompanionError, toErrorRecord } from '../protocol/errors.ts';
import {
  type AccessControl,
  type AnonymousAccess,
  type Asked,
  type Credentials,
  EVERY_WALLET,
  type Permit,
  requireReach,
  type Scope,
} from '../protocol/grants.ts';
import { permitOf, refusedPermit } from './grant.ts';
import type { GrantBook } from './grantBook.ts';
import type { GrantLog } from './grantLog.ts';
import type { PageCodes } from './pageCodes.ts';

export interface AccessSettings {
  readonly anonymousAccess: AnonymousAccess;
  /** Origins of config.json. */
  readonly allowedOrigins: readonly string[];
}

export interface AccessEnvironment extends Clocks {
  /** Read at each call. */
  readonly settings: () => AccessSettings;
  readonly book: GrantBook;
  readonly pages: PageCodes;
  readonly log: GrantLog;
}

/** In a minute: what was refused to one caller, or done by those without a grant, and what one grant has done. */
const MOST_LINES = 30;
const MOST_LINES_DONE = 300;

/** Their calls are not written down: there is nothing to tell apart. */
const OWNER = 'owner';
const PAGE = 'page';
export const ANONYMOUS = 'anonymous';
/** With a token that holds nowhere. */
const UNKNOWN = 'unknown';
const WITHOUT_GRANT = [ANONYMOUS, UNKNOWN];

const everything = (id: string): Permit => ({
  id,
  name: id,
  scopes: 'all',
  wallets: [EVERY_WALLET],
  limits: {},
});

const withScopes = (id: string, scopes: readonly Scope[]): Permit => ({ ...everything(id), scopes });

export class Access implements AccessControl {
  readonly #environment: AccessEnvironment;
  /** By grant, where its calls are limited. */
  readonly #calls: LastMinute;
  /** Lines that were written, by caller and result. */
  readonly #lines: LastMinute;

  constructor(environment: AccessEnvironment) {
    this.#environment = environment;
    this.#calls = new LastMinute(environment.elapsed);
    this.#lines = new LastMinute(environment.elapsed);
  }

  permitOf({ token, origin }: Credentials): Permit {
    const { book, pages, settings, now } = this.#environment;
    if (token !== undefined) {
      const grant = book.withToken(token, origin);
      if (grant !== undefined) return permitOf(grant, now());
      const page = pages.withToken(token);
      return page === undefined ? refused(UNKNOWN, UNKNOWN_TOKEN) : everything(`${PAGE} ${page}`);
    }
    const { allowedOrigins } = settings();
    const grant = origin === undefined ? undefined : book.withOrigin(origin);
    if (grant !== undefined)
      return grant.tokenHash === null ? permitOf(grant, now()) : refused(UNKNOWN, NO_TOKEN);
    if (origin !== undefined && allowedOrigins.includes(origin)) return withScopes(origin, ['admin']);
    switch (this.#anonymousAccess) {
      case 'full':
        return everything(OWNER);
      case 'read':
        return { ...refused(ANONYMOUS, ONLY_READ), ...withScopes(ANONYMOUS, ['read']) };
      case 'none':
        return refused(ANONYMOUS, book.till === undefined ? NOTHING : TILL);
    }
  }

  /** The page of the till has only to leave its token out to be a caller without one. */
  get #anonymousAccess(): AnonymousAccess {
    const { book, settings } = this.#environment;
    return book.till === undefined ? settings().anonymousAccess : 'none';
  }

  grantOf(token: string): Permit {
    const { book, now } = this.#environment;
    const grant = book.withToken(token);
    return grant === undefined ? refused(UNKNOWN, UNKNOWN_TOKEN) : permitOf(grant, now());
  }

  knowsOrigin(origin: string): boolean {
    const { book, settings } = this.#environment;
    return book.withOrigin(origin) !== undefined || settings().allowedOrigins.includes(origin);
  }

  renewed(before: Permit, asked?: Asked): Permit {
    const permit = this.#renewed(before);
    if (asked !== undefined) requireReach(permit, asked);
    return permit;
  }

  #renewed({ id, tokenHash }: Permit): Permit {
    const { book, pages, settings, now } = this.#environment;
    const grant = book.withId(id);
    if (grant !== undefined)
      return grant.tokenHash === tokenHash ? permitOf(grant, now()) : refused(UNKNOWN, UNKNOWN_TOKEN);
    const { allowedOrigins } = settings();
    const anonymousAccess = this.#anonymousAccess;
    const isPage = id.startsWith(`${PAGE} `) && pages.isOpen(id.slice(PAGE.length + 1));
    if (isPage || (id === OWNER && anonymousAccess === 'full')) return everything(id);
    if (id === ANONYMOUS && anonymousAccess === 'read') return withScopes(id, ['read']);
    return allowedOrigins.includes(id) ? withScopes(id, ['admin']) : refused(id, UNKNOWN_TOKEN);
  }

  async during<T>(permit: Permit, asked: Asked, work: () => Promise<T>): Promise<T> {
    // Nothing is refused to these, and nothing written down about them.
    const hasNoGrant = permit.scopes.length === 0 || WITHOUT_GRANT.includes(permit.id);
    if (permit.scopes === 'all' || (asked.reach === 'anyone' && hasNoGrant)) return work();
    const { book, log } = this.#environment;
    let result = 'ok';
    try {
      requireReach(permit, asked);
      this.#requireRate(permit);
      book.used(permit.id);
      return await work();
    } catch (error) {
      result = toErrorRecord(error).code;
      throw error;
    } finally {
      if (this.#isWritten(permit.id, result === 'ok'))
        log.add({ grant: permit.id, name: permit.name, operation: asked.name, wallet: asked.wallet, result });
    }
  }

  /** No caller may push the lines of others out of the log with many of its own. */
  #isWritten(id: string, isDone: boolean): boolean {
    const hasGrant = !WITHOUT_GRANT.includes(id);
    const most = isDone && hasGrant ? MOST_LINES_DONE : MOST_LINES;
    return this.#lines.tryAdd(`${hasGrant ? id : ANONYMOUS} ${isDone}`, most) === 0;
  }

  #requireRate({ id, limits: { calls_per_minute: most } }: Permit): void {
    if (most === undefined) return;
    const waitMs = this.#calls.tryAdd(id, most);
    if (waitMs > 0) {
      throw new CompanionError('RATE_LIMITED', `The grant allows ${most} calls in a minute; wait.`, {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
    }
  }
}

const refused = (id: string, detail: string): Permit =>
  refusedPermit(id, id, new CompanionError('GRANT_REQUIRED', detail));

const UNKNOWN_TOKEN = 'This token holds no more, or never did. Ask the owner of the wallet for another one.';
const NO_TOKEN =
  'This extension was let in with a token of its own, and has to send it (Authorization: Bearer).';
const ONLY_READ =
  'Without a grant only reading is open here. Send the token of a grant (Authorization: Bearer), or open the page with "wallet-companion dashboard".';
const NOTHING =
  'Nothing is open here without a grant. Send the token of one (Authorization: Bearer), or open the page with "wallet-companion dashboard".';
const TILL =
  'The till is on: nothing is open here without a grant until it ends. Type its PIN on the page Till, or run "wallet-companion till end".';

// When something happened within the last minute, by key: for limits a minute.
const MINUTE_MS = 60_000;

class LastMinute {
  /** Milliseconds that never go back. */
  readonly #clock: () => number;
  readonly #times = new Map<string, readonly number[]>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /**
   * Counts one more, if fewer than `most` happened. Returns 0, or the milliseconds after which one more may happen.
   */
  tryAdd(key: string, most: number): number {
    const now = this.#clock();
    const isOver = (at: number): boolean => now - at >= MINUTE_MS;
    const recent = (this.#times.get(key) ?? []).filter((at) => !isOver(at));
    const first = recent.at(-most);
    if (first !== undefined) return first + MINUTE_MS - now;
    this.#times.set(key, [...recent, now]);
    for (const [known, times] of this.#times) if (times.every(isOver)) this.#times.delete(known);
    return 0;
  }
}
