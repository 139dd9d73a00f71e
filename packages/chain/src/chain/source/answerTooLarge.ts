// An answer that is longer than this program reads: its own limit, and no fault of the server. Callers ask in smaller
// pieces where they can.

import { CompanionError, type ErrorCode } from '@wallet-companion/client/contract';

export class AnswerTooLarge extends CompanionError {}

/** `who` answered `what`, both as in a sentence. */
export const answerTooLarge = (code: ErrorCode, who: string, what: string): AnswerTooLarge =>
  new AnswerTooLarge(
    code,
    `${who} has a longer answer to ${what} than this program reads; use another server.`,
  );
