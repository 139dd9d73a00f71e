// Tests that are written once and run with several programs: a file of its own runs them with each.

import anyTest, { type ExecutionContext } from 'ava';

/** `context`: what the tests of a suite get besides. */
export type Run<C> = (title: string, body: (t: ExecutionContext, context: C) => Promise<unknown>) => void;

export interface Suite<C> {
  readonly add: Run<C>;
  /** `leftOut`: titles that cannot be run, each with the reason. */
  runIn(run: Run<C>, leftOut?: Readonly<Record<string, string>>): void;
}

export function suite<C>(): Suite<C> {
  const tests = new Map<string, Parameters<Run<C>>[1]>();
  return {
    add: (title, body) => void tests.set(title, body),
    runIn: (run, leftOut = {}) => {
      const unknown = Object.keys(leftOut).find((title) => !tests.has(title));
      if (unknown !== undefined) throw new Error(`no test has the title: ${unknown}`);
      for (const [title, body] of tests) {
        const reason = leftOut[title];
        if (reason === undefined) run(title, body);
        else anyTest.skip(`${title} (left out: ${reason})`, () => undefined);
      }
    },
  };
}

export const skipWithout =
  (program: string): Run<never> =>
  (title) =>
    anyTest.skip(`${title} (skipped: no ${program} on this machine)`, () => undefined);
