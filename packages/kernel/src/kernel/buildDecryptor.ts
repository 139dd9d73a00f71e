// Trial decryption on the WebAssembly kernel. The batch path decides nearly every row (docs/inside/kernel.md): it flags rows
// whose lead byte is allowed under one of the two signs of the shared secret. Flagged rows are opened, dropped if the
// value is above MAX_MONEY (2^-21 of the other rows remain), and otherwise verified exactly.

import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { MAX_MONEY } from '@wallet-companion/zcash/network';
import { isLeadByteAllowed } from '@wallet-companion/zcash/notes';
import { POOL, type ShieldedProtocol } from '@wallet-companion/zcash/pools';
import {
  type DecryptedOutput,
  type OutputColumns,
  type RecoveredOutput,
  ReferenceDecryptor,
  type TrialDecryptor,
} from '@wallet-companion/zcash/scan';
import { LANES_PER_BLOCK } from './batch/fieldLanes.ts';
import { JoinedColumns, type Place } from './batch/joinedColumns.ts';
import { smallOrderEncoding } from './batch/jubjub.ts';
import { KernelHashes } from './batch/kernelHashes.ts';
import { instantiateKernel, type KernelInstance } from './batch/kernelInstance.ts';
import { NoteCiphers } from './batch/noteCiphers.ts';
import { NoteKeys, personalWords } from './batch/noteKeys.ts';
import { SentNotes } from './batch/sentNotes.ts';
import type { SecretComputation } from './batch/sharedSecrets.ts';
import {
  type BatchArrays,
  type Canary,
  type CanaryUnderKey,
  canaryCount,
  type FlagLanes,
  type PlantedCanaries,
} from './canaries/plantedCanaries.ts';
import { CURVES, type Curve, PROTOCOLS } from './curves.ts';
import { type KernelModule, KernelUnavailableError, type KernelVariant } from './load/kernelModule.ts';
import { decodeInteger, encodeInteger } from './plan/integers.ts';
import type { ScalarPlan } from './plan/steps.ts';
import { findKernelFault } from './selfTest.ts';
import type { NoteVerifier, SignOfSecret } from './verify/noteVerifier.ts';

export interface KernelDecryptor extends TrialDecryptor {
  readonly variant: KernelVariant;
}

/**
 * Rows of one batch, canaries included. One inversion per round costs 4 us whatever the size, so large batches are better, but arrays of
 * more than 1024 rows (40 KiB each) no longer fit the second-level cache of common CPUs. Measured by `npm run bench
 * kernel`.
 */
const BATCH_ROWS = 1024;

/** Keys that share one chain of doublings. Memory grows by 650 KiB per key at 1024 rows; 16 keys stay below 16 MiB. */
const BATCH_KEYS = 16;

/** Two for each set of keys, since wallets are scanned both together and separately. */
const CACHED_PLANS = 16;

/** Bytes of a compact ciphertext. */
const COMPACT_SIZE = 52;

/** A curve on a kernel. */
interface Search {
  readonly curve: Curve;
  /** Encoding of the curve's filler. */
  readonly filler: Uint8Array;
  readonly secrets: SecretComputation;
  readonly keys: NoteKeys;
  readonly notes: NoteVerifier;
  readonly sent: SentNotes;
}

/** Receives the results of the batch path. */
interface Findings {
  /** `secret`: the shared secret's coordinate; `signs`: a bit for each of its two signs that fits; `signOf`: the right one. */
  candidate(place: Place, keyIndex: number, secret: Uint8Array, signs: number, signOf?: SignOfSecret): void;
  /** The kernel cannot decide this output. */
  undetermined(place: Place, keyIndex: number): void;
}

/** The canaries of a batch of so many outputs. */
export type Canaries = (
  protocol: ShieldedProtocol,
  keys: readonly IncomingKey[],
  rows: number,
) => PlantedCanaries;

/** One build in one thread. */
export class BuildDecryptor implements KernelDecryptor {
  readonly variant: KernelVariant;
  readonly #canaries: Canaries | undefined;
  readonly #kernel: KernelInstance;
  readonly #ciphers: NoteCiphers;
  readonly #searches: Readonly<Record<ShieldedProtocol, Search>>;
  readonly #reference = new ReferenceDecryptor();
  readonly #plans = new Map<string, ScalarPlan>();

  /**
   * With `canaries`, each search may throw `MissedCanary`.
   *
   * @throws KernelUnavailableError when the kernel computes wrongly here.
   */
  constructor(module: KernelModule, canaries?: Canaries) {
    const fault = findKernelFault(module);
    if (fault !== undefined) throw new KernelUnavailableError(`the kernel fails its self test: ${fault}`);
    this.variant = module.variant;
    this.#canaries = canaries;
    const kernel = instantiateKernel(module);
    this.#kernel = kernel;
    const { memory, symmetric } = kernel;
    const hashes = new KernelHashes(memory, symmetric);
    const ciphers = new NoteCiphers(memory, symmetric);
    this.#ciphers = ciphers;
    const searchOn = (curve: Curve): Search => {
      const notes = curve.notes(kernel, hashes);
      return {
        curve,
        filler: encodeInteger(curve.filler),
        secrets: curve.secrets(kernel),
        keys: new NoteKeys(memory, symmetric, curve.encryption),
        notes,
        sent: new SentNotes(hashes, ciphers, notes, curve),
      };
    };
    this.#searches = { orchard: searchOn(CURVES.orchard), sapling: searchOn(CURVES.sapling) };
  }

  decrypt(columns: OutputColumns, keys: readonly IncomingKey[]): DecryptedOutput[] {
    return this.decryptAll([columns], keys)[0]!;
  }

  decryptAll(all: readonly OutputColumns[], keys: readonly IncomingKey[]): DecryptedOutput[][] {
    const found = new Map(all.map((columns) => [columns, [] as DecryptedOutput[]]));
    const findings: Findings = {
      candidate: (place, keyIndex, secret, signs, signOf) =>
        this.#tryCandidate(
          place,
          keys[keyIndex]!,
          keyIndex,
          secret,
          signs,
          signOf,
          found.get(place.columns)!,
        ),
      undetermined: (place, keyIndex) =>
        this.#askReference(place, keys[keyIndex]!, keyIndex, found.get(place.columns)!),
    };
    for (const protocol of PROTOCOLS) {
      const columns = all.filter(({ pool }) => POOL[pool].protocol === protocol);
      this.#search(protocol, new JoinedColumns(columns), keys, findings);
    }
    return all.map((columns) => found.get(columns)!.sort((a, b) => a.row - b.row || a.keyIndex - b.keyIndex));
  }

  encryptionKeys(columns: OutputColumns, key: IncomingKey): Uint8Array[][] {
    const { protocol } = POOL[columns.pool];
    const { keys } = this.#searches[protocol];
    const found = Array.from({ length: columns.count }, (): Uint8Array[] => []);
    this.#search(protocol, new JoinedColumns([columns]), [key], {
      candidate: ({ row }, _, coordinate, signs) => {
        for (const secret of signed(coordinate, signs)) {
          const { ephemeralKey, ciphertext } = rowOf(columns, row);
          found[row]!.push(keys.open(secret, ephemeralKey, ciphertext).encryptionKey);
        }
      },
      undetermined: ({ row }) => found[row]!.push(...this.#reference.encryptionKeysOf(columns, row, key)),
    });
    return found;
  }

  open(encryptionKey: Uint8Array, ciphertext: Uint8Array): Uint8Array | undefined {
    return this.#ciphers.open(encryptionKey, ciphertext);
  }

  recover(...sent: Parameters<TrialDecryptor['recover']>): RecoveredOutput | undefined {
    const [pool] = sent;
    const recovered = this.#searches[POOL[pool].protocol].sent.recover(...sent);
    return recovered === 'undetermined' ? this.#reference.recover(...sent) : recovered;
  }

  /** What these ephemeral keys give under the keys, all of the protocol. */
  canariesOf(
    protocol: ShieldedProtocol,
    keys: readonly IncomingKey[],
    ephemeralKeys: readonly Uint8Array[],
  ): Canary[] {
    const search = this.#searches[protocol];
    const { memory } = this.#kernel;
    const blocks = Math.ceil(ephemeralKeys.length / LANES_PER_BLOCK);
    return memory.borrow(() => {
      const epks = memory.allocate(blocks * LANES_PER_BLOCK * 32);
      for (let lane = 0; lane < blocks * LANES_PER_BLOCK; lane++)
        memory.bytes.set(ephemeralKeys[lane] ?? search.filler, epks + lane * 32);
      const { secrets, spoiltRows } = search.secrets.compute(epks, blocks, this.#planOf(search.curve, keys));
      return ephemeralKeys.flatMap((ephemeralKey, row): Canary[] => {
        if (spoiltRows.has(row)) return [];
        const underKeys = secrets.map((address): CanaryUnderKey => {
          if (address === undefined) return { secret: new Uint8Array(32), keyStream: [0, 0] };
          const secret = memory.bytes.slice(address + row * 32, address + row * 32 + 32);
          const [first, second] = [...signed(secret, 0b11)].map(
            (one) => search.keys.open(one, ephemeralKey, new Uint8Array(COMPACT_SIZE)).plaintext[0]!,
          );
          return { secret, keyStream: [first!, second!] };
        });
        return [{ ephemeralKey, underKeys }];
      });
    });
  }

  /** Tries every output with every key of the protocol. */
  #search(
    protocol: ShieldedProtocol,
    outputs: JoinedColumns,
    keys: readonly IncomingKey[],
    findings: Findings,
  ): void {
    const fitting = keys.flatMap((key, index) => (key.protocol === protocol ? [index] : []));
    if (fitting.length === 0) return;
    const most = this.#canaries === undefined ? BATCH_ROWS : BATCH_ROWS - canaryCount(BATCH_ROWS);
    const batches = Math.ceil(outputs.count / most);
    for (let batch = 0; batch < batches; batch++) {
      const first = Math.floor((outputs.count * batch) / batches);
      const end = Math.floor((outputs.count * (batch + 1)) / batches);
      for (let group = 0; group < fitting.length; group += BATCH_KEYS) {
        const some = fitting.slice(group, group + BATCH_KEYS);
        this.#searchBatch(protocol, outputs, first, end, keys, some, findings);
      }
    }
  }

  #planOf(curve: Curve, keys: readonly IncomingKey[]): ScalarPlan {
    const scalars = keys.map(({ ivk }) => decodeInteger(ivk) % curve.order);
    const name = `${curve.encryption} ${scalars.join(' ')}`;
    let plan = this.#plans.get(name);
    if (plan === undefined) {
      plan = curve.plan(scalars);
      for (const oldest of this.#plans.keys()) {
        if (this.#plans.size < CACHED_PLANS) break;
        this.#plans.delete(oldest);
      }
      this.#plans.set(name, plan);
    }
    return plan;
  }

  #searchBatch(
    protocol: ShieldedProtocol,
    outputs: JoinedColumns,
    first: number,
    end: number,
    keys: readonly IncomingKey[],
    keyIndexes: readonly number[],
    findings: Findings,
  ): void {
    const search = this.#searches[protocol];
    const { memory } = this.#kernel;
    const rows = end - first;
    const batchKeys = keyIndexes.map((index) => keys[index]!);
    const planted = this.#canaries?.(protocol, batchKeys, rows);
    const blocks = planted?.blocks ?? Math.ceil(rows / LANES_PER_BLOCK);
    const lanes = blocks * LANES_PER_BLOCK;
    const plan = this.#planOf(search.curve, batchKeys);
    memory.borrow(() => {
      const epks = memory.allocate(lanes * 32);
      const cipher = memory.allocate(lanes);
      const allowed = memory.allocate(lanes);
      for (const span of outputs.between(first, end)) {
        const { ephemeralKeys, ciphertexts, leadBytes } = span.columns;
        memory.bytes.set(ephemeralKeys.subarray(span.first * 32, span.end * 32), epks + span.at * 32);
        memory.bytes.set(leadBytes.subarray(span.first, span.end), allowed + span.at);
        const to = cipher + span.at - span.first;
        for (let row = span.first; row < span.end; row++) memory.bytes[to + row] = ciphertexts[row * 52]!;
      }
      for (let lane = rows; lane < lanes; lane++) memory.bytes.set(search.filler, epks + lane * 32);
      memory.bytes.fill(0, allowed + rows, allowed + lanes);
      planted?.plant(memory, { epks, cipher, allowed });
      const rowAt = (lane: number): number | undefined => {
        if (planted !== undefined) return planted.rowAt(lane);
        return lane < rows ? lane : undefined;
      };
      const { secrets, spoiltRows, signOf } = search.secrets.compute(epks, blocks, plan);
      const flag: FlagLanes = (arrays, coordinates, count) =>
        this.#flag(search.curve, arrays, coordinates, count);
      secrets.forEach((address, k) => {
        const keyIndex = keyIndexes[k]!;
        if (address === undefined) {
          // [0] epk: no viewing key of a wallet is 0, but the kernel must agree with the reference on it too.
          for (let row = first; row < end; row++) findings.undetermined(outputs.placeOf(row), keyIndex);
          return;
        }
        const flags = flag({ epks, cipher, allowed }, address, lanes);
        planted?.check(memory, k, address, flags);
        planted?.checkFlags(memory, k, flag);
        const marked = memory.bytes.slice(flags, flags + lanes);
        for (let lane = 0; lane < lanes; lane++) {
          const signs = marked[lane]!;
          if (signs === 0 || spoiltRows.has(lane)) continue;
          const row = rowAt(lane);
          if (row === undefined) continue;
          const secret = memory.bytes.slice(address + lane * 32, address + lane * 32 + 32);
          findings.candidate(outputs.placeOf(first + row), keyIndex, secret, signs, signOf(k, lane));
        }
      });
      if (!search.curve.hasSmallOrder) return;
      const spoilt = [...spoiltRows].flatMap((lane) => rowAt(lane) ?? []);
      this.#trySmallOrder(
        spoilt.map((row) => outputs.placeOf(first + row)),
        keyIndexes,
        findings,
      );
    });
  }

  /** The address of a bit for each sign of each lane that fits. */
  #flag(
    { encryption }: Curve,
    { epks, cipher, allowed }: BatchArrays,
    secrets: number,
    lanes: number,
  ): number {
    const { memory, symmetric } = this.#kernel;
    const [personal6, personal7] = personalWords(encryption);
    const flags = memory.allocate(lanes);
    symmetric.leadFlags(flags, secrets, epks, cipher, allowed, lanes, personal6, personal7);
    return flags;
  }

  /** Opens the row under each flagged sign of the shared secret, and verifies it unless its value is impossible. */
  #tryCandidate(
    { columns, row }: Place,
    key: IncomingKey,
    keyIndex: number,
    coordinate: Uint8Array,
    signs: number,
    signOf: SignOfSecret | undefined,
    found: DecryptedOutput[],
  ): void {
    const { keys, notes } = this.#searches[POOL[columns.pool].protocol];
    const bytes32 = (column: Uint8Array): Uint8Array => column.subarray(row * 32, row * 32 + 32);
    const { ephemeralKey, ciphertext } = rowOf(columns, row);
    for (const secret of signed(coordinate, signs)) {
      const { plaintext, encryptionKey } = keys.open(secret, ephemeralKey, ciphertext);
      if (!isLeadByteAllowed(columns.leadBytes[row]!, plaintext[0]!)) continue;
      const value = new DataView(plaintext.buffer, plaintext.byteOffset).getBigUint64(12, true);
      if (value > MAX_MONEY) continue;
      const verdict = notes.verify(
        {
          pool: columns.pool,
          plaintext,
          secret,
          ephemeralKey,
          commitment: bytes32(columns.commitments),
          rho: bytes32(columns.nullifiers),
          position: columns.positions[row]!,
          ...(signOf && { signOf }),
        },
        key,
      );
      if (verdict.kind === 'undetermined') {
        this.#askReference({ columns, row }, key, keyIndex, found);
        return;
      }
      if (verdict.kind === 'verified') {
        const { transmissionKey, nullifier } = verdict;
        found.push({ row, keyIndex, plaintext, transmissionKey, encryptionKey, nullifier });
        return;
      }
    }
  }

  /**
   * Small-order points of Jubjub have canonical encodings that decode; the key agreement is then the identity. They
   * spoil their lane, so they are tried here.
   */
  #trySmallOrder(spoilt: readonly Place[], keyIndexes: readonly number[], findings: Findings): void {
    const identity = encodeInteger(1n);
    for (const place of spoilt) {
      if (!smallOrderEncoding(rowOf(place.columns, place.row).ephemeralKey)) continue;
      for (const keyIndex of keyIndexes) findings.candidate(place, keyIndex, identity, 1);
    }
  }

  #askReference({ columns, row }: Place, key: IncomingKey, keyIndex: number, found: DecryptedOutput[]): void {
    const output = this.#reference.decryptRow(columns, row, key);
    if (output !== undefined) found.push({ ...output, keyIndex });
  }
}

const rowOf = ({ ephemeralKeys, ciphertexts }: OutputColumns, row: number) => ({
  ephemeralKey: ephemeralKeys.subarray(row * 32, row * 32 + 32),
  ciphertext: ciphertexts.subarray(row * 52, row * 52 + 52),
});

/** The encoded shared secrets with this coordinate, one for each sign whose bit in `signs` is set. */
function* signed(coordinate: Uint8Array, signs: number): Generator<Uint8Array, void, void> {
  for (const sign of [0, 1]) {
    if (((signs >> sign) & 1) === 0) continue;
    const secret = Uint8Array.from(coordinate);
    secret[31]! |= sign << 7;
    yield secret;
  }
}
