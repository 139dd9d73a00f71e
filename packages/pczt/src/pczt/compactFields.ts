// The compact form of an action leaves out fields that follow from others: cv_net, cmx and the ciphertext. They are
// restored before any other use of the PCZT, and left out only where restoring gives the same bytes.

import { equalBytes, wipe } from '@wallet-companion/base/bytes';
import {
  COMPACT_PLAINTEXT_SIZE,
  encodeNotePlaintext,
  leadByteOf,
  open,
  padMemo,
  seal,
} from '@wallet-companion/zcash/notes';
import { ACTION_POOLS, type ActionPool, type Pool, perActionPool } from '@wallet-companion/zcash/pools';
import { cryptographyOf } from '@wallet-companion/zcash/signing';
import type { Action } from './layout.ts';
import { type DescribedNote, noteKeysOf, noteOf, plaintextOf } from './outputNote.ts';
import type { Pczt } from './pczt.ts';
import { inField, refuse } from './refusal.ts';
import type { Steps } from './steps.ts';

const isCompact = ({ cvNet, output }: Action): boolean =>
  cvNet === undefined || output.cmx === undefined || output.encCiphertext.kind === 'memoPlaintext';

export const hasCompactFields = (pczt: Pczt): boolean =>
  ACTION_POOLS.some((pool) => pczt[pool].actions.some(isCompact));

/** The PCZT with every field that the compact form leaves out. */
export const resolveCompactFields = (pczt: Pczt): Pczt => mapActions(pczt, resolveAction);

/** The same in steps, one for each action. */
export function* resolvingCompactFields(pczt: Pczt): Steps<Pczt> {
  const resolved = new Map<Action, Action>();
  for (const pool of ACTION_POOLS) {
    for (const [i, action] of pczt[pool].actions.entries()) {
      resolved.set(
        action,
        inField(`${pool}.actions[${i}]`, () => resolveAction(pool, action)),
      );
      yield;
    }
  }
  return mapActions(pczt, (_, action) => resolved.get(action)!);
}

/** The PCZT without every field that can be restored. */
export const omitCompactFields = (pczt: Pczt): Pczt => mapActions(pczt, compactAction);

export function mapActions(pczt: Pczt, change: (pool: ActionPool, action: Action) => Action): Pczt {
  const bundles = perActionPool((pool) =>
    inField(pool, () => ({
      ...pczt[pool],
      actions: pczt[pool].actions.map((action, i) => inField(`actions[${i}]`, () => change(pool, action))),
    })),
  );
  return { ...pczt, ...bundles };
}

/** The note that the action makes; undefined where one of its fields is absent. */
export function outputNoteOf(pool: ActionPool, { spend, output }: Action): DescribedNote | undefined {
  const { recipient, value, rseed } = output;
  if (recipient === undefined || value === undefined || rseed === undefined) return undefined;
  return { leadByte: leadByteOf(pool), recipient, value, rseed, rho: spend.nullifier };
}

/** The note's commitment; undefined where one of its fields is absent. */
export function commitmentOfAction(pool: ActionPool, { spend, output, rcv }: Action): Uint8Array | undefined {
  if (spend.value === undefined || output.value === undefined || rcv === undefined) return undefined;
  return cryptographyOf(pool).values.commit(spend.value - output.value, rcv);
}

function resolveAction(pool: ActionPool, action: Action): Action {
  if (!isCompact(action)) return action;
  const cannot = (field: string): never => refuse('missing', field, 'it cannot be made from what is there');
  const cvNet = action.cvNet ?? commitmentOfAction(pool, action) ?? cannot('cvNet');
  const { output } = action;
  if (output.cmx !== undefined && output.encCiphertext.kind === 'encrypted') return { ...action, cvNet };
  const described = outputNoteOf(pool, action) ?? cannot('output');
  const commitment = noteOf(pool, described)?.commitment;
  const keys = noteKeysOf(pool, described);
  if (commitment === undefined || keys === undefined)
    refuse('inconsistent', 'output', 'its fields make no note');
  if (output.encCiphertext.kind === 'encrypted')
    return { ...action, cvNet, output: { ...output, cmx: commitment } };
  if (!equalBytes(keys.ephemeralKey, output.ephemeralKey))
    refuse('inconsistent', 'output.ephemeralKey', 'it is not that of the note');
  const memo = padMemo(output.encCiphertext.bytes);
  const plaintext = encodeNotePlaintext(plaintextOf(described), memo);
  const bytes = seal(keys.encryptionKey, plaintext);
  wipe(plaintext, memo);
  return {
    ...action,
    cvNet,
    output: { ...output, cmx: output.cmx ?? commitment, encCiphertext: { kind: 'encrypted', bytes } },
  };
}

/** The memo that the recipient will read, which the caller wipes; undefined where the ciphertext is not that of the note. */
export function memoInCiphertext(
  pool: Pool,
  described: DescribedNote,
  ephemeralKey: Uint8Array,
  ciphertext: Uint8Array,
): Uint8Array | undefined {
  const keys = noteKeysOf(pool, described);
  if (keys === undefined || !equalBytes(keys.ephemeralKey, ephemeralKey)) return undefined;
  const plaintext = open(keys.encryptionKey, ciphertext);
  if (plaintext === undefined) return undefined;
  const memo = plaintext.slice(COMPACT_PLAINTEXT_SIZE);
  const expected = encodeNotePlaintext(plaintextOf(described), memo);
  const isSame = equalBytes(plaintext, expected);
  wipe(plaintext, expected);
  return isSame ? memo : undefined;
}

function compactAction(pool: ActionPool, action: Action): Action {
  const { cvNet, output } = action;
  const sameCommitment = cvNet && commitmentOfAction(pool, action);
  const described = outputNoteOf(pool, action);
  const cmx = described && noteOf(pool, described)?.commitment;
  const memo =
    described && output.encCiphertext.kind === 'encrypted'
      ? memoInCiphertext(pool, described, output.ephemeralKey, output.encCiphertext.bytes)
      : undefined;
  const shortMemo = memo?.slice(0, memo.findLastIndex((byte) => byte !== 0) + 1);
  wipe(memo);
  return {
    ...action,
    cvNet: cvNet && sameCommitment && equalBytes(cvNet, sameCommitment) ? undefined : cvNet,
    output: {
      ...output,
      cmx: output.cmx && cmx && equalBytes(cmx, output.cmx) ? undefined : output.cmx,
      encCiphertext: shortMemo ? { kind: 'memoPlaintext', bytes: shortMemo } : output.encCiphertext,
    },
  };
}
