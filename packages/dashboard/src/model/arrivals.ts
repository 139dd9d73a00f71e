// Whether money has come for an invoice since it was last looked at: then the till makes a sound.

import type { Invoice } from './till.ts';

type Counted = Pick<Invoice, 'invoice_id' | 'state' | 'received_zatoshi' | 'unmined_zatoshi'>;

export class Arrivals {
  readonly #known = new Map<string, number>();

  /** False where it is as much as before: a block, a confirmation (of one never seen here as well), what a reorganisation brings back. */
  hasMore({ invoice_id: id, state, received_zatoshi: received, unmined_zatoshi: unmined }: Counted): boolean {
    const arrived = received + (unmined ?? 0);
    const before = this.#known.get(id) ?? (state === 'confirmed' ? arrived : 0);
    this.#known.set(id, Math.max(before, arrived));
    return arrived > before;
  }
}
