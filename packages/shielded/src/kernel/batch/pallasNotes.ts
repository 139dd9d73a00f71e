// Verifies Orchard and Ironwood notes and derives their nullifiers with the kernel's scalar arithmetic: recipient,
// commitment and ephemeral key (protocol specification §4.20.3; ZIP 2005 for Ironwood).
//
// The formulas are incomplete: a case that they do not cover (no known hash output leads to one) is reported as
// `undetermined`, and the caller uses the reference.

import { asciiBytes, equalBytes } from '../../shielded/bytes.ts';
import { CAPACITY_FOR_TWO, poseidonParameters } from '../../shielded/hashes/poseidon.ts';
import { asNullifier } from '../../shielded/identifiers.ts';
import type { IncomingKey } from '../../shielded/keys/decryptionKeys.ts';
import { POOL } from '../../shielded/pools.ts';
import { PALLAS_MODULUS } from '../generator/primeField.ts';
import { SINSEMILLA_POINTS } from '../generator/sinsemillaPoints.ts';
import type { PallasScalarExports } from '../load/kernelExports.ts';
import { PALLAS_ORDER, PALLAS_ZETA } from '../plan/curveConstants.ts';
import { shortenScalar } from '../plan/eisenstein.ts';
import { decodeInteger, encodeInteger } from '../plan/integers.ts';
import type { CandidateNote, NoteVerdict, NoteVerifier } from '../verify/noteVerifier.ts';
import type { LaneMemory } from './fieldLanes.ts';
import type { KernelHashes } from './kernelHashes.ts';
import { PallasGroupHash, writeElements, writeSinsemillaPoints } from './pallasGroupHash.ts';
import { RecipientCache, type RecipientMaker } from './recipientCache.ts';

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

  #recipientOf(ivk: bigint, diversifier: Uint8Array): RecipientMaker {
    const exports = this.#exports;
    const [first, second] = this.#points;
    const [firstAffine, secondAffine] = this.#affine;
    return {
      fill: ({ base, baseEncoding, transmissionEncoding, hashState, oddMultiples }) => {
        if (!this.#groupHash.tryHash(first, 'z.cash:Orchard-gd', diversifier)) return false;
        if (exports.makeTable(oddMultiples, first) === 0) return false;
        exports.multiply(second, oddMultiples, ...this.#halves(ivk));
        if (exports.normalise(firstAffine, first, 2) === 0) return false;
        exports.encode(baseEncoding, firstAffine);
        exports.encode(transmissionEncoding, secondAffine);
        const { bytes } = this.#memory;
        bytes.copyWithin(base, firstAffine, firstAffine + AFFINE);
        bytes.copyWithin(this.#message, baseEncoding, baseEncoding + 32);
        bytes.copyWithin(this.#message + 32, transmissionEncoding, transmissionEncoding + 32);
        exports.fromAffine(hashState, this.#tables.commitStart);
        exports.addPieces(hashState, this.#tables.generators, this.#message, 0, RECIPIENT_PIECES);
        return true;
      },
      makeFixedBase: exports.makeFixedBase,
    };
  }

  verify(note: CandidateNote, key: IncomingKey): NoteVerdict {
    const { plaintext, rho } = note;
    const exports = this.#exports;
    const tables = this.#prepareTables();
    const rhoElement = decodeInteger(rho);
    if (rhoElement >= PALLAS_MODULUS) return { kind: 'rejected' };
    const diversifier = plaintext.subarray(1, 12);
    const rseed = plaintext.subarray(20, 52);
    const esk = decodeInteger(this.#hashes.expand(rseed, ESK_TAG, rho)) % PALLAS_ORDER;
    if (esk === 0n) return { kind: 'rejected' };

    const ivk = decodeInteger(key.ivk) % PALLAS_ORDER;
    const recipient = this.#recipients.find(key.ivk, diversifier, this.#recipientOf(ivk, diversifier));
    if (recipient === undefined) return { kind: 'undetermined' };
    const [first, second] = this.#points;
    const [firstAffine, secondAffine] = this.#affine;
    const halves = this.#halves(esk);
    // [esk] g_d = epk
    if (recipient.fixedBase === undefined) exports.multiply(first, recipient.oddMultiples, ...halves);
    else exports.multiplyFixedBase(first, recipient.fixedBase, ...halves);
    if (exports.normalise(firstAffine, first, 1) === 0) return { kind: 'undetermined' };
    if (!equalBytes(this.#encoding(firstAffine), note.ephemeralKey)) return { kind: 'rejected' };
    if (note.signOf?.(decodeInteger(this.#element(firstAffine + ELEMENT))) !== note.secret[31]! >> 7) {
      const secret = this.#agree(firstAffine, ivk);
      if (secret === undefined) return { kind: 'undetermined' };
      if (!equalBytes(secret, note.secret)) return { kind: 'rejected' };
    }

    const psi = decodeInteger(this.#hashes.expand(rseed, PSI_TAG, rho)) % PALLAS_MODULUS;
    const psiBytes = encodeInteger(psi);
    const base = this.#read(recipient.baseEncoding);
    const transmissionKey = this.#read(recipient.transmissionEncoding);
    const value = plaintext.subarray(12, 20);
    const trapdoor = POOL[note.pool].trapdoorBindsNote
      ? this.#hashes.expand(rseed, BOUND_RCM_TAG, base, transmissionKey, value, rho, psiBytes)
      : this.#hashes.expand(rseed, RCM_TAG, rho);
    this.#writeMessage(base, transmissionKey, value, rho, psiBytes);
    const { bytes } = this.#memory;
    bytes.copyWithin(first, recipient.hashState, recipient.hashState + JACOBIAN);
    exports.addPieces(first, tables.generators, this.#message, RECIPIENT_PIECES, PIECES);
    exports.addFixedBase(first, tables.randomness, ...this.#halves(decodeInteger(trapdoor) % PALLAS_ORDER));
    if (key.nk !== undefined) {
      bytes.copyWithin(second, first, first + JACOBIAN);
      exports.poseidon(this.#integers, this.#integer(0, key.nk), this.#integer(1, rho), tables.poseidon);
      const bracket = (decodeInteger(this.#read(this.#integers)) + psi) % PALLAS_MODULUS;
      exports.addFixedBase(second, tables.nullifierBase, ...this.#halves(bracket));
    }
    if (exports.normalise(firstAffine, first, key.nk === undefined ? 1 : 2) === 0)
      return { kind: 'undetermined' };
    if (!equalBytes(this.#element(firstAffine), note.commitment)) return { kind: 'rejected' };
    const nullifier = key.nk === undefined ? null : asNullifier(this.#element(secondAffine));
    return { kind: 'verified', transmissionKey, nullifier };
  }

  /** The encoding of [ivk] epk, of an affine epk; undefined: undetermined. */
  #agree(epk: number, ivk: bigint): Uint8Array | undefined {
    const exports = this.#exports;
    const [point] = this.#points;
    exports.fromAffine(point, epk);
    if (exports.makeTable(this.#table, point) === 0) return undefined;
    exports.multiply(point, this.#table, ...this.#halves(ivk));
    if (exports.normalise(this.#affine[0], point, 1) === 0) return undefined;
    return this.#encoding(this.#affine[0]);
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
