// Three words of the recovery phrase, asked for at the terminal after the phrase was shown, or by `wallet confirm-phrase`:
// until they are right, the companion reminds of a phrase that is on no paper.

import { CompanionError } from '../protocol/errors.ts';
import { unwrap } from '../protocol/result.ts';
import { terminalQuestions } from '../terminal/questions.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import type { CliSession } from './cliSession.ts';

/** No word of BIP-39's list, so no answer of a phrase is taken for it. */
const LATER = 'skip';

/** Ends when the words are right, or the person answers later. */
export async function askWords(
  session: CliSession,
  password: string,
  environment: CliEnvironment,
): Promise<void> {
  const { stderr } = environment;
  const status = await session.dispatch('wallet.status', {});
  if (status.ok && status.value.phrase_confirmed === true) return;
  const ask = await terminalQuestions(environment, new AbortController());
  stderr.write(
    `\nWhen the phrase is on paper, type three of its words ("${LATER}" leaves that for another time).\n`,
  );
  for (;;) {
    const { numbers } = unwrap(await session.dispatch('wallet.confirm_phrase', { password }));
    const words: string[] = [];
    for (const number of numbers) {
      const word = await ask.line(`Word ${number} of your phrase`, { check: oneWord });
      if (word.toLowerCase() === LATER) {
        stderr.write('Not confirmed yet: "wallet-companion wallet confirm-phrase" asks again.\n');
        return;
      }
      words.push(`${number} ${word}`);
    }
    const answer = await session.dispatch('wallet.confirm_phrase', { password, words: words.join(' ') });
    if (answer.ok) {
      stderr.write('The words are right.\n');
      return;
    }
    if (answer.error.code !== 'INVALID_MNEMONIC') throw CompanionError.fromRecord(answer.error);
    stderr.write(`${answer.error.detail}\n`);
  }
}

const oneWord = (answer: string): string | undefined =>
  /\s/.test(answer) ? 'Type this one word.' : undefined;
