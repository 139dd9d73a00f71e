// Encrypts planned outputs. An honest output is a valid note; a flawed one decrypts with the recipient's key and is
// wrong in exactly one respect, so that a test can show which check refuses it.
import { leBytesToBigint } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { MAX_MONEY, type NetworkParameters } from '@wallet-companion/zcash/network';
import {
  type AnyNoteScheme,
  allowedLeadBytes,
  type EncryptedNote,
  encryptNote,
  isLeadByteAllowed,
  NOTE_SCHEMES,
} from '@wallet-companion/zcash/notes';
import { POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { Randomness } from './randomness.ts';
import type { PlannedOutput } from './transactionPlan.ts';

export interface NoteSealing {
  readonly output: PlannedOutput;
  /** Value commitment of the output as transmitted. */
  readonly cv: Uint8Array;
  /** Nullifier of the same action; undefined in Sapling. */
  readonly rho: Uint8Array | undefined;
  readonly height: Height;
  readonly params: NetworkParameters;
  readonly randomness: Randomness;
}

export interface SealedNote extends EncryptedNote {
  readonly leadByte: number;
  readonly rseed: Uint8Array;
  readonly rho: Uint8Array;
}

interface NoteFormat {
  readonly scheme: AnyNoteScheme;
  readonly leadByte: number;
}

function formatOf({ output: { pool, flaw }, height, params }: NoteSealing): NoteFormat {
  const usual = (of: Pool): number => newestLeadByte(allowedLeadBytes(of, height, params.activation));
  if (flaw !== 'wrong-lead-byte') return { scheme: NOTE_SCHEMES[pool], leadByte: usual(pool) };
  const isWrong = (leadByte: number): boolean =>
    !isLeadByteAllowed(allowedLeadBytes(pool, height, params.activation), leadByte);
  // A note in another pool's format: only its pool is wrong.
  const sibling = POOLS.find(
    (other) => POOL[other].protocol === POOL[pool].protocol && isWrong(usual(other)),
  );
  if (sibling !== undefined) return { scheme: NOTE_SCHEMES[sibling], leadByte: usual(sibling) };
  // A format that is not allowed in this pool.
  return { scheme: NOTE_SCHEMES[pool], leadByte: [1, 3, 2].find(isWrong)! };
}

const newestLeadByte = (mask: number): number => 32 - Math.clz32(mask);

export function sealNote(sealing: NoteSealing): SealedNote {
  const { scheme, leadByte } = formatOf(sealing);
  const { output, cv, rho, randomness } = sealing;
  const { flaw } = output;
  const note = {
    leadByte,
    value: flaw === 'excessive-value' ? MAX_MONEY + 1n : output.value,
    // Small enough to be a scalar of either group, which lead byte 1 demands.
    rseed: smallScalar(randomness),
    recipient: output.recipient,
    memo: output.memo,
    rho: rho ?? new Uint8Array(0),
    cv,
    ovk: output.outgoingKey ?? null,
    esk: leBytesToBigint(smallScalar(randomness)),
  };
  const { rseed } = note;
  const opening = { leadByte, rseed, rho: note.rho };
  const randomBytes = (length: number) => randomness.bytes(length);
  if (flaw === 'wrong-ephemeral-key') {
    return {
      ...opening,
      ...encryptNote({ ...scheme, deriveEphemeralSecret: () => 'free' }, note, randomBytes),
    };
  }
  const sealed = { ...opening, ...encryptNote(scheme, note, randomBytes) };
  if (flaw !== 'wrong-commitment') return sealed;
  const { commitment } = encryptNote(scheme, { ...note, value: note.value + 1n }, randomBytes);
  return { ...sealed, commitment };
}

function smallScalar(randomness: Randomness): Uint8Array {
  const scalar = randomness.bytes(32);
  scalar[31] = scalar[31]! & 0x0d;
  return scalar;
}
