// Invoices: what making one costs, and what a block costs beside ten open ones and beside ten thousand. One wallet and one
// embedded chain in this process, with real files. The number of invoices and their state are checked before a figure counts.

import { startInvoiceBed } from '../test/helpers/invoiceBed.ts';

const SIZES = [10, 10_000];
const BLOCKS = 200;
const MONTH_SECONDS = 30 * 24 * 3600;

export async function run(): Promise<void> {
  const ends: (() => unknown)[] = [];
  const owner = { title: 'bench of invoices', teardown: (end: () => unknown) => ends.unshift(end) };
  const bed = await startInvoiceBed(owner as never);
  try {
    const rows: object[] = [];
    let made = 0;
    for (const size of SIZES) {
      const creating = timesOf();
      for (; made < size; made++)
        await creating.time(() => bed.create({ amount_zatoshi: 1000, expires_in_seconds: MONTH_SECONDS }));
      const scanning = timesOf();
      for (let block = 0; block < BLOCKS; block++) {
        bed.devnet.mine();
        await scanning.time(() => bed.wallet.call('sync.run'));
      }
      const looking = timesOf();
      for (let i = 0; i < BLOCKS; i++) await looking.time(() => bed.look());
      const last = await bed.wallet.call('invoices.list', { limit: 1, state: 'new' });
      if (last.sequence !== size || last.invoices.length !== 1) throw new Error('invoices are missing');
      rows.push({
        'open invoices': size,
        'create ms': creating.median,
        'create, 99 %': creating.most,
        'block ms': scanning.median,
        'look ms': looking.median,
      });
    }
    console.table(rows);
  } finally {
    for (const end of ends) await end();
  }
}

function timesOf() {
  const times: number[] = [];
  const at = (share: number) =>
    Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]! * 100) / 100;
  return {
    time: async (work: () => Promise<unknown>): Promise<void> => {
      const began = performance.now();
      await work();
      times.push(performance.now() - began);
    },
    get median(): number {
      return at(0.5);
    },
    get most(): number {
      return at(0.99);
    },
  };
}
