// Payments that were prepared here, and what a signer with the account's keys sends back.

import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { build, madeUpNotes, payTo, signAll } from './spendingAccount.ts';
import { STORIES } from './spendingStories.ts';

export interface BuiltStory {
  readonly name: string;
  readonly ready: Pczt;
  readonly signed: Pczt;
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
      const { pczt } = build(payTo(address, zatoshi, notes, options, text), notes, randomBytes);
      return { name, ready: pczt, signed: signAll(pczt, randomBytes).pczt, signatures };
    },
  );
