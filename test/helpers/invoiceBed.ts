// A wallet with invoices beside a devnet whose blocks have the time of the wallet's clock.

import type { ExecutionContext } from 'ava';
import type { InvoiceFiles } from '../../src/actors/wallet/ports/invoice.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import type { Input, Output } from '../../src/protocol/operations.ts';
import { startMempoolBed } from './mempoolBed.ts';
import { PASSWORD, startWallet, type WalletHarness } from './walletHarness.ts';

export type Invoice = Output<'invoices.get'>;

export async function startInvoiceBed(t: ExecutionContext) {
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
  const bed = await startMempoolBed(t, { minesNow: true, invoiceFiles });
  await bed.sync('node');
  // Blocks come a second apart at least: the clock is made that of the newest one.
  bed.clock.sleep(Math.max(0, bed.devnet.tip.time * 1000 - bed.clock.now()));
  let { wallet } = bed;
  const waiting: ReturnType<typeof bed.devnet.pay>[] = [];
  const invoices = {
    ...bed,
    get wallet(): WalletHarness {
      return wallet;
    },
    create: (input: Input<'invoices.create'> = { amount_zatoshi: 1000 }) =>
      wallet.call('invoices.create', input),
    get: ({ invoice_id }: Invoice) => wallet.call('invoices.get', { invoice_id }),
    waiting,
    /** In the mempool; the next block has it. */
    payTo: (...to: (readonly [Invoice, number])[]): void => {
      const payment = bed.devnet.pay(
        to.map(([{ address }, amount]) => {
          return { address, pool: 'ironwood' as const, zatoshi: BigInt(amount), memo: 'thanks' };
        }),
      );
      bed.devnet.mempool.put(payment);
      waiting.push(payment);
    },
    mine: async (blocks = 1) => {
      for (let i = 0; i < blocks; i++) bed.devnet.mine({ transactions: waiting.splice(0) });
      return wallet.call('sync.run', { source: 'node' });
    },
    failWrites: (fails: boolean) => {
      disk.fails = fails;
    },
    look: () => wallet.call('mempool.look', { source: 'node' }),
    /** State, exception and number of every change that was announced, since the last time. */
    announced: () =>
      wallet.events
        .splice(0)
        .flatMap(({ event, data }) =>
          event === 'invoice.changed' ? [[data.sequence, data.state, data.exception] as const] : [],
        ),
    /** The process is gone without a word; another one begins on its files. */
    killed: async () => {
      const { folder } = wallet;
      wallet = await startWallet(t, {
        folder,
        clock: bed.clock,
        seed: 'another',
        config: bed.config,
        invoiceFiles,
      });
      t.teardown(() => wallet.stop());
      await wallet.call('wallet.unlock', { password: PASSWORD });
    },
  };
  return invoices;
}
