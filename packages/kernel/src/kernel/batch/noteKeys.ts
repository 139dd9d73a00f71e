// From a shared secret to the compact note plaintext: K_enc and ChaCha20 from block 1 on (protocol specification
// §5.4.5.4, §4.20.3), for the few rows whose lead byte fits.

import { asciiBytes } from '@wallet-companion/base/bytes';
import type { SymmetricExports } from '../load/kernelExports.ts';
import type { LaneMemory } from './fieldLanes.ts';

const COMPACT_SIZE = 52;

/** The two 64-bit words of a 16-byte BLAKE2b personalisation. */
export function personalWords(personal: string): [bigint, bigint] {
  const view = new DataView(asciiBytes(personal).buffer);
  return [view.getBigInt64(0, true), view.getBigInt64(8, true)];
}

export interface OpenedNote {
  /** 32 bytes: K_enc. */
  readonly encryptionKey: Uint8Array;
  /** 52 bytes. */
  readonly plaintext: Uint8Array;
}

export class NoteKeys {
  readonly #memory: LaneMemory;
  readonly #symmetric: SymmetricExports;
  readonly #personal: readonly [bigint, bigint];
  readonly #message: number;
  readonly #bothKeys: number;
  readonly #key: number;
  readonly #keystream: number;

  constructor(memory: LaneMemory, symmetric: SymmetricExports, personal: string) {
    this.#memory = memory;
    this.#symmetric = symmetric;
    this.#personal = personalWords(personal);
    this.#message = memory.allocate(64);
    this.#bothKeys = memory.allocate(64);
    this.#key = memory.allocate(32);
    this.#keystream = memory.allocate(64);
  }

  /** Opens the compact ciphertext with an encoded shared secret and the ephemeral key as transmitted. */
  open(secret: Uint8Array, ephemeralKey: Uint8Array, ciphertext: Uint8Array): OpenedNote {
    const { bytes } = this.#memory;
    bytes.set(secret, this.#message);
    bytes.set(ephemeralKey, this.#message + 32);
    const [personal6, personal7] = this.#personal;
    // The batch derivation returns the keys of both signs, with their 64-bit words interleaved.
    this.#symmetric.deriveKeys(this.#bothKeys, this.#message, this.#message + 32, personal6, personal7);
    const sign = secret[31]! >> 7;
    for (let word = 0; word < 4; word++) {
      const start = this.#bothKeys + word * 16 + sign * 8;
      bytes.copyWithin(this.#key + word * 8, start, start + 8);
    }
    this.#symmetric.chacha20(this.#keystream, this.#key, 1);
    const plaintext = bytes.slice(this.#keystream, this.#keystream + COMPACT_SIZE);
    for (let i = 0; i < COMPACT_SIZE; i++) plaintext[i]! ^= ciphertext[i]!;
    return { encryptionKey: bytes.slice(this.#key, this.#key + 32), plaintext };
  }
}
