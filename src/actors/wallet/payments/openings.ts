// Opens notes once more: the note store has neither their seeds nor the inputs of their nullifiers, so they are read from
// the outputs of their leaves. Everything must be as it was when they were found.

import { bytesToHex, concatBytes, equalBytes, wipe } from '@wallet-companion/shielded/bytes';
import { decodeInteger32 } from '@wallet-companion/shielded/curves';
import type { IncomingKey } from '@wallet-companion/shielded/keys';
import { allowedLeadBytes, NOTE_SCHEMES, tryDecryptNote } from '@wallet-companion/shielded/notes';
import { POOL } from '@wallet-companion/shielded/pools';
import type { ScanHeights } from '@wallet-companion/shielded/scan';
import type { NoteOpening } from '@wallet-companion/shielded/spending';
import type { StoredNote } from '../ports/storage.ts';
import type { NoteWitness } from '../witnesses/witnesses.ts';

interface Keys {
  readonly incoming: readonly IncomingKey[];
  readonly heights: ScanHeights;
}

/** The caller wipes the seed. Undefined where the bytes are not this note. */
export function openedNote(note: StoredNote, witness: NoteWitness, keys: Keys): NoteOpening | undefined {
  const { pool, account, scope, height, position } = note;
  const { leaf, output, path } = witness;
  const { protocol } = POOL[pool];
  const key = keys.incoming.find(
    (one) => one.protocol === protocol && one.account === account && one.scope === scope,
  );
  if (output === undefined || key?.nk === undefined || !equalBytes(output.commitment, leaf)) return undefined;
  const scheme = NOTE_SCHEMES[pool];
  const ivk = scheme.prepareScalar(decodeInteger32(key.ivk));
  const opened = tryDecryptNote(scheme, output, ivk, allowedLeadBytes(pool, height, keys.heights));
  if (opened === undefined) return undefined;
  const { plaintext, transmissionKey } = opened;
  const { leadByte, diversifier, value } = plaintext;
  try {
    const isIt =
      value === BigInt(note.value) && bytesToHex(opened.nullifier(key.nk, position)) === note.nullifier;
    if (!isIt) return undefined;
    const recipient = concatBytes(diversifier, transmissionKey);
    return { leadByte, recipient, rseed: plaintext.rseed.slice(), rho: output.rho, path };
  } finally {
    wipe(plaintext.rseed, diversifier, opened.encryptionKey);
  }
}
