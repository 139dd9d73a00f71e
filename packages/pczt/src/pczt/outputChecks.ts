// Checks whether the fields that explain an output (recipient, amount, memo) fit the signed data.
import { bigintToLeBytes, equalBytes } from '@wallet-companion/base/bytes';
import { openOutgoing } from '@wallet-companion/zcash/notes';
import type { ActionPool, Pool } from '@wallet-companion/zcash/pools';
import { commitmentOfAction, memoInCiphertext, outputNoteOf } from './compactFields.ts';
import type { Action, SaplingOutput } from './layout.ts';
import { type DescribedNote, noteKeysOf, noteOf } from './outputNote.ts';
import { type Finding, finding, findingOf } from './spendChecks.ts';

export interface OutputFindings {
  readonly commitment: Finding;
  /** The recipient can decrypt it, and gets the values of the fields. */
  readonly ciphertext: Finding;
  /** The sender can decrypt it with `ock`. */
  readonly outCiphertext: Finding;
  /** 512 bytes, from a ciphertext that fits. */
  readonly memo: Uint8Array | undefined;
}

interface Transmitted {
  readonly commitment: Uint8Array | undefined;
  readonly ephemeralKey: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly outCiphertext: Uint8Array;
  readonly ock: Uint8Array | undefined;
}

/** For an action whose compact fields are resolved. */
export function checkActionOutput(pool: ActionPool, action: Action): OutputFindings {
  const { cmx, ephemeralKey, encCiphertext, outCiphertext, ock } = action.output;
  const ciphertext = encCiphertext.bytes;
  return findingsOf(pool, outputNoteOf(pool, action), {
    commitment: cmx,
    ephemeralKey,
    ciphertext,
    outCiphertext,
    ock,
  });
}

/** The note that the output makes; undefined where one of its fields is absent. */
export const saplingNoteOf = ({ recipient, value, rseed }: SaplingOutput): DescribedNote | undefined =>
  recipient && value !== undefined && rseed
    ? { leadByte: 2, recipient, value, rseed, rho: new Uint8Array(0) }
    : undefined;

export function checkSaplingOutput(output: SaplingOutput): OutputFindings {
  const { cmu, ephemeralKey, encCiphertext, outCiphertext, ock } = output;
  return findingsOf('sapling', saplingNoteOf(output), {
    commitment: cmu,
    ephemeralKey,
    ciphertext: encCiphertext,
    outCiphertext,
    ock,
  });
}

function findingsOf(pool: Pool, note: DescribedNote | undefined, sent: Transmitted): OutputFindings {
  if (note === undefined)
    return { commitment: 'unknown', ciphertext: 'unknown', outCiphertext: 'unknown', memo: undefined };
  const made = noteOf(pool, note)?.commitment;
  const memo = memoInCiphertext(pool, note, sent.ephemeralKey, sent.ciphertext);
  return {
    commitment: finding(sent.commitment && made !== undefined && equalBytes(made, sent.commitment)),
    ciphertext: finding(memo !== undefined),
    outCiphertext: outgoing(pool, note, sent),
    memo,
  };
}

function outgoing(pool: Pool, note: DescribedNote, { ock, outCiphertext }: Transmitted): Finding {
  if (ock === undefined) return 'unknown';
  const opened = openOutgoing(ock, outCiphertext);
  const keys = noteKeysOf(pool, note);
  return finding(
    opened !== undefined &&
      keys !== undefined &&
      equalBytes(opened.pkd, note.recipient.subarray(11)) &&
      equalBytes(opened.esk, bigintToLeBytes(keys.esk, 32)),
  );
}

/** An action has one value commitment for its spend and its output together. */
export const checkActionValue = (pool: ActionPool, action: Action): Finding =>
  findingOf(() => {
    const made = commitmentOfAction(pool, action);
    return made && action.cvNet && equalBytes(made, action.cvNet);
  });
