// What a call reads and computes once. Counted in the real parts, so these tests run one after the other.

import fs from 'node:fs';
import test from 'ava';
import { NoteTable } from '../../../src/actors/wallet/noteStore/book/noteTables.ts';
import { startInvoiceBed } from '../../helpers/invoiceBed.ts';
import { PASSWORD, startWallet } from '../../helpers/walletHarness.ts';

/** Calls of a method during `work`. */
async function countCalls<K extends string>(
  of: Record<K, (...given: never[]) => unknown>,
  method: K,
  work: () => Promise<unknown>,
  isCounted: (...given: unknown[]) => boolean = () => true,
): Promise<number> {
  const real = of[method];
  let count = 0;
  of[method] = function (this: unknown, ...given: never[]) {
    if (isCounted(...given)) count += 1;
    return real.apply(this, given);
  } as (typeof of)[K];
  try {
    await work();
    return count;
  } finally {
    of[method] = real;
  }
}

test.serial('an unlock reads the wallet file once', async (t) => {
  const wallet = await startWallet(t);
  t.teardown(() => wallet.stop());
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  await wallet.call('wallet.lock');
  const unlock = () => wallet.call('wallet.unlock', { password: PASSWORD });
  const isWallet = (file: unknown): boolean => String(file).endsWith('wallet.dat');
  t.is(await countCalls(fs as never, 'openSync', unlock, isWallet), 1);
});

test.serial('a new invoice is evaluated once', async (t) => {
  const bed = await startInvoiceBed(t);
  t.is(await countCalls(NoteTable.prototype as never, 'paidTo', () => bed.create()), 1);
});
