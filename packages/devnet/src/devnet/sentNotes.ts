// The notes in a transaction that was sent to the devnet. The devnet does not know them, so the reference code decrypts
// them with the caller's keys; notes that the devnet made are never decrypted.
import { concatBytes, leBytesToBigint } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import {
  type AnyNoteScheme,
  allowedLeadBytes,
  NOTE_SCHEMES,
  tryDecryptNote,
} from '@wallet-companion/zcash/notes';
import { POOL, POOLS } from '@wallet-companion/zcash/pools';
import { fullOutput } from '@wallet-companion/zcash/scan';
import { parseTransaction } from '@wallet-companion/zcash/transactions';
import type { BuiltTransaction, CreatedNote } from './builtTransaction.ts';

/** `height`: that of the transaction's block, or of the next block. */
export function notesFor(
  keys: readonly IncomingKey[],
  transaction: BuiltTransaction,
  height: Height,
  { activation }: NetworkParameters,
): { readonly note: CreatedNote; readonly key: IncomingKey }[] {
  const parsed = parseTransaction(transaction.bytes);
  return POOLS.flatMap((pool) => {
    const scheme: AnyNoteScheme = NOTE_SCHEMES[pool];
    const leadBytes = allowedLeadBytes(pool, height, activation);
    const candidates = keys.filter(({ protocol }) => protocol === POOL[pool].protocol);
    return Array.from({ length: transaction.leafCounts[pool] }, (_, outputIndex) => {
      const { encCiphertext, ...output } = fullOutput(parsed, pool, outputIndex);
      for (const key of candidates) {
        const ivk = scheme.prepareScalar(leBytesToBigint(key.ivk));
        const found = tryDecryptNote(scheme, { ...output, ciphertext: encCiphertext }, ivk, leadBytes);
        if (found === undefined) continue;
        const { diversifier, value, leadByte, rseed } = found.plaintext;
        const note: CreatedNote = {
          pool,
          outputIndex,
          recipient: concatBytes(diversifier, found.transmissionKey),
          value,
          memo: found.memo!,
          outgoingKey: undefined,
          leadByte,
          rseed,
          rho: output.rho,
          nullifier: (nk, position) => found.nullifier(nk, position),
        };
        return [{ note, key }];
      }
      return [];
    }).flat();
  });
}
