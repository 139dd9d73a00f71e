// What components use beside the framework's own hooks: calls of the companion, and the clock.

import { type Inputs, useEffect, useRef, useState } from 'preact/hooks';
import { problemText } from '../../model/problems.ts';

// Two ways to call the companion from a component: when it opens, and when the user acts. Both say what fails.
type Answer<T> = { readonly value?: T; readonly problem?: string };

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

// The clock of components that count seconds.
const SECOND_MS = 1_000;

/** The time in milliseconds; what shows it is drawn again each second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
