// The till: a page that is left to a cashier. Its grant makes invoices and sees those alone; while it exists no caller without
// a grant is let in, and a PIN of 4 to 8 digits gives the page its token after a lock.

import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { type Clocks, SerialQueue } from '@wallet-companion/base/async';
import { CompanionError } from '../protocol/errors.ts';
import type { CallingGrant } from '../protocol/grants.ts';
import { PasswordGuard } from '../protocol/passwordGuard.ts';
import { type Grant, isSameHash, type Pin } from './grant.ts';
import type { GrantBook, Made } from './grantBook.ts';
import type { PageCodes } from './pageCodes.ts';

const NAME = 'till';
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** 32 MiB: a PIN has few digits, so that each guess at a copied grants.json has to cost something. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

export interface TillEnvironment extends Clocks {
  readonly book: GrantBook;
  readonly pages: PageCodes;
  readonly randomBytes: (length: number) => Uint8Array;
}

type WithPin = Grant & { readonly pin: Pin };

export class Till {
  readonly #environment: TillEnvironment;
  /** One change at a time: tries that run together would not wait for each other. */
  readonly #turns = new SerialQueue();
  /** Of the till of this grant. */
  #guard: { readonly of: string; readonly guard: PasswordGuard } | undefined;

  constructor(environment: TillEnvironment) {
    this.#environment = environment;
  }

  /** The till before it ends: so a forgotten PIN is replaced. */
  start(pin: string, wallets: readonly string[] | undefined): Promise<Made> {
    const { book, pages, randomBytes } = this.#environment;
    return this.#turns.run(async () => {
      const salt = randomBytes(SALT_BYTES);
      const kept = { salt: hex(salt), hash: await hashOf(pin, salt), wrongTries: 0 };
      const before = book.till;
      const made = await book.create({
        name: freeName(book),
        scopes: ['invoice'],
        wallets,
        expiresAt: null,
        limits: {},
        pin: kept,
      });
      // A page of the owner that is open elsewhere would be the way round the PIN.
      pages.closeAll();
      if (before !== undefined) await book.revoke(before.id);
      return made;
    });
  }

  /** The page's token holds no more. */
  lock(caller: CallingGrant | undefined): Promise<void> {
    return this.#turns.run(async () => {
      const { id } = this.#running();
      if (caller !== undefined && caller.id !== id)
        throw new CompanionError('GRANT_SCOPE', 'Only the till itself, or the owner, locks the till.');
      await this.#environment.book.rotate(id);
    });
  }

  /** Gives the page another token. Throws `WRONG_PASSWORD`, `TOO_MANY_ATTEMPTS`; the count of wrong tries is kept. */
  unlock(pin: string): Promise<Made> {
    const { book } = this.#environment;
    const guard = this.#guardOf(this.#running());
    return guard.inLine(() =>
      this.#turns.run(async () => {
        const { id, pin: kept } = this.#running();
        try {
          await guard.attempt(async () => {
            if (!isSameHash(await hashOf(pin, Buffer.from(kept.salt, 'hex')), kept.hash)) throw wrongPin();
          });
        } finally {
          // Before the answer: a restart forgives nothing.
          if (guard.count !== kept.wrongTries)
            await book.replacePin(id, { ...kept, wrongTries: guard.count });
        }
        return book.rotate(id);
      }),
    );
  }

  end(): Promise<Grant> {
    return this.#turns.run(() => this.#environment.book.revoke(this.#running().id));
  }

  #running(): WithPin {
    const { till } = this.#environment.book;
    if (till?.pin === undefined) throw new CompanionError('NOT_FOUND', 'The till is not on.');
    return { ...till, pin: till.pin };
  }

  #guardOf({ id, pin: { wrongTries: count } }: WithPin): PasswordGuard {
    if (this.#guard?.of === id) return this.#guard.guard;
    const before = { count, lastAt: this.#environment.elapsed() };
    const guard = new PasswordGuard(this.#environment, before);
    this.#guard = { of: id, guard };
    return guard;
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const hashOf = async (pin: string, salt: Uint8Array): Promise<string> =>
  hex(await derive(pin, salt, HASH_BYTES, COST));

const wrongPin = (): CompanionError => new CompanionError('WRONG_PASSWORD', 'The PIN is wrong.');

/** No two grants have one name, and the owner may have taken this one. */
function freeName(book: GrantBook): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? NAME : `${NAME} ${number}`;
    if (book.withName(name) === undefined) return name;
  }
}
