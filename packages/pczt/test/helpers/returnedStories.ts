// Payments that were prepared here, and what a signer with the account's keys sends back.

import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import type { Pczt } from '../../src/pczt/pczt.ts';
import type { PaymentTerms } from '../../src/signer/checkPayment.ts';
import { build, madeUpNotes, payTo, signAll } from './spendingAccount.ts';
import { STORIES } from './spendingStories.ts';

export interface BuiltStory {
  readonly name: string;
  readonly ready: Pczt;
  readonly signed: Pczt;
  readonly terms: PaymentTerms;
  /** Spends that the account's keys sign. */
  readonly signatures: number;
}

/** All stories, or those whose names begin so. */
export const builtStories = (...names: readonly string[]): readonly BuiltStory[] =>
  STORIES.filter(({ name }) => names.length === 0 || names.some((start) => name.startsWith(start))).map(
    ({ name, notes: given, address, zatoshi, memo, options, signatures }, i) => {
      const randomBytes = seededBytes(9000 + i);
      const notes = madeUpNotes(given, randomBytes);
      const text = memo === undefined ? undefined : new TextEncoder().encode(memo);
      const proposal = payTo(address, zatoshi, notes, options, text);
      const { pczt, txid } = build(proposal, notes, randomBytes);
      const { payments, change, fee, expiryHeight } = proposal;
      const terms = { txid: txIdToHex(txid), account: 0, payments, change, fee, expiryHeight };
      return { name, ready: pczt, signed: signAll(pczt, randomBytes).pczt, terms, signatures };
    },
  );
