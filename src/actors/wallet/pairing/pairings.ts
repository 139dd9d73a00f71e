// Browser extensions that ask for access. Any program on the machine can ask under any name, so the list is bounded, and
// only the password grants access: a person types it, after comparing the code with the one that the extension shows.

import { CompanionError } from '../../../protocol/errors.ts';
import type { Caller, HandledInput, Input, Output } from '../../../protocol/operations.ts';
import { timeText } from '../../../protocol/timeText.ts';
import type { Configuration } from '../config/configuration.ts';
import type { PairingRequest, WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Sessions } from '../session/sessions.ts';

/** Long enough to find the window of the request. */
const WAITING_MS = 5 * 60_000;
/** A refused extension must not wear a person down by asking again. */
const REFUSED_MS = 10 * 60_000;
/** More than a person would have at once. */
const MOST_REQUESTS = 8;
/** Refused ones take no space from waiting ones. */
const MOST_REFUSED = 64;
/** Without letters that look alike; a power of two, so that a byte picks without bias. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 6;

export class Pairings {
  readonly #environment: WalletEnvironment;
  readonly #configuration: Configuration;
  readonly #sessions: Sessions;
  #requests: readonly PairingRequest[];

  constructor(environment: WalletEnvironment, configuration: Configuration, sessions: Sessions) {
    this.#environment = environment;
    this.#configuration = configuration;
    this.#sessions = sessions;
    this.#requests = environment.carried?.pairings ?? [];
  }

  get carried(): readonly PairingRequest[] {
    return this.#current();
  }

  /** `caller`: the caller's origin as the browser reports it. */
  request(
    { origin, name }: HandledInput<'pairing.request'>,
    caller: string | undefined,
  ): Output<'pairing.request'> {
    if (caller !== undefined && caller !== origin) {
      throw new CompanionError('ORIGIN_FORBIDDEN', 'An extension can ask for itself alone.');
    }
    if (this.#allowed.includes(origin)) return { status: 'allowed', code: null, expires_at: null };
    const known = this.#current().find((other) => other.origin === origin);
    if (known?.isRefused === true) return { status: 'refused', code: null, expires_at: null };
    const request = known ?? this.#add(origin, name ?? null);
    return { status: 'waiting', code: request.code, expires_at: timeText(request.expiresAt) };
  }

  list(): Output<'pairing.list'> {
    const requests = this.#current().filter(({ isRefused }) => !isRefused);
    return {
      requests: requests.map(({ origin, name, code, askedAt, expiresAt }) => ({
        origin,
        name,
        code,
        asked_at: timeText(askedAt),
        expires_at: timeText(expiresAt),
      })),
      allowed_origins: [...this.#allowed],
    };
  }

  async allow({ code, password }: Input<'pairing.allow'>, caller: Caller): Promise<Output<'pairing.allow'>> {
    this.#find(code);
    await this.#sessions.enterAs(caller, password);
    const { origin } = this.#find(code);
    this.#requests = this.#requests.filter((request) => request.origin !== origin);
    if (!this.#allowed.includes(origin)) await this.#allowOnly([...this.#allowed, origin]);
    return this.#changed();
  }

  refuse({ code }: HandledInput<'pairing.refuse'>): Output<'pairing.refuse'> {
    const refused = this.#find(code);
    const expiresAt = this.#environment.clock.now() + REFUSED_MS;
    const others = this.#requests.filter((request) => request !== refused);
    const before = others.filter(({ isRefused }) => isRefused);
    // The earliest is dropped first: it may ask again.
    const dropped = before.length >= MOST_REFUSED ? before[0] : undefined;
    this.#requests = [
      ...others.filter((request) => request !== dropped),
      { ...refused, isRefused: true, expiresAt },
    ];
    return this.#changed();
  }

  async revoke(
    { origin, password }: Input<'pairing.revoke'>,
    caller: Caller,
  ): Promise<Output<'pairing.revoke'>> {
    await this.#sessions.enterAs(caller, password);
    if (!this.#allowed.includes(origin)) {
      throw new CompanionError('NOT_FOUND', 'This origin is not on the list of those that are let in.');
    }
    await this.#allowOnly(this.#allowed.filter((other) => other !== origin));
    return this.#changed();
  }

  get #allowed(): readonly string[] {
    return this.#environment.configFile.get().allowed_origins;
  }

  async #allowOnly(origins: readonly string[]): Promise<void> {
    await this.#configuration.change({ allowed_origins: origins });
  }

  #changed(): Output<'pairing.list'> {
    const list = this.list();
    this.#environment.emit({ event: 'pairing.changed', data: list });
    return list;
  }

  #current(): readonly PairingRequest[] {
    const now = this.#environment.clock.now();
    this.#requests = this.#requests.filter(({ expiresAt }) => expiresAt > now);
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

  #add(origin: string, name: string | null): PairingRequest {
    if (this.#current().filter(({ isRefused }) => !isRefused).length >= MOST_REQUESTS) {
      throw new CompanionError(
        'BUSY',
        'Too many extensions ask to be let in. Refuse those that you do not know, or wait five minutes.',
      );
    }
    const askedAt = this.#environment.clock.now();
    const request = {
      origin,
      name,
      code: this.#freshCode(),
      askedAt,
      expiresAt: askedAt + WAITING_MS,
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
