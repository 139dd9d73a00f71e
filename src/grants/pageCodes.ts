// How the dashboard becomes the owner's page where callers without a grant may not do everything: the owner gets a code on
// this machine, the page exchanges it once for a token. Neither is ever written.

import { type Clocks, Deadline } from '@wallet-companion/base/async';
import { CompanionError } from '../protocol/errors.ts';
import { freshToken, isSameHash, tokenHash } from './grant.ts';

const CODE_MS = 60_000;
/** A page that is left open overnight has to be opened again. */
const TOKEN_MS = 12 * 3_600_000;
/** The earliest gives way. */
const MOST_OPEN = 16;

interface Open {
  readonly hash: string;
  readonly until: Deadline;
}

export interface PageCodesEnvironment extends Clocks {
  readonly randomBytes: (length: number) => Uint8Array;
}

export class PageCodes {
  readonly #environment: PageCodesEnvironment;
  #codes: readonly Open[] = [];
  #tokens: readonly Open[] = [];

  constructor(environment: PageCodesEnvironment) {
    this.#environment = environment;
  }

  code(): { readonly code: string; readonly until: number } {
    const { token, open } = this.#fresh(CODE_MS);
    this.#codes = [...this.#current(this.#codes), open].slice(-MOST_OPEN);
    return { code: token, until: open.until.at };
  }

  /** Each code once. Throws `GRANT_REQUIRED`. */
  exchange(code: string): string {
    const hash = tokenHash(code);
    const known = this.#current(this.#codes);
    this.#codes = known.filter((open) => !isSameHash(open.hash, hash));
    if (this.#codes.length === known.length) {
      throw new CompanionError(
        'GRANT_REQUIRED',
        'The code of this page was used or is over. Open the page again: wallet-companion dashboard.',
      );
    }
    const { token, open } = this.#fresh(TOKEN_MS);
    this.#tokens = [...this.#current(this.#tokens), open].slice(-MOST_OPEN);
    return token;
  }

  /** What stands for the page in this process; undefined where no page has this token. */
  withToken(token: string): string | undefined {
    const hash = tokenHash(token);
    return this.#current(this.#tokens).find((open) => isSameHash(open.hash, hash))?.hash;
  }

  /** Whether the page that it stands for may go on. */
  isOpen(page: string): boolean {
    return this.#current(this.#tokens).some(({ hash }) => hash === page);
  }

  /** No page of the owner goes on. */
  closeAll(): void {
    this.#codes = [];
    this.#tokens = [];
  }

  #current(open: readonly Open[]): readonly Open[] {
    return open.filter(({ until }) => !until.isOver);
  }

  #fresh(lastsMs: number): { readonly token: string; readonly open: Open } {
    const { token, hash } = freshToken(this.#environment.randomBytes);
    return { token, open: { hash, until: new Deadline(this.#environment, lastsMs) } };
  }
}
