// Outputs of a PCZT as everybody sees them once it is mined, and as the holder of a key reads them.
import { bytesToHex } from '@wallet-companion/base/bytes';
import { decodeInteger32 } from '@wallet-companion/zcash/curves';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { type EncryptedOutput, NOTE_SCHEMES, tryDecryptNote } from '@wallet-companion/zcash/notes';
import { ACTION_POOLS, POOL, type Pool } from '@wallet-companion/zcash/pools';
import { noteOf } from '../../src/pczt/outputNote.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { incomingOf, type MadeUpNote } from './spendingAccount.ts';

interface Transmitted extends EncryptedOutput {
  readonly pool: Pool;
  readonly cv: Uint8Array;
  readonly outCiphertext: Uint8Array;
}

const NO_RHO = new Uint8Array(0);

export const transmitted = (pczt: Pczt): Transmitted[] => [
  ...pczt.sapling.outputs.map(({ cv, cmu, ephemeralKey, encCiphertext, outCiphertext }) => ({
    pool: 'sapling' as const,
    cv,
    rho: NO_RHO,
    commitment: cmu,
    ephemeralKey,
    ciphertext: encCiphertext,
    outCiphertext,
  })),
  ...ACTION_POOLS.flatMap((pool) =>
    pczt[pool].actions.map(({ cvNet, spend, output }) => ({
      pool,
      cv: cvNet!,
      rho: spend.nullifier,
      commitment: output.cmx!,
      ephemeralKey: output.ephemeralKey,
      ciphertext: output.encCiphertext.bytes,
      outCiphertext: output.outCiphertext,
    })),
  ),
];

export const leadBytes = (pool: Pool): number => (pool === 'ironwood' ? 0b100 : 0b010);

const readOutput = (output: Transmitted, key: IncomingKey) => {
  if (key.protocol !== POOL[output.pool].protocol) return undefined;
  const scheme = NOTE_SCHEMES[output.pool];
  return tryDecryptNote(
    scheme,
    output,
    scheme.prepareScalar(decodeInteger32(key.ivk)),
    leadBytes(output.pool),
  );
};

/** Each output that one of the keys decrypts. */
export const readOutputs = (
  pczt: Pczt,
  keys: readonly IncomingKey[],
): { readonly pool: Pool; readonly value: bigint; readonly memo: Uint8Array | undefined }[] =>
  transmitted(pczt).flatMap((output) =>
    keys.flatMap((key) => {
      const note = readOutput(output, key);
      return note ? [{ pool: output.pool, value: note.plaintext.value, memo: note.memo }] : [];
    }),
  );

/** Of account 0, in hexadecimal. */
export function noteNullifier({ pool, zatoshi, position, scope, opening }: MadeUpNote): string {
  const { nk } = incomingOf(0).find((key) => key.protocol === POOL[pool].protocol && key.scope === scope)!;
  return bytesToHex(noteOf(pool, { ...opening, value: BigInt(zatoshi) })!.nullifier(nk!, position));
}
