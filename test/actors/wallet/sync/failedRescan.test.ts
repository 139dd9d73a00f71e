// A rescan whose commit reports a failure: the disk may hold either, so the balance of before is not said to be complete.
import test from 'ava';
import type { NoteDatabase, NoteDatabases } from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { startPaymentStory } from '../../../helpers/paymentStoryBed.ts';

const ZEC = 100_000_000;

/** While it is away nothing can be read; what is written takes effect or not, and fails. */
class Disk {
  isAway = false;
  takesEffect = true;

  readonly wrap = (stores: NoteDatabases): NoteDatabases => ({
    retire: () => stores.retire(),
    dropResealed: () => stores.dropResealed(),
    open: (masterKey) => {
      const store = stores.open(masterKey);
      const failed = (): never => {
        throw new CompanionError('STORAGE_FAILED', 'The disk is away.');
      };
      return new Proxy<NoteDatabase>(store, {
        get: (_, name) => {
          if (this.isAway && name === 'load') return failed;
          if (this.isAway && name === 'commit')
            return (change: Parameters<NoteDatabase['commit']>[0]) => {
              if (this.takesEffect) store.commit(change);
              failed();
            };
          const value = Reflect.get(store, name, store);
          return typeof value === 'function' ? value.bind(store) : value;
        },
      });
    },
  });
}

for (const takesEffect of [true, false])
  test(`a rescan that ${takesEffect ? 'took effect' : 'did not'}, and was reported as failed`, async (t) => {
    const disk = new Disk();
    const bed = await startPaymentStory(t, { noteDatabases: disk.wrap });
    t.like(await bed.wallet.call('balance.get'), { total_zatoshi: ZEC, complete: true });
    Object.assign(disk, { isAway: true, takesEffect });
    t.is(await bed.wallet.failure('wallet.rescan', {}), 'STORAGE_FAILED');
    const unsure = await bed.wallet.call('balance.get');
    t.false(unsure.complete);
    t.regex(unsure.warning!, /It is read again/);
    t.false((await bed.wallet.call('sync.status')).complete);
    t.false((await bed.wallet.call('coverage.get')).accounts[0]!.complete);
    disk.isAway = false;
    const { warning, total_zatoshi: total, complete } = await bed.wallet.call('balance.get');
    t.deepEqual([warning, total, complete], takesEffect ? [undefined, 0, false] : [undefined, ZEC, true]);
    await bed.sync();
    t.like(await bed.wallet.call('balance.get'), { total_zatoshi: ZEC, complete: true });
  });
