// Timers of a stream of events that a test controls, and all that a stream gives until it fails.

import type { ExecutionContext } from 'ava';
import type { After, ReceivedEvent } from '../../src/client/events.ts';
import type { CompanionError } from '../../src/contract/errors.ts';

export const SILENCE_MS = 45_000;

/** Pauses end at once and are written down; connections fall silent when the test says so. */
export function timers() {
  const pauses: number[] = [];
  const watched = new Set<() => void>();
  const after: After = (ms, callback) => {
    if (ms === SILENCE_MS) watched.add(callback);
    else {
      pauses.push(ms);
      queueMicrotask(callback);
    }
    return () => watched.delete(callback);
  };
  const fallSilent = () => {
    for (const callback of watched) callback();
  };
  return { after, pauses, watched, fallSilent };
}

export async function collect(t: ExecutionContext, stream: AsyncIterable<ReceivedEvent>) {
  const received: ReceivedEvent[] = [];
  const error = await t.throwsAsync(async () => {
    for await (const event of stream) received.push(event);
  });
  return { received, error: error as CompanionError };
}
