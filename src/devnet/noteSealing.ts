// Encrypts planned outputs. An honest one is a note as the protocol has it; a flawed one decrypts with the recipient's key
// and is wrong in exactly one respect, so that a test can show which check refuses it.
import { leBytesToBigint } from '../shielded/bytes.ts';
import { MAX_MONEY, type NetworkParameters } from '../shielded/network.ts';
import { type EncryptedNote, encryptNote } from '../shielded/notes/encryption.ts';
import { allowedLeadBytes, isLeadByteAllowed } from '../shielded/notes/leadBytes.ts';
import type { NoteScheme } from '../shielded/notes/noteScheme.ts';
import { IRONWOOD, ORCHARD } from '../shielded/notes/orchardScheme.ts';
import { SAPLING } from '../shielded/notes/saplingScheme.ts';
import type { Pool } from '../shielded/pools.ts';
import type { Randomness } from './randomness.ts';
import type { PlannedOutput } from './transactionPlan.ts';

export interface NoteSealing {
  readonly output: PlannedOutput;
  /** Value commitment of the output as transmitted. */
  readonly cv: Uint8Array;
  /** Nullifier of the same action; undefined in Sapling. */
  readonly rho: Uint8Array | undefined;
  readonly height: number;
  readonly params: NetworkParameters;
  readonly randomness: Randomness;
}

export type SealedNote = EncryptedNote;

const LEAD_BYTE: Record<Pool, number> = { sapling: 2, orchard: 2, ironwood: 3 };
/** In Sapling the old format, where it is no longer allowed, else Ironwood's. */
const WRONG_LEAD_BYTES: Record<Pool, readonly number[]> = { sapling: [1, 3], orchard: [3], ironwood: [2] };

export function sealNote(sealing: NoteSealing): SealedNote {
  const { pool, flaw } = sealing.output;
  if (pool === 'sapling') return sealWith(SAPLING, sealing);
  // The format of the other pool is a note that is right in everything but its place.
  const ironwoodFormat = (pool === 'ironwood') !== (flaw === 'wrong-lead-byte');
  return sealWith(ironwoodFormat ? IRONWOOD : ORCHARD, sealing);
}

function sealWith<Point, Scalar>(scheme: NoteScheme<Point, Scalar>, sealing: NoteSealing): SealedNote {
  const { output, cv, rho, randomness } = sealing;
  const { flaw } = output;
  const note = {
    leadByte: leadByteOf(sealing),
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
  const randomBytes = (length: number) => randomness.bytes(length);
  if (flaw === 'wrong-ephemeral-key') {
    return encryptNote({ ...scheme, deriveEphemeralSecret: () => 'free' }, note, randomBytes);
  }
  const sealed = encryptNote(scheme, note, randomBytes);
  if (flaw !== 'wrong-commitment') return sealed;
  const { commitment } = encryptNote(scheme, { ...note, value: note.value + 1n }, randomBytes);
  return { ...sealed, commitment };
}

function leadByteOf({ output: { pool, flaw }, height, params }: NoteSealing): number {
  const allowed = allowedLeadBytes(pool, height, params.activation);
  if (flaw === 'wrong-lead-byte') {
    return WRONG_LEAD_BYTES[pool].find((leadByte) => !isLeadByteAllowed(allowed, leadByte))!;
  }
  // Before Canopy Sapling has only the old format.
  return isLeadByteAllowed(allowed, LEAD_BYTE[pool]) ? LEAD_BYTE[pool] : 1;
}

function smallScalar(randomness: Randomness): Uint8Array {
  const scalar = randomness.bytes(32);
  scalar[31] = scalar[31]! & 0x0d;
  return scalar;
}
