// A session that went with a lost wallet thread is opened again, where the person who started the companion left it a
// password. One that somebody locked, or that idled out, is not.

import { randomUUID } from 'node:crypto';
import type { After } from '../async/after.ts';
import type { ErrorRecord } from '../protocol/errors.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import type { JsonLink } from '../protocol/link.ts';
import type { OperationName } from '../protocol/operations.ts';
import { passwordJson, type StartPassword } from '../protocol/startPassword.ts';

/** With wrong passwords of somebody else the next try has to wait; with a thread that is lost again, too. */
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
  /** Stands for the lost session that is to be opened again; another one, or none, when somebody has locked since. */
  #lost: object | undefined;

  constructor(link: JsonLink, password: StartPassword, log: ReopeningLog, after: After) {
    this.#link = link;
    this.#password = password;
    this.#log = log;
    this.#after = after;
  }

  /** At start. A failure is the caller's. */
  async unlock(): Promise<ErrorRecord | undefined> {
    const password = await this.#password.read();
    return password === undefined ? undefined : this.#try(password);
  }

  hear(heard: CompanionEvent): void {
    if (heard.event === 'wallet.unlocked') {
      this.#isOpen = true;
      this.#lost = undefined;
    } else if (heard.event === 'wallet.locked') {
      if (heard.data.reason !== 'thread_lost') this.#giveUp();
      else if (this.#isOpen) this.#lost = {};
      this.#isOpen = false;
    }
  }

  /** Somebody calls. A lock counts even where there is no session to end just now. */
  asked(name: OperationName): void {
    if (name === 'wallet.lock') this.#giveUp();
  }

  /** The next thread is there. Never rejects. */
  async restarted(): Promise<void> {
    const lost = this.#lost;
    if (lost === undefined) return;
    const password = await this.#password.read().catch(() => undefined);
    if (this.#lost !== lost) {
      password?.fill(0);
      return;
    }
    if (password === undefined) return this.#say('the password cannot be read any more');
    const error = await this.#try(password);
    if (this.#lost !== lost) return;
    if (error === undefined) this.#lost = undefined;
    // The thread after the one that is lost now tries again.
    else if (error.code === 'THREAD_LOST') return;
    else if (error.code === 'TOO_MANY_ATTEMPTS' || error.code === 'BUSY')
      this.#after((error.retryAfterSeconds ?? 0) * 1000 || RETRY_MS, () => void this.restarted());
    else this.#say(error.code);
  }

  async #try(password: Uint8Array): Promise<ErrorRecord | undefined> {
    const body = passwordJson(password);
    password.fill(0);
    const answer = await this.#link.dispatchJson('wallet.unlock', body, { requestId: randomUUID() });
    if (!answer.ok) return answer.error;
    answer.value.fill(0);
    return undefined;
  }

  #giveUp(): void {
    this.#lost = undefined;
    this.#password.forget();
  }

  #say(why: string): void {
    this.#lost = undefined;
    this.#log.error({ why }, 'the wallet stays locked after a lost thread');
  }
}
