import { CompanionError } from '@wallet-companion/client/contract';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import test from 'ava';
import { openBatchStream } from '../../src/chain/source/blockPacking.ts';

const batch = (): BlockBatch => ({ format: 'raw', blocks: [], buffer: new ArrayBuffer(0) });

test('closing aborts what the source is waiting for', async (t) => {
  let given: AbortSignal | undefined;
  const stream = openBatchStream(async function* (signal) {
    given = signal;
    yield batch();
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  t.truthy(await stream.next());
  t.false(given!.aborted);
  stream.close();
  t.true(given!.aborted);
  t.is((given!.reason as CompanionError).code, 'BUSY');
  t.true(given!.reason instanceof CompanionError);
  t.is(await stream.next(), null);
});

test('two batches are packed ahead of the scan, and no more', async (t) => {
  let packed = 0;
  let resting = (): void => undefined;
  const stream = openBatchStream(async function* () {
    for (;;) {
      packed++;
      yield batch();
      resting();
    }
  });
  for (let taken = 1; taken <= 3; taken++) {
    await new Promise<void>((resolve) => {
      resting = resolve;
      void stream.next();
    });
    await new Promise((resolve) => setImmediate(resolve));
    t.is(packed, taken + 2);
  }
  stream.close();
});
