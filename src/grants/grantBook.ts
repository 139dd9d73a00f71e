// The grants of this companion, in memory and in their file. What takes something away counts at once, before it is
// written; what gives something counts once it is written.

import { type Clocks, SerialQueue } from '@wallet-companion/base/async';
import { isAhead } from '@wallet-companion/base/values';
import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { badField, CompanionError } from '../protocol/errors.ts';
import { EVERY_WALLET, type GrantLimits, type Scope } from '../protocol/grants.ts';
import {
  freshToken,
  type Grant,
  type GrantFile,
  isSameHash,
  type Narrowing,
  narrow,
  type Pin,
  remadeAt,
  tokenHash,
} from './grant.ts';

/** More than a person would keep an eye on; each call compares its token with all of them. */
const MOST_GRANTS = 256;
const ID_BYTES = 8;
/** How exact the last use is after a crash. */
const USE_WRITTEN_MS = 60_000;

export interface GrantBookEnvironment extends Clocks {
  readonly file: GrantFile;
  readonly randomBytes: (length: number) => Uint8Array;
}

export interface NewGrant {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly wallets?: readonly string[] | undefined;
  readonly expiresAt: number | null;
  readonly limits: GrantLimits;
  readonly pin?: Pin;
}

export interface Made {
  readonly grant: Grant;
  readonly token: string;
}

export class GrantBook {
  readonly #environment: GrantBookEnvironment;
  readonly #writes = new SerialQueue();
  #grants: readonly Grant[];
  /** When uses were written last, by the clock that is never set. */
  #usesWrittenAt = Number.NEGATIVE_INFINITY;
  /** Something has changed in memory alone. */
  #isUnwritten = false;

  /** Throws what the file throws. */
  constructor(environment: GrantBookEnvironment) {
    this.#environment = environment;
    this.#grants = environment.file.read();
  }

  /** The oldest first. */
  get all(): readonly Grant[] {
    return this.#grants;
  }

  /** The latest, where another one is about to end. */
  get till(): Grant | undefined {
    return this.#grants.findLast(({ pin }) => pin !== undefined);
  }

  withId(id: string): Grant | undefined {
    return this.#grants.find((grant) => grant.id === id);
  }

  /** All are compared, each in constant time. An extension's token is for that extension. */
  withToken(token: string, origin?: string): Grant | undefined {
    const given = tokenHash(token);
    let found: Grant | undefined;
    for (const grant of this.#grants) {
      if (grant.tokenHash === null || !isSameHash(grant.tokenHash, given)) continue;
      if (grant.origin === null || grant.origin === origin) found = grant;
    }
    return found;
  }

  withOrigin(origin: string): Grant | undefined {
    return this.#grants.find((grant) => grant.origin === origin);
  }

  /** A program's: extensions name themselves, as they like. */
  withName(name: string): Grant | undefined {
    return this.#grants.find((grant) => grant.origin === null && grant.name === name);
  }

  /** By id or name, an extension's by its origin. Throws `NOT_FOUND`. */
  named(text: string): Grant {
    const found = this.withId(text) ?? this.withName(text) ?? this.withOrigin(text);
    if (found !== undefined) return found;
    throw new CompanionError(
      'NOT_FOUND',
      'There is no such grant; "wallet-companion grant list" has them all.',
    );
  }

  /** Throws `INVALID_REQUEST` where the name is taken, or there are too many. */
  async create(wanted: NewGrant): Promise<Made> {
    const { token, hash } = freshToken(this.#environment.randomBytes);
    return { grant: await this.#add(wanted, { origin: null, tokenHash: hash }), token };
  }

  /** An earlier grant of this extension ends. `hash`: of the token that it has made, if it has. */
  async letIn(origin: string, wanted: NewGrant, hash: string | null = null): Promise<Grant> {
    return this.#add(wanted, { origin, tokenHash: hash });
  }

  async narrow(id: string, narrowing: Narrowing): Promise<Grant> {
    return this.#replace(narrow(this.named(id), narrowing));
  }

  /** Throws `INVALID_REQUEST` for an extension's grant. */
  async rotate(id: string): Promise<Made> {
    const grant = this.named(id);
    if (grant.origin !== null)
      throw new CompanionError(
        'INVALID_REQUEST',
        'An extension makes its own token, if it has one: revoke it, and let it ask again.',
      );
    const { token, hash } = freshToken(this.#environment.randomBytes);
    return { grant: await this.#replace({ ...grant, tokenHash: hash }), token };
  }

  async replacePin(id: string, pin: Pin): Promise<void> {
    await this.#replace({ ...this.named(id), pin });
  }

  async revoke(id: string): Promise<Grant> {
    const grant = this.named(id);
    this.#grants = this.#grants.filter((other) => other.id !== grant.id);
    this.#isUnwritten = true;
    await this.#write();
    return grant;
  }

  /** A wallet has another name, or is gone (undefined). A grant that is left without a wallet ends. */
  async walletMoved(wallet: string, to: string | undefined): Promise<void> {
    const move = (): void => {
      if (!this.#grants.some(({ wallets }) => wallets.includes(wallet))) return;
      this.#grants = this.#grants.flatMap((grant) => {
        const wallets = grant.wallets.flatMap((name) =>
          name !== wallet ? [name] : to === undefined ? [] : [to],
        );
        // An extension keeps its grant, with nothing in it: without one an origin in config.json would count.
        return wallets.length === 0 && grant.origin === null ? [] : [{ ...grant, wallets }];
      });
      this.#isUnwritten = true;
    };
    move();
    // Once more: a grant may have been on its way to the file.
    await this.#writes.run(async () => undefined);
    move();
    if (this.#isUnwritten) await this.#write();
  }

  /** Written once a minute at most: a crash loses no more. Never rejects. */
  used(id: string): void {
    if (this.withId(id) === undefined) return;
    const now = this.#environment.now();
    this.#grants = this.#grants.map((grant) => (grant.id === id ? { ...grant, lastUsedAt: now } : grant));
    this.#isUnwritten = true;
    const elapsed = this.#environment.elapsed();
    if (elapsed - this.#usesWrittenAt < USE_WRITTEN_MS) return;
    this.#usesWrittenAt = elapsed;
    void this.#write().catch(() => undefined);
  }

  /** Grants that a clock that was ahead made would last longer. `isClockRight`: asked only where there are some. */
  async mend(isClockRight: () => Promise<boolean>): Promise<void> {
    const isWrong = ({ createdAt }: Grant): boolean => isAhead(createdAt, this.#environment.now());
    if (!this.#grants.some(isWrong) || !(await isClockRight())) return;
    const now = this.#environment.now();
    this.#grants = this.#grants.map((grant) => (isWrong(grant) ? remadeAt(grant, now) : grant));
    this.#isUnwritten = true;
    await this.#write().catch(() => undefined);
  }

  /** Tries once more what could not be written. Settles when everything is, or cannot be. */
  async close(): Promise<void> {
    await this.#writes.run(async () => undefined);
    if (this.#isUnwritten) await this.#write().catch(() => undefined);
  }

  async #add(
    { name, scopes, wallets = [DEFAULT_WALLET], expiresAt, limits, pin }: NewGrant,
    holder: Pick<Grant, 'origin' | 'tokenHash'>,
  ): Promise<Grant> {
    const grant: Grant = {
      ...holder,
      id: Buffer.from(this.#environment.randomBytes(ID_BYTES)).toString('hex'),
      name,
      scopes: [...new Set(scopes)],
      wallets: wallets.includes(EVERY_WALLET) ? [EVERY_WALLET] : [...new Set(wallets)],
      expiresAt,
      limits,
      createdAt: this.#environment.now(),
      lastUsedAt: null,
      ...(pin && { pin }),
    };
    await this.#write((grants) => {
      const others = grants.filter(({ origin }) => origin === null || origin !== holder.origin);
      if (holder.origin === null && others.some((other) => other.name === name))
        throw badField('name', 'is that of another grant: revoke or rotate that one, or take another name');
      if (others.length >= MOST_GRANTS)
        throw badField('name', `is one too many: there are ${MOST_GRANTS}. Revoke some`);
      return [...others, grant];
    });
    return grant;
  }

  async #replace(grant: Grant): Promise<Grant> {
    this.#grants = this.#grants.map((other) => (other.id === grant.id ? grant : other));
    this.#isUnwritten = true;
    await this.#write();
    return grant;
  }

  /** `change` counts when it is written; what has changed in memory before is written with it. */
  #write(change: (grants: readonly Grant[]) => readonly Grant[] = (grants) => grants): Promise<void> {
    return this.#writes.run(async () => {
      const wanted = change(this.#grants);
      const wasUnwritten = this.#isUnwritten;
      this.#isUnwritten = false;
      try {
        await this.#environment.file.write(wanted);
      } catch (error) {
        this.#isUnwritten ||= wasUnwritten;
        throw error;
      }
      // Others may have changed it meanwhile: a use, a grant that was taken away.
      this.#grants = change(this.#grants);
    });
  }
}
