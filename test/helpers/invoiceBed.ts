// A wallet with invoices beside a devnet whose blocks have the time of the wallet's clock.

import type { ExecutionContext } from 'ava';
import type { InvoiceFiles } from '../../src/actors/wallet/ports/invoice.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import type { Input, Output } from '../../src/protocol/operations.ts';
import { type MempoolOptions, startMempoolBed } from './mempoolBed.ts';

export type Invoice = Output<'invoices.get'>;

export async function startInvoiceBed(t: ExecutionContext, options: Pick<MempoolOptions, 'prices'> = {}) {
  const disk = { fails: false };
  const invoiceFiles = (files: InvoiceFiles): InvoiceFiles => ({
    ...files,
    open: (masterKey) => {
      const store = files.open(masterKey);
      const put = store.put.bind(store);
      store.put = (...written) => {
        if (disk.fails) throw new CompanionError('STORAGE_FAILED', 'The disk is full.');
        put(...written);
      };
      return store;
    },
  });
  const bed = await startMempoolBed(t, { minesNow: true, invoiceFiles, ...options });
  const { call, devnet } = bed;
  await bed.sync('node');
  // Blocks come a second apart at least: the clock is made that of the newest one.
  bed.clock.sleep(Math.max(0, devnet.tip.time * 1000 - bed.clock.now()));
  const waiting: ReturnType<typeof devnet.pay>[] = [];
  return Object.assign(bed as Omit<typeof bed, 'mine'>, {
    create: (input: Input<'invoices.create'> = { amount_zatoshi: 1000 }) => call('invoices.create', input),
    get: ({ invoice_id }: Invoice) => call('invoices.get', { invoice_id }),
    waiting,
    /** In the mempool; the next block has it. */
    payTo: (...to: (readonly [Invoice, number])[]): void => {
      const payment = devnet.pay(
        to.map(([{ address }, amount]) => {
          return { address, pool: 'ironwood' as const, zatoshi: BigInt(amount), memo: 'thanks' };
        }),
      );
      devnet.mempool.put(payment);
      waiting.push(payment);
    },
    mine: async (blocks = 1) => {
      for (let i = 0; i < blocks; i++) devnet.mine({ transactions: waiting.splice(0) });
      return bed.sync('node');
    },
    failWrites: (fails: boolean) => {
      disk.fails = fails;
    },
    /** State, exception and number of every change that was announced, since the last time. */
    announced: () =>
      bed.wallet.events
        .splice(0)
        .flatMap(({ event, data }) =>
          event === 'invoice.changed' ? [[data.sequence, data.state, data.exception] as const] : [],
        ),
  });
}
