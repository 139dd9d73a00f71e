// Opens a session again that was lost with its wallet thread, if the companion was started with a password. A session
// that was locked, or that idled out, is not opened again.

import { randomUUID } from 'node:crypto';
import type { After } from '@wallet-companion/base/async';
import type { ErrorRecord } from '../protocol/errors.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import type { JsonLink } from '../protocol/link.ts';
import type { OperationName } from '../protocol/operations.ts';
import { passwordJson, type StartPassword } from '../protocol/startPassword.ts';

/** After another caller's wrong passwords the next try has to wait; after another loss of the thread, too. */
const RETRY_MS = 5_000;

export interface ReopeningLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export class Reopening {
  readonly #link: JsonLink;
  readonly #password: StartPassword;
  readonly #log: ReopeningLog;
  readonly #after: After;
  #isOpen = false;
  /** Identifies the lost session to open again; a different object, or none, after a lock. */
  #lost: object | undefined;
  #callOff = (): void => undefined;

  constructor(link: JsonLink, password: StartPassword, log: ReopeningLog, after: After) {
    this.#link = link;
    this.#password = password;
    this.#log = log;
    this.#after = after;
  }

  /** Called at start. The caller handles a failure. */
  async unlock(): Promise<ErrorRecord | undefined> {
    const password = await this.#password.read();
    return password === undefined ? undefined : this.#try(password);
  }

  hear(heard: CompanionEvent): void {
    if (heard.event === 'wallet.unlocked') {
      this.#isOpen = true;
      this.#lost = undefined;
    } else if (heard.event === 'wallet.locked') {
      if (heard.data.reason !== 'thread_lost') this.giveUp();
      else if (this.#isOpen) this.#lost = {};
      this.#isOpen = false;
    }
  }

  /** Called with each call. A lock counts even where there is no session at that moment. */
  asked(name: OperationName): void {
    if (name === 'wallet.lock') this.giveUp();
  }

  /** The next thread has started. Never rejects. */
  async restarted(): Promise<void> {
    const lost = this.#lost;
    if (lost === undefined) return;
    const password = await this.#password.read().catch(() => undefined);
    if (this.#lost !== lost) {
      password?.fill(0);
      return;
    }
    if (password === undefined) return this.#logWhy('the password cannot be read any more');
    const error = await this.#try(password);
    if (this.#lost !== lost) return;
    if (error === undefined) this.#lost = undefined;
    // The thread was lost again: its successor tries again.
    else if (error.code === 'THREAD_LOST') return;
    else if (error.code === 'TOO_MANY_ATTEMPTS' || error.code === 'BUSY')
      this.#callOff = this.#after(
        (error.retryAfterSeconds ?? 0) * 1000 || RETRY_MS,
        () => void this.restarted(),
      );
    else this.#logWhy(error.code);
  }

  async #try(password: Uint8Array): Promise<ErrorRecord | undefined> {
    const body = passwordJson(password);
    password.fill(0);
    const answer = await this.#link.dispatchJson('wallet.unlock', body, {
      requestId: randomUUID(),
      byOwner: true,
    });
    if (!answer.ok) return answer.error;
    answer.value.fill(0);
    return undefined;
  }

  /** The last word: also where the companion stops. */
  giveUp(): void {
    this.#lost = undefined;
    this.#callOff();
    this.#password.forget();
  }

  #logWhy(why: string): void {
    this.#lost = undefined;
    this.#log.error({ why }, 'the wallet stays locked after a lost thread');
  }
}
