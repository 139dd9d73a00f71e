// Notes of each pool: encryption, trial decryption, commitments and memos.

export { type EncryptedNote, encryptNote } from '../zcash/notes/encryption.ts';
export { allowedLeadBytes, isLeadByteAllowed, leadByteOf } from '../zcash/notes/leadBytes.ts';
export { type Memo, noMemo, padMemo, parseMemo, textMemo } from '../zcash/notes/memo.ts';
export { open, openCompact, openOutgoing, seal, sealOutgoing } from '../zcash/notes/noteCipher.ts';
export type { Note, NoteScheme } from '../zcash/notes/noteScheme.ts';
export { type AnyNoteScheme, NOTE_SCHEMES } from '../zcash/notes/noteSchemes.ts';
export { IRONWOOD, ORCHARD, orchardNoteSecrets } from '../zcash/notes/orchardScheme.ts';
export { PackedMemo } from '../zcash/notes/packedMemo.ts';
export {
  COMPACT_PLAINTEXT_SIZE,
  encodeNotePlaintext,
  MEMO_SIZE,
  type NotePlaintext,
  parseNotePlaintext,
} from '../zcash/notes/plaintext.ts';
export { makePlantedOutput } from '../zcash/notes/plantedOutput.ts';
export { outgoingCipherKey, tryRecoverNote, tryRecoverNoteWithOck } from '../zcash/notes/recovery.ts';
export { SAPLING } from '../zcash/notes/saplingScheme.ts';
export { type EncryptedOutput, tryDecryptNote } from '../zcash/notes/trialDecryption.ts';
