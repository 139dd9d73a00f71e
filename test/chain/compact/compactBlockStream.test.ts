import { getEventListeners } from 'node:events';
import test from 'ava';
import { COMPACT_STREAM_LIMITS, compactBlocks } from '#chain/compact/compactBlockStream';
import type { CompactConnection } from '#chain/compact/compactConnection';
import { compactMain, FIRST } from '../../helpers/knownSeedBlocks.ts';

const LAST = FIRST + compactMain.length - 1;
const LIMITS = { ...COMPACT_STREAM_LIMITS, chunkBlocks: 1 };

/** Asks nobody; `stalled` gives no block and ends when it is told to. */
function client(stalled = false): CompactConnection {
  return {
    host: 'here',
    async *blockRange(start: number, end: number, signal: AbortSignal) {
      signal.throwIfAborted();
      if (stalled) {
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      }
      yield* compactMain.slice(start - FIRST, end - FIRST + 1);
    },
  } as unknown as CompactConnection;
}

/** Whatever is remembered in the signal: listeners, and the signals that were made to follow it. */
function traces(signal: AbortSignal): number {
  const members = Object.getOwnPropertySymbols(signal).map((key) => Reflect.get(signal, key) as unknown);
  const isSet = (member: unknown): member is Set<unknown> =>
    Object.prototype.toString.call(member) === '[object Set]';
  return members
    .filter(isSet)
    .reduce((sum, { size }) => sum + size, getEventListeners(signal, 'abort').length);
}

async function read(signal: AbortSignal, most = Number.POSITIVE_INFINITY, stalled = false): Promise<number> {
  let count = 0;
  for await (const _block of compactBlocks(client(stalled), { start: FIRST, end: LAST }, signal, LIMITS)) {
    count += 1;
    if (count === most) break;
  }
  return count;
}

test('a signal that outlives many ranges keeps no trace of them', async (t) => {
  const { signal } = new AbortController();
  t.is(await read(signal), compactMain.length);
  t.is(traces(signal), 0);
  // Left in the middle, with chunks on their way.
  t.is(await read(signal, 3), 3);
  t.is(traces(signal), 0);
});

test('the signal ends chunks that are on their way, and those asked for later', async (t) => {
  const abort = new AbortController();
  const reading = read(abort.signal, 1, true);
  abort.abort(new Error('closed'));
  await t.throwsAsync(reading, { message: 'closed' });
  t.is(traces(abort.signal), 0);
  await t.throwsAsync(read(abort.signal, 1, true), { message: 'closed' });
});
