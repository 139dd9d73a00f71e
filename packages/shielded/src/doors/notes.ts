// Notes of each pool: encryption, trial decryption, commitments and memos.

export { type EncryptedNote, encryptNote } from '../shielded/notes/encryption.ts';
export { allowedLeadBytes, isLeadByteAllowed, leadByteOf } from '../shielded/notes/leadBytes.ts';
export { type Memo, noMemo, padMemo, parseMemo, textMemo } from '../shielded/notes/memo.ts';
export type { NoteScheme } from '../shielded/notes/noteScheme.ts';
export { type AnyNoteScheme, NOTE_SCHEMES } from '../shielded/notes/noteSchemes.ts';
export { IRONWOOD, ORCHARD } from '../shielded/notes/orchardScheme.ts';
export { PackedMemo } from '../shielded/notes/packedMemo.ts';
export { MEMO_SIZE } from '../shielded/notes/plaintext.ts';
export { makePlantedOutput } from '../shielded/notes/plantedOutput.ts';
export { SAPLING } from '../shielded/notes/saplingScheme.ts';
export { type EncryptedOutput, tryDecryptNote } from '../shielded/notes/trialDecryption.ts';
