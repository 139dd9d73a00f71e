// Verifies Sapling notes and derives their nullifiers with the kernel's scalar arithmetic (protocol specification
// §4.20.3, §4.16, ZIP 212). The curve formulas are complete, so every candidate is decided here.

import { asciiBytes, concatBytes, equalBytes, u32ToLeBytes } from '../../shielded/bytes.ts';
import { asNullifier } from '../../shielded/identifiers.ts';
import type { IncomingKey } from '../../shielded/keys/decryptionKeys.ts';
import type { JubjubScalarExports } from '../load/kernelExports.ts';
import { JUBJUB_D, JUBJUB_ORDER } from '../plan/curveConstants.ts';
import { decodeInteger, encodeInteger } from '../plan/integers.ts';
import type { CandidateNote, NoteVerdict, NoteVerifier } from '../verify/noteVerifier.ts';
import type { LaneMemory } from './fieldLanes.ts';
import type { KernelHashes } from './kernelHashes.ts';
import { RecipientCache } from './recipientCache.ts';

/** The uniform random string of the Sapling parameters: 64 ASCII characters. */
const URS = asciiBytes('096b36a5804bfacef1691e173c366a47ff5ba84a44f26ddd7e8d9f79d5b42df0');

const AFFINE = 80;
const COFACTOR_DOUBLINGS = 3;
const SEGMENTS = 4;
const SEGMENT_CHUNKS = 63;
const CHUNK_MULTIPLES = 4;
/** 6 + 64 + 256 + 256 bits in chunks of three. */
const CHUNKS = 194;
const MESSAGE_BYTES = 76;
const WINDOW_MULTIPLES = 15;
const SCALAR_WINDOWS = 63;
const POSITION_WINDOWS = 8;

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
  readonly #integers: number;
  readonly #point: number;
  readonly #commitment: number;
  readonly #table: number;
  readonly #message: number;

  constructor(memory: LaneMemory, exports: JubjubScalarExports, hashes: KernelHashes) {
    this.#memory = memory;
    this.#exports = exports;
    this.#hashes = hashes;
    this.#tables = {
      generators: memory.allocate(exports.rowsSize(SEGMENTS * SEGMENT_CHUNKS, CHUNK_MULTIPLES)),
      randomness: memory.allocate(exports.rowsSize(SCALAR_WINDOWS, WINDOW_MULTIPLES)),
      position: memory.allocate(exports.rowsSize(POSITION_WINDOWS, WINDOW_MULTIPLES)),
    };
    this.#recipients = new RecipientCache(memory, exports.tableSize());
    this.#integers = memory.allocate(2 * 32);
    this.#point = memory.allocate(AFFINE);
    this.#commitment = memory.allocate(AFFINE);
    this.#table = memory.allocate(exports.tableSize());
    this.#message = memory.allocate(MESSAGE_BYTES);
    exports.initialise(this.#integer(0, encodeInteger(JUBJUB_D)));
  }

  /** Tables of 0.3 MB, computed once in a few milliseconds, since only hits need them. */
  #prepareTables(): Tables {
    const tables = this.#tables;
    if (this.#tablesReady) return tables;
    const exports = this.#exports;
    for (let segment = 0; segment < SEGMENTS; segment++) {
      this.#findHash('Zcash_PH', u32ToLeBytes(segment));
      const size = exports.rowsSize(SEGMENT_CHUNKS, CHUNK_MULTIPLES);
      exports.makeRows(tables.generators + segment * size, this.#point, SEGMENT_CHUNKS, CHUNK_MULTIPLES);
    }
    this.#findHash('Zcash_PH', asciiBytes('r'));
    exports.makeRows(tables.randomness, this.#point, SCALAR_WINDOWS, WINDOW_MULTIPLES);
    this.#findHash('Zcash_J_', new Uint8Array(0));
    exports.makeRows(tables.position, this.#point, POSITION_WINDOWS, WINDOW_MULTIPLES);
    this.#tablesReady = true;
    return tables;
  }

  #integer(index: number, bytes: Uint8Array): number {
    const address = this.#integers + index * 32;
    this.#memory.bytes.set(bytes, address);
    return address;
  }

  #read(address: number): Uint8Array {
    return this.#memory.bytes.slice(address, address + 32);
  }

  /** GroupHash^J (§5.4.9.5) into the scratch point; false for about half of all messages. */
  #tryHash(personal: string, message: Uint8Array): boolean {
    const digest = this.#integer(0, this.#hashes.blake2s(personal, URS, message));
    if (this.#exports.decode(this.#point, digest) === 0) return false;
    return this.#exports.clearCofactor(this.#point) !== 0;
  }

  #findHash(personal: string, message: Uint8Array): void {
    for (let i = 0; i < 256; i++) {
      if (this.#tryHash(personal, concatBytes(message, Uint8Array.of(i)))) return;
    }
    throw new Error('a generator of the protocol exists');
  }

  /** rcm; undefined when the 32 bytes of a note with lead byte 1 are not a canonical scalar. */
  #randomness(lead: number, rseed: Uint8Array): bigint | undefined {
    if (lead !== FREE_RANDOMNESS) return decodeInteger(this.#hashes.expand(rseed, RCM_TAG)) % JUBJUB_ORDER;
    const rcm = decodeInteger(rseed);
    return rcm < JUBJUB_ORDER ? rcm : undefined;
  }

  verify(note: CandidateNote, key: IncomingKey): NoteVerdict {
    const { plaintext } = note;
    const exports = this.#exports;
    const tables = this.#prepareTables();
    const lead = plaintext[0]!;
    const diversifier = plaintext.subarray(1, 12);
    const rseed = plaintext.subarray(20, 52);
    const rcm = this.#randomness(lead, rseed);
    if (rcm === undefined) return { kind: 'rejected' };
    const ivk = decodeInteger(key.ivk);
    if (ivk % JUBJUB_ORDER === 0n) return { kind: 'undetermined' };

    const recipient = this.#recipients.find(key.ivk, diversifier, (slot) => {
      if (!this.#tryHash('Zcash_gd', diversifier)) return false;
      exports.encode(slot.baseEncoding, this.#point);
      exports.makeTable(slot.baseTable, this.#point);
      exports.multiply(this.#point, slot.baseTable, this.#integer(0, key.ivk), 0);
      exports.encode(slot.transmissionEncoding, this.#point);
      exports.makeTable(slot.transmissionTable, this.#point);
      return true;
    });
    // The diversifier is invalid.
    if (recipient === undefined) return { kind: 'rejected' };
    const encoding = this.#integers + 32;
    if (lead === FREE_RANDOMNESS) {
      // The sender chose esk, so only epk itself determines the sign of the shared secret.
      if (exports.decode(this.#point, this.#integer(0, note.ephemeralKey)) === 0) return { kind: 'rejected' };
      exports.makeTable(this.#table, this.#point);
      exports.multiply(this.#point, this.#table, this.#integer(0, key.ivk), COFACTOR_DOUBLINGS);
    } else {
      const esk = decodeInteger(this.#hashes.expand(rseed, ESK_TAG)) % JUBJUB_ORDER;
      // The identity is not an ephemeral key.
      if (esk === 0n) return { kind: 'rejected' };
      const scalar = this.#integer(0, encodeInteger(esk));
      exports.multiply(this.#point, recipient.baseTable, scalar, 0);
      exports.encode(encoding, this.#point);
      if (!equalBytes(this.#read(encoding), note.ephemeralKey)) return { kind: 'rejected' };
      // [8 ivk] epk = [8 esk] pk_d
      exports.multiply(this.#point, recipient.transmissionTable, scalar, COFACTOR_DOUBLINGS);
    }
    exports.encode(encoding, this.#point);
    if (!equalBytes(this.#read(encoding), note.secret)) return { kind: 'rejected' };

    const transmissionKey = this.#read(recipient.transmissionEncoding);
    this.#writeMessage(plaintext.subarray(12, 20), this.#read(recipient.baseEncoding), transmissionKey);
    exports.commit(
      this.#commitment,
      tables.generators,
      this.#message,
      CHUNKS,
      tables.randomness,
      SCALAR_WINDOWS,
      this.#integer(0, encodeInteger(rcm)),
    );
    exports.writeU(encoding, this.#commitment);
    if (!equalBytes(this.#read(encoding), note.commitment)) return { kind: 'rejected' };
    if (key.nk === undefined) return { kind: 'verified', transmissionKey, nullifier: null };

    const position = this.#integer(0, encodeInteger(BigInt(note.position)));
    exports.addFixedBase(this.#point, this.#commitment, tables.position, POSITION_WINDOWS, position);
    exports.encode(encoding, this.#point);
    const nullifier = asNullifier(this.#hashes.blake2s('Zcash_nf', key.nk, this.#read(encoding)));
    return { kind: 'verified', transmissionKey, nullifier };
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
