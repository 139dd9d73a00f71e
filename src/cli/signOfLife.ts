// A companion that stands still (Ctrl-Z, a hung disk) still takes connections and calls. A call may take hours, so its
// silence says nothing; but meanwhile the companion is asked for its health, which its main thread always tells at once.

import { type After, systemAfter } from '@wallet-companion/base/async';
import { CompanionError } from '../protocol/errors.ts';
import type { Dispatcher, EventPublisher, HealthSource } from '../protocol/link.ts';
import { failure } from '../protocol/result.ts';

const ASK_AFTER_MS = 2_000;
const PATIENCE_MS = 5_000;

/** `who`: the companion, as a sentence begins with it. Rejects with `COMPANION_UNREACHABLE` where it falls silent. */
export async function whileItLives<T>(
  who: string,
  call: Promise<T>,
  health: () => Promise<unknown>,
  after: After = systemAfter,
): Promise<T> {
  let isOver = false;
  let callOff = (): void => undefined;
  const silence = new Promise<never>((_, reject) => {
    const wait = (): void => {
      callOff = after(ASK_AFTER_MS, () => {
        callOff = after(PATIENCE_MS, () => reject(standsStill(who)));
        // A failure is an answer too; what it means, the call itself will tell.
        const again = (): void => {
          if (isOver) return;
          callOff();
          wait();
        };
        health().then(again, again);
      });
    };
    wait();
  });
  try {
    return await Promise.race([call, silence]);
  } finally {
    isOver = true;
    callOff();
  }
}

const standsStill = (who: string): CompanionError =>
  new CompanionError(
    'COMPANION_UNREACHABLE',
    `${who} does not answer: it was stopped (Ctrl-Z: fg), or is busy.`,
  );

type Living = Dispatcher & EventPublisher & HealthSource;

export const livingLink = (who: string, link: Living): Dispatcher & EventPublisher => ({
  dispatch: (name, input, context) =>
    whileItLives(who, link.dispatch(name, input, context), () => link.health()).catch(failure),
  subscribe: (listener, wallet) => link.subscribe(listener, wallet),
});
