// The addresses that notes were paid to. One takes milliseconds to derive, so the latest are kept: a shop has one for each
// order, and reads the same ones again and again.

import { addressAt } from '@wallet-companion/zcash/addresses';
import { toIncomingViewingKeys, type ViewingKeys } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { StoredNote } from '../ports/storedNote.ts';

/** A quarter of a kilobyte each. */
const KEPT_ADDRESSES = 4_096;

export type PaidTo = Pick<StoredNote, 'account' | 'scope' | 'diversifierIndex'>;

interface Paid {
  readonly index: number;
  readonly keys: ViewingKeys;
}

export class ReceivingAddresses {
  readonly #params: NetworkParameters;
  readonly #kept = new Map<string, string | null>();

  constructor(params: NetworkParameters) {
    this.#params = params;
  }

  get kept(): string[] {
    return [...this.#kept.values()].filter((address) => address !== null);
  }

  isKept({ account, diversifierIndex }: PaidTo): boolean {
    return this.#kept.has(`${account}:${diversifierIndex}`);
  }

  /** Null for change, and where no unified address has the index. */
  of({ keys, index }: Paid, { scope, diversifierIndex }: PaidTo): string | null {
    if (scope === 'internal') return null;
    const name = `${index}:${diversifierIndex}`;
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const incoming = keys.kind === 'full' ? toIncomingViewingKeys(keys) : keys;
    const address = addressAt(incoming, this.#params, BigInt(diversifierIndex))?.unifiedAddress ?? null;
    if (this.#kept.size >= KEPT_ADDRESSES) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(name, address);
    return address;
  }
}
