// The changes of invoices for one hook, read by their numbers a page at a time. The number of the last delivered one is
// stored, so a crash at any moment repeats at most the last delivery. An invoice that changed twice before it was read comes
// once, as it stands then.

import { memberValue } from '@wallet-companion/base/memory';
import type { Entry } from './hookLink.ts';
import { type Found, type LaneContext, PagedLane } from './lane.ts';

const PAGE_SIZE = 50;

export class InvoicesLane extends PagedLane<'invoices.list', LaneContext> {
  async next(): Promise<Found> {
    for (;;) {
      if (this.isLocked) return 'nothing';
      const { invoices: place } = this.record;
      const invoice = this.page?.entries.find(({ sequence }) => place !== undefined && sequence > place.done);
      if (invoice !== undefined) return this.#announced(invoice);
      this.drop();
      if (!this.mayHaveMore) return 'nothing';
      const failed = await this.#read();
      if (failed !== undefined) return { failed };
    }
  }

  /** Returns the code of a failure, unless it only means that the wallet is locked. */
  async #read(): Promise<string | undefined> {
    const { invoices: place } = this.record;
    const since = place?.done ?? Number.MAX_SAFE_INTEGER;
    const found = await this.ask('invoices.list', 'invoices', { since, limit: PAGE_SIZE });
    if ('failed' in found) return found.failed;
    const page = found.answer;
    const series = page.value('series');
    const sequence = page.value('sequence');
    if (place === undefined) {
      page.wipe();
      // A new hook begins now. The place must be on the disk: after a crash it would be a later one.
      this.record.invoices = { series, done: sequence };
      this.mayHaveMore = true;
      return this.context.save().then(
        () => undefined,
        () => {
          this.record.invoices = undefined;
          return 'STORAGE_FAILED';
        },
      );
    }
    if (place.series !== series) {
      page.wipe();
      // The first invoices of all, or another wallet's, or the file was lost: these numbers begin anew.
      this.record.invoices = { series, done: 0 };
      this.mayHaveMore = true;
    } else {
      if (page.value('has_more')) this.mayHaveMore = true;
      this.keep(page);
    }
    return undefined;
  }

  #announced(invoice: Entry): Found {
    const { sequence, json } = invoice;
    const settle = () => {
      const place = this.record.invoices;
      if (place !== undefined) this.record.invoices = { ...place, done: sequence };
    };
    return {
      id: `${memberValue(json, 'invoice_id')}-${sequence}`,
      event: 'invoice.changed',
      data: this.dataOf(invoice),
      settle,
    };
  }
}
