// Recovers sent notes with outgoing viewing keys on the kernel (protocol specification §4.20.3): nearly every output is
// decided by the tags of outCiphertext, the rest as exactly as the wallet's own notes.

import { concatBytes } from '@wallet-companion/base/bytes';
import { MAX_MONEY } from '@wallet-companion/zcash/network';
import { COMPACT_PLAINTEXT_SIZE, isLeadByteAllowed, parseNotePlaintext } from '@wallet-companion/zcash/notes';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { RecoverableOutput, RecoveredOutput } from '@wallet-companion/zcash/scan';
import type { NoteVerifier } from '../verify/noteVerifier.ts';
import type { KernelHashes } from './kernelHashes.ts';
import type { NoteCiphers } from './noteCiphers.ts';

/** What the keys of encCiphertext and outCiphertext are derived with. */
interface Personalisations {
  readonly encryption: string;
  readonly outgoing: string;
}

export class SentNotes {
  readonly #hashes: KernelHashes;
  readonly #ciphers: NoteCiphers;
  readonly #notes: NoteVerifier;
  readonly #personal: Personalisations;

  constructor(hashes: KernelHashes, ciphers: NoteCiphers, notes: NoteVerifier, personal: Personalisations) {
    this.#hashes = hashes;
    this.#ciphers = ciphers;
    this.#notes = notes;
    this.#personal = personal;
  }

  /** `undetermined`: the reference has to decide. */
  recover(
    pool: Pool,
    output: RecoverableOutput,
    ovks: readonly Uint8Array[],
    leadBytes: number,
  ): RecoveredOutput | undefined | 'undetermined' {
    const { cv, commitment, ephemeralKey, rho, ciphertext } = output;
    for (const [keyIndex, ovk] of ovks.entries()) {
      const ock = this.#hashes.blake2b(this.#personal.outgoing, 32, ovk, cv, commitment, ephemeralKey);
      const outgoing = this.#ciphers.open(ock, output.outCiphertext);
      if (outgoing === undefined) continue;
      const pkd = outgoing.subarray(0, 32);
      const verdict = this.#notes.verifySent({
        pool,
        pkd,
        esk: outgoing.subarray(32),
        ephemeralKey,
        commitment,
        rho,
        open: (secret) => {
          const key = this.#hashes.blake2b(this.#personal.encryption, 32, secret, ephemeralKey);
          const plaintext = this.#ciphers.open(key, ciphertext);
          return plaintext !== undefined && isLeadByteAllowed(leadBytes, plaintext[0]!)
            ? plaintext
            : undefined;
        },
      });
      if (verdict.kind === 'undetermined') return verdict.kind;
      if (verdict.kind === 'rejected') continue;
      const plaintext = parseNotePlaintext(verdict.plaintext);
      if (plaintext.value > MAX_MONEY) continue;
      const recipient = concatBytes(plaintext.diversifier, pkd);
      return { keyIndex, plaintext, recipient, memo: verdict.plaintext.subarray(COMPACT_PLAINTEXT_SIZE) };
    }
    return undefined;
  }
}
