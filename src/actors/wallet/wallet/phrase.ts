// Whether the recovery phrase of a new wallet is on paper: three of its words, drawn here, show that. Until they were given
// back the account book has a mark, and every reminder rests on it.

import { ByteReader } from '@wallet-companion/base/bytes';
import { isSameWord, wordsToAsk } from '@wallet-companion/client/contract';
import { badField, type CompanionError } from '../../../protocol/errors.ts';
import type { HandledInput, Output } from '../../../protocol/operations.ts';
import type { PasswordGuard } from '../../../protocol/passwordGuard.ts';
import { keepFacts } from '../session/keptFacts.ts';
import type { Session } from '../session/session.ts';
import { refuseWatchOnly } from '../session/walletDraft.ts';
import { markBackedUp } from './removing.ts';
import type { WalletContext } from './walletContext.ts';

const ASKED_WORDS = 3;

const NOT_WRITTEN_DOWN =
  'Nothing shows that the recovery phrase of this wallet is written down: without it, a lost disk is lost money. "wallet-companion wallet backup" shows it and asks for three of its words.';

/** What `wallet.status` says of the phrase. */
export function phraseView(
  session: Session | undefined,
): Pick<Output<'wallet.status'>, 'phrase_confirmed' | 'warning'> {
  if (session === undefined || session.header.watchOnly) return { phrase_confirmed: null };
  return session.book.phraseUnconfirmed === true
    ? { phrase_confirmed: false, warning: NOT_WRITTEN_DOWN }
    : { phrase_confirmed: true };
}

/** Without words: draws the numbers to ask for. Opens the session only to remember that the words were right. */
export async function confirmPhrase(
  context: WalletContext,
  guard: PasswordGuard,
  { password, words }: HandledInput<'wallet.confirm_phrase'>,
): Promise<Output<'wallet.confirm_phrase'>> {
  const { environment, sessions } = context;
  refuseWatchOnly(sessions.header());
  if (words === undefined) {
    const random = (): number => new ByteReader(environment.randomBytes(4)).u32() / 2 ** 32;
    const numbers = await sessions.withSecrets(guard, password, (mnemonic) =>
      wordsToAsk(mnemonic, ASKED_WORDS, random).map(({ number }) => number),
    );
    return { confirmed: false, numbers };
  }
  const given = numberedWords(words);
  await sessions.withSecrets(guard, password, (mnemonic) => requireSame(given, mnemonic));
  const session = await sessions.enter(guard, password);
  if (session.book.phraseUnconfirmed === true)
    await keepFacts(environment, session, { phraseUnconfirmed: false });
  await markBackedUp(context, session.header);
  return { confirmed: true, numbers: [...given.keys()] };
}

/** The schema has checked the form. A word that is given twice counts once. */
function numberedWords(text: string): ReadonlyMap<number, string> {
  const parts = text.trim().split(/\s+/);
  const given = new Map<number, string>();
  for (let at = 0; at < parts.length; at += 2) given.set(Number(parts[at]), parts[at + 1]!);
  if (given.size < ASKED_WORDS)
    throw badField(
      'words',
      `must be ${ASKED_WORDS} different ones`,
      'Give three different words of the phrase.',
    );
  return given;
}

function requireSame(given: ReadonlyMap<number, string>, mnemonic: string): void {
  const words = mnemonic.split(' ');
  for (const [number, typed] of given) {
    const word = words[number - 1];
    if (word === undefined || !isSameWord(typed, { number, word })) throw wrongWord(number, words.length);
  }
}

const wrongWord = (number: number, count: number): CompanionError =>
  badField(
    'words',
    number >= 1 && number <= count
      ? `has another word ${number} than the phrase`
      : `has a number that is not 1 to ${count}`,
    number >= 1 && number <= count
      ? `Word ${number} of the phrase is another one: compare what you wrote down with "wallet-companion wallet backup".`
      : `The phrase has ${count} words.`,
    'INVALID_MNEMONIC',
  );
