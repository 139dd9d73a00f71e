// The calls of one command: when the answer is that the wallet is locked, a session is opened and the call made again.

import type { ErrorRecord } from '../protocol/errors.ts';
import { COMMANDS } from '../protocol/generated/commands.ts';
import type { Dispatcher } from '../protocol/link.ts';
import type { OperationName, Output } from '../protocol/operations.ts';
import type { Result } from '../protocol/result.ts';
import type { Prompt } from '../terminal/prompt.ts';
import { isSecretGiven, readSecret, type SecretSource } from './secrets.ts';

export type Given = Record<string, unknown>;

interface SessionCall {
  readonly json: boolean;
  readonly password: SecretSource;
}

export class CliSession {
  readonly #link: Dispatcher;
  readonly #call: SessionCall;
  readonly #prompt: Prompt;
  readonly #requestId: () => string;
  #given: Promise<string> | undefined;

  constructor(link: Dispatcher, call: SessionCall, prompt: Prompt, requestId: () => string) {
    this.#link = link;
    this.#call = call;
    this.#prompt = prompt;
    this.#requestId = requestId;
  }

  dispatch<N extends OperationName>(name: N, input: Given): Promise<Result<Output<N>>> {
    return this.#link.dispatch(name, input, { requestId: this.#requestId() });
  }

  async call<N extends OperationName>(name: N, input: Given): Promise<Result<Output<N>>> {
    const result = await this.dispatch(name, input);
    if (result.ok) return result;
    if (wantsPassword(result.error) && input['password'] === undefined && this.#canAskPassword())
      return this.dispatch(name, { ...input, password: await this.#password() });
    if (result.error.code !== 'WALLET_LOCKED') return result;
    if (!this.#canAskPassword()) {
      const hasWayOut = !this.#call.json && COMMANDS[name].access !== 'anyone';
      return hasWayOut ? { ok: false, error: withWayOut(result.error) } : result;
    }
    const password = input['password'] ?? (await this.#password());
    if (COMMANDS[name].access === 'session_or_password') return this.dispatch(name, { ...input, password });
    const unlocked = await this.dispatch('wallet.unlock', { password });
    return unlocked.ok ? this.dispatch(name, input) : unlocked;
  }

  #canAskPassword(): boolean {
    return this.#prompt.available || isSecretGiven(this.#call.password);
  }

  /** A descriptor is read once, and the password is needed again to sign. */
  #password(): Promise<string> {
    if (!isSecretGiven(this.#call.password)) return readSecret('password', {}, this.#prompt, false);
    this.#given ??= readSecret('password', this.#call.password, this.#prompt, false);
    return this.#given;
  }
}

/** An open wallet is not always enough: settings may require the password for some operations. */
export const wantsPassword = ({ code, errors = [] }: ErrorRecord): boolean =>
  code === 'INVALID_REQUEST' && errors.some(({ path }) => path === 'password');

/** Without a prompt a script must supply the password, so the message names the flags. */
const withWayOut = (error: ErrorRecord): ErrorRecord => ({
  ...error,
  detail: 'The wallet is locked. Give its password with --password-file or --password-fd.',
});
