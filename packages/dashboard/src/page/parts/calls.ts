// Two ways to call the companion from a component: when it opens, and when the user acts. Both say what fails.

import { CompanionError } from '@wallet-companion/client';
import { type Inputs, useEffect, useRef, useState } from 'preact/hooks';

/** For an error that does not come from the companion. `at`: the name of the field that it is about. */
export class Objection extends Error {
  readonly at: string | undefined;

  constructor(message: string, at?: string) {
    super(message);
    this.at = at;
  }
}

export function problemText(thrown: unknown): string {
  if (thrown instanceof Objection) return thrown.message;
  if (!(thrown instanceof CompanionError)) return 'That did not work, for a reason the page does not know.';
  if (thrown.code === 'COMPANION_UNREACHABLE') return 'The companion does not answer.';
  const wait = thrown.retryAfterSeconds;
  return wait === undefined ? thrown.message : `${thrown.message} Wait ${Math.ceil(wait)} s.`;
}

interface Answer<T> {
  readonly value?: T;
  readonly problem?: string;
}

/** Reads when the component opens, and again when one of `inputs` changes. What arrives later than that is dropped. */
export function useAnswer<T>(read: () => Promise<T>, inputs: Inputs): [Answer<T>, (value: T) => void] {
  const [answer, setAnswer] = useState<Answer<T>>({});
  useEffect(() => {
    let isWanted = true;
    const take = (taken: Answer<T>) => isWanted && setAnswer(taken);
    read().then(
      (value) => take({ value }),
      (thrown: unknown) => take({ problem: problemText(thrown) }),
    );
    return () => {
      isWanted = false;
    };
  }, inputs);
  return [answer, (value) => setAnswer({ value })];
}

type Attempt = (act: () => Promise<unknown>, failed?: (thrown: unknown) => void) => Promise<void>;

/** One attempt at a time: another one meanwhile does nothing. */
export function useAttempt(): { isBusy: boolean; problem: string | undefined; attempt: Attempt } {
  const [{ isBusy, problem }, setState] = useState<{ isBusy: boolean; problem?: string }>({ isBusy: false });
  const isRunning = useRef(false);
  const attempt: Attempt = async (act, failed) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isBusy: true });
    try {
      await act();
      setState({ isBusy: false });
    } catch (thrown) {
      setState({ isBusy: false, problem: problemText(thrown) });
      failed?.(thrown);
    }
    isRunning.current = false;
  };
  return { isBusy, problem, attempt };
}
