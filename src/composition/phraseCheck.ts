// Checks a recovery phrase while it is typed, before a companion is asked to restore it.

import { validMnemonic } from '../actors/wallet/session/walletDraft.ts';
import { toErrorRecord } from '../protocol/errors.ts';

/** A sentence; undefined for a phrase whose words and checksum are right. */
export function phraseProblem(phrase: string): string | undefined {
  try {
    validMnemonic(phrase);
    return undefined;
  } catch (error) {
    return toErrorRecord(error).detail;
  }
}
