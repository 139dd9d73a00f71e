// What a failed call or a wrong input says to the user, and which passwords have to be typed again.

import { CompanionError } from '@wallet-companion/client';
import { failureText } from '../texts/errors.ts';
import { sharedTexts } from '../texts/shared.ts';

/** For an error that does not come from the companion. `at`: the name of the field that it is about. */
export class Objection extends Error {
  readonly at: string | undefined;

  constructor(message: string, at?: string) {
    super(message);
    this.at = at;
  }
}

/** The companion shows nothing to this page: it has no token, or one whose time is over. */
export const needsGrant = (thrown: unknown): boolean =>
  thrown instanceof CompanionError && thrown.code === 'GRANT_REQUIRED';

export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof CompanionError ? thrown.code : undefined;

export function problemText(thrown: unknown): string {
  if (thrown instanceof Objection) return thrown.message;
  const texts = sharedTexts();
  if (!(thrown instanceof CompanionError)) return texts.failed;
  if (thrown.code === 'COMPANION_UNREACHABLE') return texts.noAnswer;
  const wait = thrown.retryAfterSeconds;
  const text = failureText(thrown.code, sentenceOf(thrown));
  return wait === undefined ? text : `${text} ${texts.wait(Math.ceil(wait))}`;
}

/** Without the name that the input has of the field, which the form shows by its label. */
function sentenceOf({ message, errors = [] }: CompanionError): string {
  const plain = errors.find(({ path, message: problem }) => message === `${path} ${problem}.`)?.message;
  return plain === undefined ? message : `${plain[0]!.toUpperCase()}${plain.slice(1)}.`;
}

/** The names of the page's fields, where they are not those of the input. */
const FIELDS: Readonly<Record<string, string>> = {
  address: 'to',
  contact: 'to',
  uri: 'to',
  zatoshi: 'amount',
  mnemonic: 'secret',
  viewing_key: 'secret',
  birthday_height: 'birthday',
  new_password: 'new',
};

const BY_CODE: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS: 'amount',
  INVALID_MNEMONIC: 'secret',
  INVALID_VIEWING_KEY: 'secret',
  INVALID_URL: 'url',
  WRONG_PASSWORD: 'password',
  INVALID_PASSWORD_FORMAT: 'new',
};

/** Names that the field may have which a failure is about. */
export function fieldsOf(thrown: unknown): readonly string[] {
  if (thrown instanceof Objection) return thrown.at === undefined ? [] : [thrown.at];
  if (!(thrown instanceof CompanionError)) return [];
  const paths = (thrown.errors ?? []).map(({ path }) => path.replace(/^.*\./, ''));
  return [...paths.flatMap((path) => [path, FIELDS[path]]), BY_CODE[thrown.code]].filter(
    (name) => name !== undefined,
  );
}

/** By their `autocomplete`. `at`: that of the field which an objection is about. */
export function wrongPasswords(thrown: unknown, at: string | undefined): readonly string[] {
  if (at !== undefined && /-password$|^one-time-code$/.test(at)) return [at];
  if (!(thrown instanceof CompanionError)) return [];
  if (thrown.code === 'WRONG_PASSWORD') return ['current-password'];
  return thrown.code === 'INVALID_PASSWORD_FORMAT' ? ['current-password', 'new-password'] : [];
}
