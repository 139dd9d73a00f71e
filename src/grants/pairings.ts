// Browser extensions that ask for access. Any program on the machine can ask under any name, so the list is bounded, and
// a person decides, after comparing the code with the one that the extension shows: what it gets is a grant.

import { type Clocks, Deadline } from '@wallet-companion/base/async';
import { timeText } from '@wallet-companion/base/values';
import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { CompanionError } from '../protocol/errors.ts';
import { EVERY_WALLET, type Scope } from '../protocol/grants.ts';
import type { HandledInput, Output } from '../protocol/operations.ts';
import { endAfter, isExpired, narrow } from './grant.ts';
import type { GrantBook } from './grantBook.ts';

/** Long enough to find the window of the request. */
const WAITING_MS = 5 * 60_000;
/** A refused extension must not wear a person down by asking again. */
const REFUSED_MS = 10 * 60_000;
/** More than a person would have at once. */
const MOST_REQUESTS = 8;
/** Requests by programs that name the same origin. */
const MOST_OF_ORIGIN = 2;
/** Refused ones take no space from waiting ones. */
const MOST_REFUSED = 64;
/** Without letters that look alike; a power of two, so that a byte picks without bias. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 6;

type Pairing = Output<'pairing.list'>;

interface PairingRequest {
  readonly origin: string;
  readonly name: string | null;
  readonly code: string;
  readonly scopes: readonly Scope[];
  readonly wallets: readonly string[];
  readonly days: number | null;
  readonly tokenHash: string | null;
  /** A browser has named the origin, not only the caller itself. */
  readonly isProved: boolean;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly end: Deadline;
  readonly isRefused: boolean;
}

export interface PairingsEnvironment extends Clocks {
  readonly book: GrantBook;
  /** Origins of config.json. */
  readonly allowedOrigins: () => readonly string[];
  /** Changes them in config.json. */
  readonly allowOnly: (origins: readonly string[]) => Promise<void>;
  readonly changed: (pairings: Pairing) => void;
  readonly randomBytes: (length: number) => Uint8Array;
}

export class Pairings {
  readonly #environment: PairingsEnvironment;
  #requests: readonly PairingRequest[] = [];

  constructor(environment: PairingsEnvironment) {
    this.#environment = environment;
  }

  /** `caller`: the caller's origin as the browser reports it. */
  request(input: HandledInput<'pairing.request'>, caller: string | undefined): Output<'pairing.request'> {
    const { origin, token_hash: tokenHash = null } = input;
    if (caller !== undefined && caller !== origin) {
      throw new CompanionError('ORIGIN_FORBIDDEN', 'An extension can ask for itself alone.');
    }
    if (this.#isLetIn(origin, tokenHash)) return { status: 'allowed', code: null, expires_at: null };
    // A program that names the same origin asks for itself, with a code of its own: it does not have the token.
    const isProved = caller === origin;
    const ofOrigin = this.#current().filter((other) => other.origin === origin);
    // What was refused to a program that named the origin is not refused to the extension.
    if (ofOrigin.some((other) => other.isRefused && (other.isProved || !isProved)))
      return { status: 'refused', code: null, expires_at: null };
    const known = ofOrigin.find((other) => !other.isRefused && other.tokenHash === tokenHash);
    const request = known ?? this.#add(input, isProved);
    return { status: 'waiting', code: request.code, expires_at: timeText(request.end.at) };
  }

  list(): Pairing {
    const { book, allowedOrigins } = this.#environment;
    const requests = this.#current().filter(({ isRefused }) => !isRefused);
    return {
      requests: requests.map(({ origin, name, code, scopes, wallets, days, tokenHash, askedAt, end }) => ({
        origin,
        name,
        code,
        scopes: [...scopes],
        wallets: [...wallets],
        days,
        has_token: tokenHash !== null,
        asked_at: timeText(askedAt),
        expires_at: timeText(end.at),
      })),
      allowed_origins: [...new Set([...allowedOrigins(), ...book.all.flatMap(({ origin }) => origin ?? [])])],
    };
  }

  /** Throws `INVALID_REQUEST` where more would be allowed than the extension asked for. */
  async allow({ code, scopes, wallets, days }: HandledInput<'pairing.allow'>): Promise<Pairing> {
    const { book } = this.#environment;
    const asked = this.#find(code);
    const now = this.#environment.now();
    const whole = {
      scopes: asked.scopes,
      wallets: asked.wallets,
      expiresAt: endAfter(asked.days, now),
      limits: {},
    };
    const expiresAt = endAfter(days, now) ?? undefined;
    const allowed = narrow(whole, { scopes, wallets, expiresAt, limits: {} });
    await book.letIn(asked.origin, { name: asked.name ?? asked.origin, ...allowed }, asked.tokenHash);
    this.#requests = this.#requests.filter((request) => request.origin !== asked.origin);
    return this.#changed();
  }

  refuse({ code }: HandledInput<'pairing.refuse'>): Pairing {
    const refused = this.#find(code);
    const end = new Deadline(this.#environment, REFUSED_MS);
    const others = this.#requests.filter((request) => request !== refused);
    const before = others.filter(({ isRefused }) => isRefused);
    // The earliest is dropped first: it may ask again.
    const dropped = before.length >= MOST_REFUSED ? before[0] : undefined;
    this.#requests = [
      ...others.filter((request) => request !== dropped),
      { ...refused, isRefused: true, end },
    ];
    return this.#changed();
  }

  /** Ends its grant, and takes it out of config.json. */
  async revoke({ origin }: HandledInput<'pairing.revoke'>): Promise<Pairing> {
    const { book, allowedOrigins, allowOnly } = this.#environment;
    const grant = book.withOrigin(origin);
    const origins = allowedOrigins();
    if (grant === undefined && !origins.includes(origin)) {
      throw new CompanionError('NOT_FOUND', 'This origin is not on the list of those that are let in.');
    }
    if (grant !== undefined) await book.revoke(grant.id);
    if (origins.includes(origin)) await allowOnly(origins.filter((other) => other !== origin));
    return this.#changed();
  }

  /** As its calls are judged: by its grant where it has one. An extension whose time or wallets are gone may ask again. */
  #isLetIn(origin: string, tokenHash: string | null): boolean {
    const { book, allowedOrigins, now } = this.#environment;
    const grant = book.withOrigin(origin);
    if (grant === undefined) return allowedOrigins().includes(origin);
    return grant.tokenHash === tokenHash && grant.wallets.length > 0 && !isExpired(grant, now());
  }

  #changed(): Pairing {
    const list = this.list();
    this.#environment.changed(list);
    return list;
  }

  #current(): readonly PairingRequest[] {
    this.#requests = this.#requests.filter(({ end }) => !end.isOver);
    return this.#requests;
  }

  #find(code: string): PairingRequest {
    const plain = code.replace('-', '').toUpperCase();
    const found = this.#current().find((other) => !other.isRefused && other.code.replace('-', '') === plain);
    if (found === undefined) {
      throw new CompanionError(
        'NOT_FOUND',
        'No extension waits with this code. Let it ask again, and compare the code that it shows.',
      );
    }
    return found;
  }

  #add(input: HandledInput<'pairing.request'>, isProved: boolean): PairingRequest {
    const { origin, name, scopes, wallets, days, token_hash: tokenHash } = input;
    const waiting = this.#current().filter(({ isRefused }) => !isRefused);
    const ofOrigin = waiting.filter((other) => other.origin === origin && !other.isProved);
    if (!isProved && ofOrigin.length >= MOST_OF_ORIGIN) throw tooMany();
    if (waiting.length >= MOST_REQUESTS) {
      // An extension in a browser takes the place of a program that names one.
      const first = isProved ? waiting.find((other) => !other.isProved) : undefined;
      if (first === undefined) throw tooMany();
      this.#requests = this.#requests.filter((request) => request !== first);
    }
    const request = {
      origin,
      name: name ?? null,
      code: this.#freshCode(),
      scopes: [...new Set(scopes ?? (['admin'] as const))],
      wallets: [...new Set(wallets ?? [scopes === undefined ? EVERY_WALLET : DEFAULT_WALLET])],
      days: days ?? null,
      tokenHash: tokenHash ?? null,
      isProved,
      askedAt: this.#environment.now(),
      end: new Deadline(this.#environment, WAITING_MS),
      isRefused: false,
    };
    this.#requests = [...this.#requests, request];
    this.#changed();
    return request;
  }

  #freshCode(): string {
    for (;;) {
      const bytes = this.#environment.randomBytes(CODE_LENGTH);
      const letters = [...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join('');
      const code = `${letters.slice(0, 3)}-${letters.slice(3)}`;
      if (this.#requests.every((other) => other.code !== code)) return code;
    }
  }
}

const tooMany = (): CompanionError =>
  new CompanionError(
    'BUSY',
    'Too many extensions ask to be let in. Refuse those that you do not know, or wait five minutes.',
  );
