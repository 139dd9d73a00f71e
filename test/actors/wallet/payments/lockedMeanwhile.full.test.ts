// A lock may come at any moment, also right behind what a call has just written: whoever waits is told that the wallet was
// locked, and what was written is there after the next unlock.
import test from 'ava';
import type { NoteDatabases } from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { pcztIn, startPaymentStory } from '../../../helpers/paymentStoryBed.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

/** Calls `written` as soon as a payment is on the disk. */
const watching = (stores: NoteDatabases, written: () => void): NoteDatabases => ({
  open: (key) => {
    const database = stores.open(key);
    const put = database.putPayment.bind(database);
    database.putPayment = (...given) => {
      put(...given);
      written();
    };
    return database;
  },
  dropResealed: () => stores.dropResealed(),
  retire: () => stores.retire(),
});

for (const call of ['prepare', 'combine', 'prove', 'broadcast', 'discard'] as const) {
  test(`${call}: the wallet locks right behind its last write`, async (t) => {
    let writes = 0;
    let written = (): void => undefined;
    const bed = await startPaymentStory(t, {
      noteDatabases: (stores) => watching(stores, () => written()),
    });
    const locking: Promise<unknown>[] = [];
    const lockAfter = (count: number): void => {
      writes = 0;
      written = () => {
        writes += 1;
        if (writes === count) locking.push(bed.wallet.call('wallet.lock'));
      };
    };
    const outcome = async (answer: Promise<unknown>): Promise<string> => {
      const code = await answer.then(
        () => 'answered',
        (error: unknown) => (error instanceof CompanionError ? error.code : String(error)),
      );
      t.is(locking.length, 1);
      await Promise.all(locking);
      return code;
    };
    const prepare = () => bed.prepare({ zatoshi: 60_000_000 });
    if (call === 'prepare') lockAfter(1);
    const prepared = call === 'prepare' ? undefined : await prepare();
    if (call === 'prepare' || prepared === undefined) {
      t.true(['answered', 'WALLET_LOCKED'].includes(await outcome(prepare())));
    } else {
      const { payment_id: id } = prepared;
      const signed = bed.signed(pcztIn(await bed.signerView(id)));
      if (call === 'prove') await bed.combine(id, signed);
      if (call === 'broadcast') await bed.complete(id);
      lockAfter(call === 'broadcast' ? 2 : 1);
      const calls: Record<Exclude<typeof call, 'prepare'>, () => Promise<unknown>> = {
        combine: () => bed.combine(id, signed),
        prove: () => bed.wallet.call('payments.prove', { payment_id: id }),
        broadcast: () => bed.broadcast(id),
        discard: () => bed.wallet.call('payments.discard', { payment_id: id }),
      };
      t.true(['answered', 'WALLET_LOCKED'].includes(await outcome(calls[call]())));
    }
    t.deepEqual(bed.wallet.faults, []);
    written = () => undefined;
    await bed.wallet.call('wallet.unlock', { password: PASSWORD });
    const { payments } = await bed.wallet.call('payments.list');
    const [kept] = payments;
    const missing = { signatures: 1, proofs: true, ...(call === 'combine' ? { signatures: 0 } : {}) };
    if (call === 'prove') t.is(kept?.status, 'complete');
    else if (call === 'broadcast') t.like(kept, { status: 'sent', last_sent: { outcome: 'accepted' } });
    else if (call === 'discard') t.is(kept?.status, 'discarded');
    else t.like(kept, { status: 'prepared', missing: [missing] });
  });
}
