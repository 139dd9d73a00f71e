// Seals jobs and results for their way through Redis, which is not trusted: with the fleet's pre-shared key, each for the
// one job that it belongs to. A result of another job, an earlier one, or a job sent back as a result does not open.
// Padded, because the size of a result would show how many notes were found.

import { FormatError, wipe } from '@wallet-companion/base/bytes';
import type { Sealing } from '../ports/sealing.ts';

export type Sealed = 'job' | 'result';

export const JOB_ID_BYTES = 16;
/** Lengths are multiples of it. */
const PADDING = 16 * 1024;
const LENGTH_SIZE = 4;

export class FleetSeal {
  readonly #keys: Readonly<Record<Sealed, Uint8Array>>;
  readonly #sealing: Sealing;

  /** `key`: 32 bytes; not kept. */
  constructor(key: Uint8Array, sealing: Sealing) {
    this.#keys = {
      job: sealing.deriveSubkey(key, 'fleet/job/v1'),
      result: sealing.deriveSubkey(key, 'fleet/result/v1'),
    };
    this.#sealing = sealing;
  }

  /** `plain` is wiped. */
  seal(kind: Sealed, id: string, plain: Uint8Array): Uint8Array {
    const padded = new Uint8Array(Math.ceil((LENGTH_SIZE + plain.length) / PADDING) * PADDING);
    new DataView(padded.buffer).setUint32(0, plain.length, true);
    padded.set(plain, LENGTH_SIZE);
    const sealed = this.#sealing.seal(this.#keys[kind], padded, contextOf(kind, id));
    wipe(plain, padded);
    return sealed;
  }

  /** The caller wipes the result. `FormatError` where it was not sealed by this fleet for this job. */
  open(kind: Sealed, id: string, sealed: Uint8Array): Uint8Array {
    const padded = this.#sealing.unseal(this.#keys[kind], sealed, contextOf(kind, id));
    if (padded === undefined) throw new FormatError(`not a ${kind} of this fleet`);
    const length =
      padded.length < LENGTH_SIZE ? -1 : new DataView(padded.buffer, padded.byteOffset).getUint32(0, true);
    if (length < 0 || length > padded.length - LENGTH_SIZE) throw new FormatError(`a ${kind} is cut off`);
    return padded.subarray(LENGTH_SIZE, LENGTH_SIZE + length);
  }

  close(): void {
    wipe(this.#keys.job, this.#keys.result);
  }
}

const contextOf = (kind: Sealed, id: string): Uint8Array => new TextEncoder().encode(`${kind} ${id}`);
