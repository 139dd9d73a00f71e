// Receipts for payments as the page reads them: several in one text, what the check of each found in words, and the sum that they
// prove together.

import { type Client, CompanionError, type Output } from '@wallet-companion/client';
import { receiptsTexts } from '../texts/receipts.ts';

export type Made = Output<'receipts.create'>['receipts'][number];
/** The part of the answer that is shown. */
export type Shown = Omit<Output<'receipts.verify'>, 'explanation' | 'issuer_key_id'>;
export type Verdict =
  /** It is cut, changed, or something else. */
  | { readonly kind: 'unreadable' }
  /** No source was asked for the transaction, and none was given. */
  | ({ readonly kind: 'incomplete' } & Pick<Shown, 'network' | 'txid'>)
  | { readonly kind: 'checked'; readonly answer: Shown };

/** A line that a mail has broken is one again: each receipt begins as base64url of `{"`, or is a link or JSON. */
export function receiptsIn(text: string): readonly string[] {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith('{')) return trimmed === '' ? [] : [trimmed];
  const parts = trimmed.split(/\s+(?=eyJ|[a-z]+:\/\/)/i).map((part) => part.replaceAll(/\s+/g, ''));
  return [...new Set(parts)];
}

/** One after the other. `transaction`: in hexadecimal; empty where the source is to be asked. */
export async function checkReceipts(
  call: Client['call'],
  text: string,
  transaction: string,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const receipt of receiptsIn(text)) {
    const input = { receipt, ...(transaction === '' ? {} : { transaction }) };
    try {
      verdicts.push({ kind: 'checked', answer: await call('receipts.verify', input) });
    } catch (thrown) {
      if (!isUnreadable(thrown)) throw thrown;
      verdicts.push({ kind: 'unreadable' });
    }
  }
  return verdicts;
}

const isUnreadable = (thrown: unknown): boolean =>
  thrown instanceof CompanionError &&
  thrown.code === 'INVALID_REQUEST' &&
  thrown.errors?.some(({ path }) => path === 'receipt') === true;

/** They speak against what the check was given, and not against the receipt. */
const UNCHECKED: readonly Shown['reason'][] = ['other_network', 'other_transaction', 'other_challenge'];

export interface VerdictWords {
  readonly result: Shown['result'] | 'unchecked';
  readonly name: string;
  readonly text: string;
}

export function verdictWords(verdict: Verdict): VerdictWords {
  const texts = receiptsTexts();
  if (verdict.kind === 'unreadable')
    return { result: 'invalid', name: texts.results.invalid, text: texts.unreadable };
  if (verdict.kind === 'incomplete')
    return { result: 'unchecked', name: texts.results.unchecked, text: texts.incomplete };
  const { result, reason, chain } = verdict.answer;
  const right = chain === 'not_asked' ? texts.rightUnasked : texts.right;
  const shown = UNCHECKED.includes(reason) ? 'unchecked' : result;
  return { result: shown, name: texts.results[shown], text: reason === null ? right : texts.reasons[reason] };
}

/** Each output counts once, however many receipts it has. */
export function provedZatoshi(verdicts: readonly Verdict[]): number {
  const outputs = new Map<string, number>();
  for (const verdict of verdicts)
    if (verdict.kind === 'checked' && verdict.answer.result === 'valid') {
      const { txid, pool, output_index: index, value_zatoshi: value } = verdict.answer;
      outputs.set(`${txid} ${pool} ${index}`, value ?? 0);
    }
  return [...outputs.values()].reduce((sum, value) => sum + value, 0);
}
