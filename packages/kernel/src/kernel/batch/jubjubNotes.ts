// Verifies Sapling notes and derives their nullifiers with the kernel's scalar arithmetic (protocol specification
// §4.20.3, §4.16, ZIP 212). The curve formulas are complete, so every candidate is decided here.

import { asciiBytes, concatBytes, equalBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { asNullifier } from '@wallet-companion/zcash/identifiers';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import type { JubjubScalarExports } from '../load/kernelExports.ts';
import { JUBJUB_D, JUBJUB_ORDER } from '../plan/curveConstants.ts';
import { decodeInteger, encodeInteger } from '../plan/integers.ts';
import {
  type CandidateNote,
  type NoteVerdict,
  type NoteVerifier,
  REJECTED,
  type SentCandidate,
  type SentVerdict,
  UNDETERMINED,
} from '../verify/noteVerifier.ts';
import type { LaneMemory } from './fieldLanes.ts';
import type { KernelHashes } from './kernelHashes.ts';
import { RecipientCache, type RecipientSlot } from './recipientCache.ts';

/** The uniform random string of the Sapling parameters: 64 ASCII characters. */
const URS = asciiBytes('096b36a5804bfacef1691e173c366a47ff5ba84a44f26ddd7e8d9f79d5b42df0');

const AFFINE = 80;
const EXTENDED = 160;
const COFACTOR_DOUBLINGS = 3;
const SEGMENTS = 4;
const SEGMENT_CHUNKS = 63;
const CHUNK_MULTIPLES = 4;
/** Doublings from one chunk of a segment to the next. */
const CHUNK_STEP = 4;
/** 6 + 64 + 256 + 256 bits in chunks of three. */
const CHUNKS = 194;
/** The first chunk of g_d and pk_d alone. */
const RECIPIENT_CHUNK = 24;
const MESSAGE_BYTES = 76;
/** Windows of a scalar and of a position. */
const SCALAR_WINDOWS = 43;
const POSITION_WINDOWS = 6;

const FREE_RANDOMNESS = 1;
const RCM_TAG = 0x04;
const ESK_TAG = 0x05;

interface Tables {
  readonly generators: number;
  readonly randomness: number;
  readonly position: number;
}

export class JubjubNotes implements NoteVerifier {
  readonly #memory: LaneMemory;
  readonly #exports: JubjubScalarExports;
  readonly #hashes: KernelHashes;
  readonly #tables: Tables;
  #tablesReady = false;
  readonly #recipients: RecipientCache;
  readonly #integer: number;
  /** Two points, which share an inversion. */
  readonly #points: readonly [number, number];
  readonly #affine: readonly [number, number];
  /** Odd multiples of an ephemeral key. */
  readonly #table: number;
  readonly #message: number;

  constructor(memory: LaneMemory, exports: JubjubScalarExports, hashes: KernelHashes) {
    this.#memory = memory;
    this.#exports = exports;
    this.#hashes = hashes;
    this.#tables = {
      generators: memory.allocate(exports.rowsSize(SEGMENTS * SEGMENT_CHUNKS, CHUNK_MULTIPLES)),
      randomness: memory.allocate(exports.fixedBaseSize(SCALAR_WINDOWS)),
      position: memory.allocate(exports.fixedBaseSize(POSITION_WINDOWS)),
    };
    this.#recipients = new RecipientCache(memory, {
      affine: AFFINE,
      point: EXTENDED,
      oddMultiples: exports.tableSize(),
      fixedBase: exports.fixedBaseSize(SCALAR_WINDOWS),
    });
    this.#integer = memory.allocate(32);
    const points = memory.allocate(2 * EXTENDED);
    this.#points = [points, points + EXTENDED];
    const affine = memory.allocate(2 * AFFINE);
    this.#affine = [affine, affine + AFFINE];
    this.#table = memory.allocate(exports.tableSize());
    this.#message = memory.allocate(MESSAGE_BYTES);
    exports.initialise(this.#write(encodeInteger(JUBJUB_D)));
  }

  /** Tables of 0.3 MB, computed once in a few milliseconds, since only hits need them. */
  #prepareTables(): Tables {
    const tables = this.#tables;
    if (this.#tablesReady) return tables;
    const exports = this.#exports;
    const [point] = this.#affine;
    for (let segment = 0; segment < SEGMENTS; segment++) {
      this.#findHash('Zcash_PH', u32ToLeBytes(segment));
      const size = exports.rowsSize(SEGMENT_CHUNKS, CHUNK_MULTIPLES);
      exports.makeRows(
        tables.generators + segment * size,
        point,
        SEGMENT_CHUNKS,
        CHUNK_MULTIPLES,
        CHUNK_STEP,
      );
    }
    this.#findHash('Zcash_PH', asciiBytes('r'));
    exports.makeFixedBase(tables.randomness, point, SCALAR_WINDOWS);
    this.#findHash('Zcash_J_', new Uint8Array(0));
    exports.makeFixedBase(tables.position, point, POSITION_WINDOWS);
    this.#tablesReady = true;
    return tables;
  }

  /** Copies 32 bytes into the scratch integer. */
  #write(bytes: Uint8Array): number {
    this.#memory.bytes.set(bytes, this.#integer);
    return this.#integer;
  }

  #read(address: number): Uint8Array {
    return this.#memory.bytes.slice(address, address + 32);
  }

  #encoding(affine: number): Uint8Array {
    this.#exports.encode(this.#integer, affine);
    return this.#read(this.#integer);
  }

  /** An affine point's u. */
  #element(affine: number): Uint8Array {
    this.#exports.writeElement(this.#integer, affine);
    return this.#read(this.#integer);
  }

  /** GroupHash^J (§5.4.9.5) into the first scratch point; false for about half of all messages. */
  #tryHash(personal: string, message: Uint8Array): boolean {
    const digest = this.#write(this.#hashes.blake2s(personal, URS, message));
    if (this.#exports.decode(this.#affine[0], digest) === 0) return false;
    this.#exports.fromAffine(this.#points[0], this.#affine[0]);
    return this.#exports.clearCofactor(this.#points[0]) !== 0;
  }

  /** The first hash that is a point, into the first scratch affine point. */
  #findHash(personal: string, message: Uint8Array): void {
    for (let i = 0; i < 256; i++) {
      if (!this.#tryHash(personal, concatBytes(message, Uint8Array.of(i)))) continue;
      this.#exports.normalise(this.#affine[0], this.#points[0], 1);
      return;
    }
    throw new Error('a generator of the protocol exists');
  }

  /** `transmit` writes pk_d to the second scratch point, for the table of g_d. */
  #recipient(
    by: 'ivk' | 'pkd',
    bytes: Uint8Array,
    diversifier: Uint8Array,
    transmit: (o: number, oddMultiples: number) => void,
  ): RecipientSlot | undefined {
    const exports = this.#exports;
    const [first, second] = this.#points;
    const [firstAffine, secondAffine] = this.#affine;
    return this.#recipients.find(by, bytes, diversifier, {
      fill: ({ base, baseEncoding, transmissionEncoding, hashState, oddMultiples }) => {
        if (!this.#tryHash('Zcash_gd', diversifier)) return false;
        exports.makeTable(oddMultiples, first);
        transmit(second, oddMultiples);
        exports.normalise(firstAffine, first, 2);
        this.#memory.bytes.copyWithin(base, firstAffine, firstAffine + AFFINE);
        exports.encode(baseEncoding, firstAffine);
        exports.encode(transmissionEncoding, secondAffine);
        this.#writeMessage(new Uint8Array(8), this.#read(baseEncoding), this.#read(transmissionEncoding));
        exports.setIdentity(hashState);
        exports.addChunks(hashState, this.#tables.generators, this.#message, RECIPIENT_CHUNK, CHUNKS);
        return true;
      },
      makeFixedBase: (table, base) => exports.makeFixedBase(table, base, SCALAR_WINDOWS),
    });
  }

  verify(note: CandidateNote, key: IncomingKey): NoteVerdict {
    const { plaintext } = note;
    const exports = this.#exports;
    const tables = this.#prepareTables();
    const rcm = this.#randomness(plaintext);
    if (rcm === undefined) return REJECTED;
    if (decodeInteger(key.ivk) % JUBJUB_ORDER === 0n) return UNDETERMINED;
    const recipient = this.#recipient('ivk', key.ivk, plaintext.subarray(1, 12), (o, multiples) => {
      exports.multiply(o, multiples, this.#write(key.ivk), 0);
    });
    // The diversifier is invalid.
    if (recipient === undefined) return REJECTED;
    const [first, second] = this.#points;
    const [firstAffine, secondAffine] = this.#affine;
    const esk = this.#ephemeralSecret(plaintext);
    if (esk === 'free') {
      // The sender chose esk, so only epk itself determines the sign of the shared secret.
      if (exports.decode(firstAffine, this.#write(note.ephemeralKey)) === 0) return REJECTED;
    } else {
      // The identity is not an ephemeral key.
      if (esk === 0n || !equalBytes(this.#ephemeralKey(recipient, esk), note.ephemeralKey)) return REJECTED;
    }
    if (note.signOf?.(note, decodeInteger(this.#element(firstAffine))) !== note.secret[31]! >> 7) {
      // [8 ivk] epk
      exports.fromAffine(first, firstAffine);
      exports.makeTable(this.#table, first);
      if (!equalBytes(this.#agree(key.ivk), note.secret)) return REJECTED;
    }

    this.#commit(recipient, plaintext, rcm);
    this.#memory.bytes.copyWithin(second, first, first + EXTENDED);
    const position = this.#write(encodeInteger(BigInt(note.position)));
    exports.addFixedBase(second, tables.position, position, POSITION_WINDOWS);
    exports.normalise(firstAffine, first, 2);
    if (!equalBytes(this.#element(firstAffine), note.commitment)) return REJECTED;
    const transmissionKey = this.#read(recipient.transmissionEncoding);
    if (key.nk === undefined) return { kind: 'verified', transmissionKey, nullifier: null };
    const nullifier = asNullifier(this.#hashes.blake2s('Zcash_nf', key.nk, this.#encoding(secondAffine)));
    return { kind: 'verified', transmissionKey, nullifier };
  }

  verifySent({ pkd, ...sent }: SentCandidate): SentVerdict {
    const exports = this.#exports;
    this.#prepareTables();
    const esk = decodeInteger(sent.esk);
    if (esk === 0n || esk >= JUBJUB_ORDER) return REJECTED;
    const [first] = this.#points;
    const [firstAffine, secondAffine] = this.#affine;
    if (exports.decode(secondAffine, this.#write(pkd)) === 0) return REJECTED;
    exports.fromAffine(first, secondAffine);
    if (exports.isIdentity(first) !== 0) return REJECTED;
    exports.makeTable(this.#table, first);
    exports.multiply(first, this.#table, this.#write(encodeInteger(JUBJUB_ORDER)), 0);
    if (exports.isIdentity(first) === 0) return REJECTED;
    const plaintext = sent.open(this.#agree(sent.esk));
    if (plaintext === undefined) return REJECTED;
    const derived = this.#ephemeralSecret(plaintext);
    const rcm = this.#randomness(plaintext);
    if (rcm === undefined || (derived !== 'free' && derived !== esk)) return REJECTED;
    const recipient = this.#recipient('pkd', pkd, plaintext.subarray(1, 12), (o) => {
      exports.fromAffine(o, secondAffine);
    });
    if (recipient === undefined || !equalBytes(this.#ephemeralKey(recipient, esk), sent.ephemeralKey))
      return REJECTED;
    this.#commit(recipient, plaintext, rcm);
    exports.normalise(firstAffine, first, 1);
    return equalBytes(this.#element(firstAffine), sent.commitment)
      ? { kind: 'verified', plaintext }
      : REJECTED;
  }

  #ephemeralSecret(plaintext: Uint8Array): bigint | 'free' {
    if (plaintext[0] === FREE_RANDOMNESS) return 'free';
    return decodeInteger(this.#hashes.expand(plaintext.subarray(20, 52), ESK_TAG)) % JUBJUB_ORDER;
  }

  /** rcm; undefined when the 32 bytes of a note with lead byte 1 are not a canonical scalar. */
  #randomness(plaintext: Uint8Array): bigint | undefined {
    const rseed = plaintext.subarray(20, 52);
    if (plaintext[0] !== FREE_RANDOMNESS)
      return decodeInteger(this.#hashes.expand(rseed, RCM_TAG)) % JUBJUB_ORDER;
    const rcm = decodeInteger(rseed);
    return rcm < JUBJUB_ORDER ? rcm : undefined;
  }

  /** [esk] g_d, also as the first affine scratch point. */
  #ephemeralKey({ fixedBase, oddMultiples }: RecipientSlot, esk: bigint): Uint8Array {
    const exports = this.#exports;
    const [first] = this.#points;
    const scalar = this.#write(encodeInteger(esk));
    if (fixedBase === undefined) {
      exports.multiply(first, oddMultiples, scalar, 0);
    } else {
      exports.setIdentity(first);
      exports.addFixedBase(first, fixedBase, scalar, SCALAR_WINDOWS);
    }
    exports.normalise(this.#affine[0], first, 1);
    return this.#encoding(this.#affine[0]);
  }

  /** The encoding of [8 scalar] times the point of the scratch table. */
  #agree(scalar: Uint8Array): Uint8Array {
    const exports = this.#exports;
    const [first] = this.#points;
    exports.multiply(first, this.#table, this.#write(scalar), COFACTOR_DOUBLINGS);
    exports.normalise(this.#affine[0], first, 1);
    return this.#encoding(this.#affine[0]);
  }

  /** The first scratch point = the note commitment. */
  #commit(recipient: RecipientSlot, plaintext: Uint8Array, rcm: bigint): void {
    const exports = this.#exports;
    const [first] = this.#points;
    const { generators, randomness } = this.#tables;
    const [base, transmissionKey] = [recipient.baseEncoding, recipient.transmissionEncoding].map((at) =>
      this.#read(at),
    ) as [Uint8Array, Uint8Array];
    this.#writeMessage(plaintext.subarray(12, 20), base, transmissionKey);
    this.#memory.bytes.copyWithin(first, recipient.hashState, recipient.hashState + EXTENDED);
    exports.addChunks(first, generators, this.#message, 0, RECIPIENT_CHUNK);
    exports.addFixedBase(first, randomness, this.#write(encodeInteger(rcm)), SCALAR_WINDOWS);
  }

  /** Six one bits, v 64, g_d 256, pk_d 256 (§5.4.8.2). */
  #writeMessage(value: Uint8Array, base: Uint8Array, transmissionKey: Uint8Array): void {
    const message = new Uint8Array(MESSAGE_BYTES);
    let carry = 0x3f;
    let at = 0;
    for (const part of [value, base, transmissionKey]) {
      for (const byte of part) {
        message[at++] = carry | ((byte << 6) & 0xff);
        carry = byte >> 2;
      }
    }
    message[at] = carry;
    this.#memory.bytes.set(message, this.#message);
  }
}
