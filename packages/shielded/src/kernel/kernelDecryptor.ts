// Trial decryption on the WebAssembly kernel. The batch path decides nearly every row (docs/kernel.md): it flags rows
// whose lead byte is allowed under one of the two signs of the shared secret. Flagged rows are opened, dropped if the
// value is above MAX_MONEY (2^-21 of the other rows remain), and otherwise verified exactly.

import type { IncomingKey } from '../shielded/keys/decryptionKeys.ts';
import { MAX_MONEY } from '../shielded/network.ts';
import { isLeadByteAllowed } from '../shielded/notes/leadBytes.ts';
import { POOL, type Pool, type ShieldedProtocol } from '../shielded/pools.ts';
import { ReferenceDecryptor } from '../shielded/scan/referenceDecryptor.ts';
import type { DecryptedOutput, OutputColumns, TrialDecryptor } from '../shielded/scan/types.ts';
import { LANES_PER_BLOCK } from './batch/fieldLanes.ts';
import { JubjubNotes } from './batch/jubjubNotes.ts';
import { KernelHashes } from './batch/kernelHashes.ts';
import { instantiateKernel, type KernelInstance } from './batch/kernelInstance.ts';
import { NoteKeys, personalWords } from './batch/noteKeys.ts';
import { PallasNotes } from './batch/pallasNotes.ts';
import { JubjubSecrets, PallasSecrets, type SecretComputation } from './batch/sharedSecrets.ts';
import { smallOrderEncoding } from './batch/smallOrder.ts';
import { type KernelModule, KernelUnavailableError, type KernelVariant } from './load/kernelModule.ts';
import { JUBJUB_ORDER, PALLAS_ORDER } from './plan/curveConstants.ts';
import { decodeInteger, encodeInteger } from './plan/integers.ts';
import { planJubjub } from './plan/jubjubPlan.ts';
import { planPallas } from './plan/pallasPlan.ts';
import type { ScalarPlan } from './plan/steps.ts';
import { findKernelFault } from './selfTest.ts';
import type { NoteVerifier } from './verify/noteVerifier.ts';

export interface KernelDecryptor extends TrialDecryptor {
  readonly variant: KernelVariant;
}

/**
 * Rows of one batch. One inversion per round costs 4 us whatever the size, so large batches are better, but arrays of
 * more than 1024 rows (40 KiB each) no longer fit the second-level cache of common CPUs. Measured by `npm run bench
 * kernel`.
 */
const BATCH_ROWS = 1024;

/** Keys that share one chain of doublings. Memory grows by 650 KiB per key at 1024 rows; 16 keys stay below 16 MiB. */
const BATCH_KEYS = 16;

/** Two for each set of keys, since wallets are scanned both together and separately. */
const CACHED_PLANS = 16;

interface Curve {
  readonly order: bigint;
  readonly personal: string;
  /** An ephemeral key that fills unused lanes: a point of prime order. */
  readonly filler: Uint8Array;
  readonly plan: (scalars: readonly bigint[]) => ScalarPlan;
  readonly secrets: SecretComputation;
  readonly keys: NoteKeys;
  readonly notes: NoteVerifier;
  /** Points of small order decode, and the key agreement is defined for them. */
  readonly hasSmallOrder: boolean;
}

/** Receives the results of the batch path. */
interface Findings {
  /** `secret`: the shared secret's coordinate; `signs`: a bit for each of its two signs that fits. */
  candidate(row: number, keyIndex: number, secret: Uint8Array, signs: number): void;
  /** The kernel cannot decide this row. */
  undetermined(row: number, keyIndex: number): void;
}

class Decryptor implements KernelDecryptor {
  readonly variant: KernelVariant;
  readonly #kernel: KernelInstance;
  readonly #curves: Readonly<Record<ShieldedProtocol, Curve>>;
  readonly #reference = new ReferenceDecryptor();
  readonly #plans = new Map<string, ScalarPlan>();

  constructor(module: KernelModule) {
    this.variant = module.variant;
    const kernel = instantiateKernel(module);
    this.#kernel = kernel;
    const { memory, symmetric } = kernel;
    const hashes = new KernelHashes(memory, symmetric);
    const pallas: Curve = {
      order: PALLAS_ORDER,
      personal: 'Zcash_OrchardKDF',
      // x = -1, as in the generator.
      filler: encodeInteger(kernel.pallas.modulus - 1n),
      plan: planPallas,
      secrets: new PallasSecrets(kernel.pallas),
      keys: new NoteKeys(memory, symmetric, 'Zcash_OrchardKDF'),
      notes: new PallasNotes(memory, kernel.pallasScalar, hashes, kernel.sinsemilla),
      hasSmallOrder: false,
    };
    const jubjub: Curve = {
      order: JUBJUB_ORDER,
      personal: 'Zcash_SaplingKDF',
      // Any v that is not of small order will do, on the curve or on its twist.
      filler: encodeInteger(2n),
      plan: planJubjub,
      secrets: new JubjubSecrets(kernel.jubjub),
      keys: new NoteKeys(memory, symmetric, 'Zcash_SaplingKDF'),
      notes: new JubjubNotes(memory, kernel.jubjubScalar, hashes),
      hasSmallOrder: true,
    };
    this.#curves = { sapling: jubjub, orchard: pallas };
  }

  decrypt(columns: OutputColumns, keys: readonly IncomingKey[]): DecryptedOutput[] {
    const found: DecryptedOutput[] = [];
    this.#search(columns, keys, {
      candidate: (row, keyIndex, secret, signs) =>
        this.#tryCandidate(columns, row, keys[keyIndex]!, keyIndex, secret, signs, found),
      undetermined: (row, keyIndex) => this.#askReference(columns, row, keys[keyIndex]!, keyIndex, found),
    });
    return found.sort((a, b) => a.row - b.row || a.keyIndex - b.keyIndex);
  }

  encryptionKeys(columns: OutputColumns, key: IncomingKey): Uint8Array[][] {
    const { keys } = this.#curve(columns.pool);
    const found = Array.from({ length: columns.count }, (): Uint8Array[] => []);
    this.#search(columns, [key], {
      candidate: (row, _, coordinate, signs) => {
        for (const secret of signed(coordinate, signs)) {
          const { ephemeralKey, ciphertext } = rowOf(columns, row);
          found[row]!.push(keys.open(secret, ephemeralKey, ciphertext).encryptionKey);
        }
      },
      undetermined: (row) => found[row]!.push(...this.#reference.encryptionKeysOf(columns, row, key)),
    });
    return found;
  }

  /** Tries every row with every key that fits the pool. */
  #search(columns: OutputColumns, keys: readonly IncomingKey[], findings: Findings): void {
    const { protocol } = POOL[columns.pool];
    const fitting = keys.flatMap((key, index) => (key.protocol === protocol ? [index] : []));
    if (fitting.length === 0) return;
    const batches = Math.ceil(columns.count / BATCH_ROWS);
    for (let batch = 0; batch < batches; batch++) {
      const first = Math.floor((columns.count * batch) / batches);
      const end = Math.floor((columns.count * (batch + 1)) / batches);
      for (let group = 0; group < fitting.length; group += BATCH_KEYS) {
        this.#searchBatch(columns, first, end, keys, fitting.slice(group, group + BATCH_KEYS), findings);
      }
    }
  }

  #curve(pool: Pool): Curve {
    return this.#curves[POOL[pool].protocol];
  }

  #planFor(curve: Curve, scalars: readonly bigint[]): ScalarPlan {
    const name = `${curve.personal} ${scalars.join(' ')}`;
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
    columns: OutputColumns,
    first: number,
    end: number,
    keys: readonly IncomingKey[],
    keyIndexes: readonly number[],
    findings: Findings,
  ): void {
    const curve = this.#curve(columns.pool);
    const { memory, symmetric } = this.#kernel;
    const rows = end - first;
    const blocks = Math.ceil(rows / LANES_PER_BLOCK);
    const lanes = blocks * LANES_PER_BLOCK;
    const scalars = keyIndexes.map((index) => decodeInteger(keys[index]!.ivk) % curve.order);
    const plan = this.#planFor(curve, scalars);
    const mark = memory.mark();
    try {
      const epks = memory.allocate(lanes * 32);
      const cipher = memory.allocate(lanes);
      const allowed = memory.allocate(lanes);
      const flags = memory.allocate(lanes);
      memory.bytes.set(columns.ephemeralKeys.subarray(first * 32, end * 32), epks);
      for (let lane = rows; lane < lanes; lane++) memory.bytes.set(curve.filler, epks + lane * 32);
      for (let row = 0; row < rows; row++) {
        memory.bytes[cipher + row] = columns.ciphertexts[(first + row) * 52]!;
      }
      memory.bytes.set(columns.leadBytes.subarray(first, end), allowed);
      memory.bytes.fill(0, allowed + rows, allowed + lanes);
      const { secrets, spoiltRows } = curve.secrets.compute(epks, blocks, plan);
      const [personal6, personal7] = personalWords(curve.personal);
      secrets.forEach((address, k) => {
        const keyIndex = keyIndexes[k]!;
        if (address === undefined) {
          // [0] epk: no viewing key of a wallet is 0, but the kernel must agree with the reference on it too.
          for (let row = first; row < end; row++) findings.undetermined(row, keyIndex);
          return;
        }
        symmetric.leadFlags(flags, address, epks, cipher, allowed, lanes, personal6, personal7);
        const marked = memory.bytes.slice(flags, flags + rows);
        for (let row = 0; row < rows; row++) {
          const signs = marked[row]!;
          if (signs === 0 || spoiltRows.has(row)) continue;
          const secret = memory.bytes.slice(address + row * 32, address + row * 32 + 32);
          findings.candidate(first + row, keyIndex, secret, signs);
        }
      });
      if (curve.hasSmallOrder) this.#trySmallOrder(columns, first, spoiltRows, keyIndexes, findings);
    } finally {
      memory.release(mark);
    }
  }

  /** Opens the row under each flagged sign of the shared secret, and verifies it unless its value is impossible. */
  #tryCandidate(
    columns: OutputColumns,
    row: number,
    key: IncomingKey,
    keyIndex: number,
    coordinate: Uint8Array,
    signs: number,
    found: DecryptedOutput[],
  ): void {
    const { keys, notes } = this.#curve(columns.pool);
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
        },
        key,
      );
      if (verdict.kind === 'undetermined') {
        this.#askReference(columns, row, key, keyIndex, found);
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
  #trySmallOrder(
    columns: OutputColumns,
    first: number,
    spoiltRows: ReadonlySet<number>,
    keyIndexes: readonly number[],
    findings: Findings,
  ): void {
    const identity = encodeInteger(1n);
    for (const lane of spoiltRows) {
      const row = first + lane;
      if (row >= columns.count) continue;
      if (!smallOrderEncoding(columns.ephemeralKeys.subarray(row * 32, row * 32 + 32))) continue;
      for (const keyIndex of keyIndexes) findings.candidate(row, keyIndex, identity, 1);
    }
  }

  #askReference(
    columns: OutputColumns,
    row: number,
    key: IncomingKey,
    keyIndex: number,
    found: DecryptedOutput[],
  ): void {
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

/**
 * Instantiates and tests the kernel in this thread. Uses up to 64 MiB of separate memory.
 *
 * @throws KernelUnavailableError when the kernel computes wrongly here.
 */
export function createDecryptor(module: KernelModule): KernelDecryptor {
  const fault = findKernelFault(module);
  if (fault !== undefined) throw new KernelUnavailableError(`the kernel fails its self test: ${fault}`);
  return new Decryptor(module);
}
