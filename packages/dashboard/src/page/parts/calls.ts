// Two ways to call the companion from a component: when it opens, and when the user acts. Both show what fails.

import { type Inputs, useEffect, useRef, useState } from 'preact/hooks';
import { problemText } from './app.ts';

export interface Answer<T> {
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

export interface Attempts {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  /** Does nothing while another attempt runs. */
  attempt(act: () => Promise<unknown>, failed?: (thrown: unknown) => void): Promise<void>;
}

export function useAttempts(): Attempts {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isRunning = useRef(false);
  return {
    isBusy,
    problem,
    async attempt(act, failed) {
      if (isRunning.current) return;
      isRunning.current = true;
      setBusy(true);
      setProblem(undefined);
      try {
        await act();
      } catch (thrown) {
        setProblem(problemText(thrown));
        failed?.(thrown);
      } finally {
        isRunning.current = false;
        setBusy(false);
      }
    },
  };
}
