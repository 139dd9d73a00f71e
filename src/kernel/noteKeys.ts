// From a shared secret to the compact note plaintext: K_enc and ChaCha20 from block 1 on (protocol specification
// §5.4.5.4, §4.20.3), for the few rows whose lead byte fits.

import type { LaneMemory } from './fieldLanes.ts';
import type { SymmetricExports } from './kernelInstance.ts';

const COMPACT_SIZE = 52;

/** The two 64-bit words of a 16-byte BLAKE2b personalisation. */
export function personalWords(personal: string): [bigint, bigint] {
  const bytes = Buffer.from(personal, 'ascii');
  return [bytes.readBigInt64LE(0), bytes.readBigInt64LE(8)];
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
  readonly #personal: number;
  readonly #message: number;
  readonly #key: number;
  readonly #keystream: number;

  constructor(memory: LaneMemory, symmetric: SymmetricExports, personal: string) {
    this.#memory = memory;
    this.#symmetric = symmetric;
    this.#personal = memory.allocate(16);
    memory.bytes.set(Buffer.from(personal, 'ascii'), this.#personal);
    this.#message = memory.allocate(64);
    this.#key = memory.allocate(32);
    this.#keystream = memory.allocate(64);
  }

  /** Opens the compact ciphertext with an encoded shared secret and the ephemeral key as transmitted. */
  open(secret: Uint8Array, ephemeralKey: Uint8Array, ciphertext: Uint8Array): OpenedNote {
    const { bytes } = this.#memory;
    bytes.set(secret, this.#message);
    bytes.set(ephemeralKey, this.#message + 32);
    this.#symmetric.blake2b(this.#key, 32, this.#personal, this.#message, 64);
    this.#symmetric.chacha20(this.#keystream, this.#key, 1);
    const plaintext = bytes.slice(this.#keystream, this.#keystream + COMPACT_SIZE);
    for (let i = 0; i < COMPACT_SIZE; i++) plaintext[i]! ^= ciphertext[i]!;
    return { encryptionKey: bytes.slice(this.#key, this.#key + 32), plaintext };
  }
}
