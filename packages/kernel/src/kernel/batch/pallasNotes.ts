// Verifies Orchard and Ironwood notes and derives their nullifiers with the kernel's scalar arithmetic: recipient,
// commitment and ephemeral key (protocol specification §4.20.3; ZIP 2005 for Ironwood).
//
// The formulas are incomplete: a case that they do not cover (no known hash output leads to one) is reported as
// `undetermined`, and the caller uses the reference.

import { asciiBytes, equalBytes } from '@wallet-companion/base/bytes';
import { CAPACITY_FOR_TWO, poseidonParameters } from '@wallet-companion/zcash/curves';
import { asNullifier } from '@wallet-companion/zcash/identifiers';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { POOL, type Pool } from '@wallet-companion/zcash/pools';
import { PALLAS_MODULUS } from '../generator/primeField.ts';
import { SINSEMILLA_POINTS } from '../generator/sinsemillaPoints.ts';
import type { PallasScalarExports } from '../load/kernelExports.ts';
import { PALLAS_ORDER, PALLAS_ZETA } from '../plan/curveConstants.ts';
import { shortenScalar } from '../plan/eisenstein.ts';
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
import { PallasGroupHash, writeElements, writeSinsemillaPoints } from './pallasGroupHash.ts';
import { RecipientCache, type RecipientSlot } from './recipientCache.ts';

const ELEMENT = 40;
const AFFINE = 80;
const JACOBIAN = 120;
const PIECES = 109;
/** Pieces of g_d and pk_d alone. */
const RECIPIENT_PIECES = 51;
const MESSAGE_BYTES = 140;

const ESK_TAG = 0x04;
const RCM_TAG = 0x05;
const PSI_TAG = 0x09;
const BOUND_RCM_TAG = 0x0b;

interface Tables {
  readonly poseidon: number;
  readonly generators: number;
  readonly commitStart: number;
  readonly randomness: number;
  readonly nullifierBase: number;
}

export class PallasNotes implements NoteVerifier {
  readonly #memory: LaneMemory;
  readonly #exports: PallasScalarExports;
  readonly #hashes: KernelHashes;
  readonly #sinsemilla: Uint8Array;
  readonly #groupHash: PallasGroupHash;
  readonly #tables: Tables;
  #tablesReady = false;
  readonly #recipients: RecipientCache;
  readonly #integers: number;
  /** Two points, which share an inversion. */
  readonly #points: readonly [number, number];
  readonly #affine: readonly [number, number];
  /** Odd multiples of an ephemeral key. */
  readonly #table: number;
  readonly #message: number;

  /** `sinsemilla`: the points of the pieces. */
  constructor(
    memory: LaneMemory,
    exports: PallasScalarExports,
    hashes: KernelHashes,
    sinsemilla: Uint8Array,
  ) {
    this.#sinsemilla = sinsemilla;
    this.#memory = memory;
    this.#exports = exports;
    this.#hashes = hashes;
    this.#groupHash = new PallasGroupHash(memory, exports, hashes);
    const poseidonElements = 1 + 192 + 9;
    this.#tables = {
      poseidon: memory.allocate(poseidonElements * ELEMENT),
      generators: memory.allocate(SINSEMILLA_POINTS * AFFINE),
      commitStart: memory.allocate(AFFINE),
      randomness: memory.allocate(exports.fixedBaseSize()),
      nullifierBase: memory.allocate(exports.fixedBaseSize()),
    };
    this.#recipients = new RecipientCache(memory, {
      affine: AFFINE,
      point: JACOBIAN,
      oddMultiples: exports.tableSize(),
      fixedBase: exports.fixedBaseSize(),
    });
    this.#integers = memory.allocate(2 * 32);
    const points = memory.allocate(2 * JACOBIAN);
    this.#points = [points, points + JACOBIAN];
    const affine = memory.allocate(2 * AFFINE);
    this.#affine = [affine, affine + AFFINE];
    this.#table = memory.allocate(exports.tableSize());
    this.#message = memory.allocate(MESSAGE_BYTES);
    exports.initialise(this.#integer(0, encodeInteger(PALLAS_ZETA)));
  }

  /** Tables of 0.2 MB, computed once in a few milliseconds, since only hits need them. */
  #prepareTables(): Tables {
    const tables = this.#tables;
    if (this.#tablesReady) return tables;
    const { roundConstants, matrix } = poseidonParameters();
    const constants = [CAPACITY_FOR_TWO, ...roundConstants.flat(), ...matrix.flat()];
    writeElements(this.#memory, this.#exports, tables.poseidon, constants);
    writeSinsemillaPoints(this.#memory, this.#exports, tables.generators, this.#sinsemilla);
    const domain = 'z.cash:Orchard-NoteCommit';
    const groupHash = this.#groupHash;
    groupHash.generator(tables.commitStart, 'z.cash:SinsemillaQ', asciiBytes(`${domain}-M`));
    const fixedBase = (table: number, of: string, message: Uint8Array) => {
      groupHash.generator(this.#affine[0], of, message);
      this.#exports.makeFixedBase(table, this.#affine[0]);
    };
    fixedBase(tables.randomness, `${domain}-r`, new Uint8Array(0));
    fixedBase(tables.nullifierBase, 'z.cash:Orchard', asciiBytes('K'));
    this.#tablesReady = true;
    return tables;
  }

  /** Copies 32 bytes into one of two scratch slots. */
  #integer(index: 0 | 1, bytes: Uint8Array): number {
    const address = this.#integers + index * 32;
    this.#memory.bytes.set(bytes, address);
    return address;
  }

  /** A scalar as the kernel takes it: two halves and their signs. */
  #halves(scalar: bigint): readonly [number, boolean, number, boolean] {
    const { a, b } = shortenScalar(scalar);
    const first = this.#integer(0, encodeInteger(a < 0n ? -a : a));
    const second = this.#integer(1, encodeInteger(b < 0n ? -b : b));
    return [first, a < 0n, second, b < 0n];
  }

  #read(address: number): Uint8Array {
    return this.#memory.bytes.slice(address, address + 32);
  }

  #encoding(affine: number): Uint8Array {
    this.#exports.encode(this.#integers, affine);
    return this.#read(this.#integers);
  }

  /** An affine point's x, or y at the address of its y. */
  #element(affine: number): Uint8Array {
    this.#exports.writeElement(this.#integers, affine);
    return this.#read(this.#integers);
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
        if (!this.#groupHash.tryHash(first, 'z.cash:Orchard-gd', diversifier)) return false;
        if (exports.makeTable(oddMultiples, first) === 0) return false;
        transmit(second, oddMultiples);
        if (exports.normalise(firstAffine, first, 2) === 0) return false;
        exports.encode(baseEncoding, firstAffine);
        exports.encode(transmissionEncoding, secondAffine);
        const { bytes: memory } = this.#memory;
        memory.copyWithin(base, firstAffine, firstAffine + AFFINE);
        memory.copyWithin(this.#message, baseEncoding, baseEncoding + 32);
        memory.copyWithin(this.#message + 32, transmissionEncoding, transmissionEncoding + 32);
        exports.fromAffine(hashState, this.#tables.commitStart);
        exports.addPieces(hashState, this.#tables.generators, this.#message, 0, RECIPIENT_PIECES);
        return true;
      },
      makeFixedBase: exports.makeFixedBase,
    });
  }

  verify(note: CandidateNote, key: IncomingKey): NoteVerdict {
    const { plaintext, rho } = note;
    const exports = this.#exports;
    const tables = this.#prepareTables();
    if (decodeInteger(rho) >= PALLAS_MODULUS) return REJECTED;
    const esk = this.#ephemeralSecret(plaintext, rho);
    if (esk === 0n) return REJECTED;
    const ivk = decodeInteger(key.ivk) % PALLAS_ORDER;
    const recipient = this.#recipient('ivk', key.ivk, plaintext.subarray(1, 12), (o, multiples) => {
      exports.multiply(o, multiples, ...this.#halves(ivk));
    });
    if (recipient === undefined) return UNDETERMINED;
    const ephemeralKey = this.#ephemeralKey(recipient, esk);
    if (ephemeralKey === undefined) return UNDETERMINED;
    if (!equalBytes(ephemeralKey, note.ephemeralKey)) return REJECTED;
    const [first, second] = this.#points;
    const [firstAffine, secondAffine] = this.#affine;
    const ordinate = decodeInteger(this.#element(firstAffine + ELEMENT));
    if (note.signOf?.(note, ordinate) !== note.secret[31]! >> 7) {
      // [ivk] epk
      exports.fromAffine(first, firstAffine);
      const secret = this.#agree(first, ivk);
      if (secret === undefined) return UNDETERMINED;
      if (!equalBytes(secret, note.secret)) return REJECTED;
    }

    const psi = this.#commit(note.pool, recipient, plaintext, rho);
    if (key.nk !== undefined) {
      this.#memory.bytes.copyWithin(second, first, first + JACOBIAN);
      exports.poseidon(this.#integers, this.#integer(0, key.nk), this.#integer(1, rho), tables.poseidon);
      const bracket = (decodeInteger(this.#read(this.#integers)) + psi) % PALLAS_MODULUS;
      exports.addFixedBase(second, tables.nullifierBase, ...this.#halves(bracket));
    }
    if (exports.normalise(firstAffine, first, key.nk === undefined ? 1 : 2) === 0) return UNDETERMINED;
    if (!equalBytes(this.#element(firstAffine), note.commitment)) return REJECTED;
    const nullifier = key.nk === undefined ? null : asNullifier(this.#element(secondAffine));
    return {
      kind: 'verified',
      transmissionKey: this.#read(recipient.transmissionEncoding),
      nullifier,
    };
  }

  verifySent({ pool, pkd, rho, ...sent }: SentCandidate): SentVerdict {
    const exports = this.#exports;
    this.#prepareTables();
    const esk = decodeInteger(sent.esk);
    if (esk === 0n || esk >= PALLAS_ORDER || decodeInteger(rho) >= PALLAS_MODULUS) return REJECTED;
    const [first] = this.#points;
    const [firstAffine, secondAffine] = this.#affine;
    if (exports.decode(secondAffine, this.#integer(0, pkd)) === 0) return REJECTED;
    exports.fromAffine(first, secondAffine);
    // [esk] pk_d
    const secret = this.#agree(first, esk);
    if (secret === undefined) return UNDETERMINED;
    const plaintext = sent.open(secret);
    if (plaintext === undefined || this.#ephemeralSecret(plaintext, rho) !== esk) return REJECTED;
    const recipient = this.#recipient('pkd', pkd, plaintext.subarray(1, 12), (o) => {
      exports.fromAffine(o, secondAffine);
    });
    if (recipient === undefined) return UNDETERMINED;
    const ephemeralKey = this.#ephemeralKey(recipient, esk);
    if (ephemeralKey === undefined) return UNDETERMINED;
    if (!equalBytes(ephemeralKey, sent.ephemeralKey)) return REJECTED;
    this.#commit(pool, recipient, plaintext, rho);
    if (exports.normalise(firstAffine, first, 1) === 0) return UNDETERMINED;
    return equalBytes(this.#element(firstAffine), sent.commitment)
      ? { kind: 'verified', plaintext }
      : REJECTED;
  }

  #ephemeralSecret(plaintext: Uint8Array, rho: Uint8Array): bigint {
    return decodeInteger(this.#hashes.expand(plaintext.subarray(20, 52), ESK_TAG, rho)) % PALLAS_ORDER;
  }

  /** [esk] g_d, also as the first affine scratch point; undefined: undetermined. */
  #ephemeralKey({ fixedBase, oddMultiples }: RecipientSlot, esk: bigint): Uint8Array | undefined {
    const exports = this.#exports;
    const [first] = this.#points;
    const [firstAffine] = this.#affine;
    if (fixedBase === undefined) exports.multiply(first, oddMultiples, ...this.#halves(esk));
    else exports.multiplyFixedBase(first, fixedBase, ...this.#halves(esk));
    if (exports.normalise(firstAffine, first, 1) === 0) return undefined;
    return this.#encoding(firstAffine);
  }

  /** The first scratch point = the note commitment; returns psi. */
  #commit(pool: Pool, recipient: RecipientSlot, plaintext: Uint8Array, rho: Uint8Array): bigint {
    const exports = this.#exports;
    const [first] = this.#points;
    const value = plaintext.subarray(12, 20);
    const rseed = plaintext.subarray(20, 52);
    const psi = decodeInteger(this.#hashes.expand(rseed, PSI_TAG, rho)) % PALLAS_MODULUS;
    const psiBytes = encodeInteger(psi);
    const base = this.#read(recipient.baseEncoding);
    const transmissionKey = this.#read(recipient.transmissionEncoding);
    const trapdoor = POOL[pool].trapdoorBindsNote
      ? this.#hashes.expand(rseed, BOUND_RCM_TAG, base, transmissionKey, value, rho, psiBytes)
      : this.#hashes.expand(rseed, RCM_TAG, rho);
    this.#writeMessage(base, transmissionKey, value, rho, psiBytes);
    const { generators, randomness } = this.#tables;
    this.#memory.bytes.copyWithin(first, recipient.hashState, recipient.hashState + JACOBIAN);
    exports.addPieces(first, generators, this.#message, RECIPIENT_PIECES, PIECES);
    exports.addFixedBase(first, randomness, ...this.#halves(decodeInteger(trapdoor) % PALLAS_ORDER));
    return psi;
  }

  /** The encoding of [scalar] point, of a Jacobian point; undefined: undetermined. */
  #agree(point: number, scalar: bigint): Uint8Array | undefined {
    const exports = this.#exports;
    const [firstAffine] = this.#affine;
    if (exports.makeTable(this.#table, point) === 0) return undefined;
    exports.multiply(point, this.#table, ...this.#halves(scalar));
    if (exports.normalise(firstAffine, point, 1) === 0) return undefined;
    return this.#encoding(firstAffine);
  }

  /** g_d 256 bits, pk_d 256, v 64, rho 255, psi 255 (§5.4.8.4); the last piece is padded with zero bits. */
  #writeMessage(
    base: Uint8Array,
    transmissionKey: Uint8Array,
    value: Uint8Array,
    rho: Uint8Array,
    psi: Uint8Array,
  ): void {
    const message = new Uint8Array(MESSAGE_BYTES);
    message.set(base, 0);
    message.set(transmissionKey, 32);
    message.set(value, 64);
    message.set(rho, 72);
    // psi begins at bit 831 = 103 * 8 + 7; bit 255 of rho is 0.
    for (let i = 0; i < 32; i++) {
      message[103 + i]! |= (psi[i]! & 1) << 7;
      message[104 + i] = psi[i]! >> 1;
    }
    this.#memory.bytes.set(message, this.#message);
  }
}
