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
import { type Eisenstein, shortenScalar } from '../plan/eisenstein.ts';
import { decodeInteger, encodeInteger } from '../plan/integers.ts';
import type { CandidateNote, NoteVerdict, NoteVerifier } from '../verify/noteVerifier.ts';
import type { LaneMemory } from './fieldLanes.ts';
import type { KernelHashes } from './kernelHashes.ts';
import { PallasGroupHash, writeElements, writeSinsemillaPoints } from './pallasGroupHash.ts';
import { RecipientCache } from './recipientCache.ts';

const ELEMENT = 40;
const AFFINE = 80;
const JACOBIAN = 120;
const PIECES = 109;
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
  readonly #point: number;
  readonly #jacobian: number;
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
    this.#recipients = new RecipientCache(memory, exports.tableSize());
    this.#integers = memory.allocate(4 * 32);
    this.#point = memory.allocate(AFFINE);
    this.#jacobian = memory.allocate(JACOBIAN);
    this.#message = memory.allocate(MESSAGE_BYTES);
    exports.initialise(this.#integer(0, encodeInteger(PALLAS_ZETA)));
  }

  /** Tables of 0.3 MB, computed once in a few milliseconds, since only hits need them. */
  #prepareTables(): Tables {
    const tables = this.#tables;
    if (this.#tablesReady) return tables;
    const { roundConstants, matrix } = poseidonParameters();
    const constants = [CAPACITY_FOR_TWO, ...roundConstants.flat(), ...matrix.flat()];
    writeElements(this.#memory, this.#exports, tables.poseidon, constants);
    writeSinsemillaPoints(this.#memory, this.#exports, tables.generators, this.#sinsemilla);
    const domain = 'z.cash:Orchard-NoteCommit';
    this.#groupHash.hash(tables.commitStart, 'z.cash:SinsemillaQ', asciiBytes(`${domain}-M`));
    this.#groupHash.hash(this.#point, `${domain}-r`, new Uint8Array(0));
    this.#exports.makeFixedBase(tables.randomness, this.#point);
    this.#groupHash.hash(this.#point, 'z.cash:Orchard', asciiBytes('K'));
    this.#exports.makeFixedBase(tables.nullifierBase, this.#point);
    this.#tablesReady = true;
    return tables;
  }

  /** The scratch point = [scalar] of a table's point; false: undetermined. */
  #multiply(table: number, { a, b }: Eisenstein): boolean {
    const first = this.#integer(0, encodeInteger(a < 0n ? -a : a));
    const second = this.#integer(1, encodeInteger(b < 0n ? -b : b));
    return this.#exports.multiply(this.#point, table, first, a < 0n, second, b < 0n) !== 0;
  }

  /** Copies 32 bytes into one of four scratch slots. */
  #integer(index: number, bytes: Uint8Array): number {
    const address = this.#integers + index * 32;
    this.#memory.bytes.set(bytes, address);
    return address;
  }

  #read(address: number): Uint8Array {
    return this.#memory.bytes.slice(address, address + 32);
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

    const recipient = this.#recipients.find(key.ivk, diversifier, (slot) => {
      if (!this.#groupHash.tryHash(this.#point, 'z.cash:Orchard-gd', diversifier)) return false;
      exports.encode(slot.baseEncoding, this.#point);
      exports.makeTable(slot.baseTable, this.#point);
      if (!this.#multiply(slot.baseTable, shortenScalar(decodeInteger(key.ivk) % PALLAS_ORDER))) return false;
      exports.encode(slot.transmissionEncoding, this.#point);
      exports.makeTable(slot.transmissionTable, this.#point);
      return true;
    });
    if (recipient === undefined) return { kind: 'undetermined' };
    const scalar = shortenScalar(esk);
    if (!this.#multiply(recipient.baseTable, scalar)) return { kind: 'undetermined' };
    const encoding = this.#integers + 96;
    exports.encode(encoding, this.#point);
    if (!equalBytes(this.#read(encoding), note.ephemeralKey)) return { kind: 'rejected' };
    // [ivk] epk = [esk] pk_d: checks the sign that was assumed for the shared secret.
    if (!this.#multiply(recipient.transmissionTable, scalar)) return { kind: 'undetermined' };
    exports.encode(encoding, this.#point);
    if (!equalBytes(this.#read(encoding), note.secret)) return { kind: 'rejected' };

    const psi = decodeInteger(this.#hashes.expand(rseed, PSI_TAG, rho)) % PALLAS_MODULUS;
    const psiBytes = encodeInteger(psi);
    const base = this.#read(recipient.baseEncoding);
    const transmissionKey = this.#read(recipient.transmissionEncoding);
    const value = plaintext.subarray(12, 20);
    const trapdoor = POOL[note.pool].trapdoorBindsNote
      ? this.#hashes.expand(rseed, BOUND_RCM_TAG, base, transmissionKey, value, rho, psiBytes)
      : this.#hashes.expand(rseed, RCM_TAG, rho);
    this.#writeMessage(base, transmissionKey, value, rho, psiBytes);
    exports.commit(
      this.#jacobian,
      tables.commitStart,
      tables.generators,
      this.#message,
      PIECES,
      tables.randomness,
      this.#integer(2, encodeInteger(decodeInteger(trapdoor) % PALLAS_ORDER)),
    );
    if (exports.extract(encoding, this.#jacobian) === 0) return { kind: 'undetermined' };
    if (!equalBytes(this.#read(encoding), note.commitment)) return { kind: 'rejected' };
    if (key.nk === undefined) return { kind: 'verified', transmissionKey, nullifier: null };

    exports.poseidon(encoding, this.#integer(0, key.nk), this.#integer(1, rho), tables.poseidon);
    const bracket = (decodeInteger(this.#read(encoding)) + psi) % PALLAS_MODULUS;
    exports.addFixedBase(this.#jacobian, tables.nullifierBase, this.#integer(2, encodeInteger(bracket)));
    if (exports.extract(encoding, this.#jacobian) === 0) return { kind: 'undetermined' };
    return { kind: 'verified', transmissionKey, nullifier: asNullifier(this.#read(encoding)) };
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
