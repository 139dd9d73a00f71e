import test from 'ava';
import { systemAfter } from '../../../src/async/after.ts';

/** Runs `use` with timers that fire when told, late by as much as was slept meanwhile. */
function withTimers(use: (fire: () => number | undefined) => void): void {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const armed = new Map<object, { readonly ms: number; readonly callback: () => void }>();
  globalThis.setTimeout = ((callback: () => void, ms: number) => {
    const timer = {};
    armed.set(timer, { ms, callback });
    return timer;
  }) as never;
  globalThis.clearTimeout = ((timer: object) => armed.delete(timer)) as never;
  try {
    use(() => {
      const [next] = armed;
      if (next === undefined) return undefined;
      armed.delete(next[0]);
      next[1].callback();
      return next[1].ms;
    });
  } finally {
    Object.assign(globalThis, real);
  }
}

test('a wait is made of slices, so that a thread that stood still does not lose it at once', (t) => {
  withTimers((fire) => {
    let strikes = 0;
    systemAfter(7_000, () => strikes++);
    t.deepEqual([fire(), fire(), strikes], [3_000, 3_000, 0]);
    t.deepEqual([fire(), strikes, fire()], [1_000, 1, undefined]);
  });
});

test('called off, it strikes no more, in whichever slice', (t) => {
  withTimers((fire) => {
    const callOff = systemAfter(7_000, () => t.fail());
    fire();
    callOff();
    t.is(fire(), undefined);
  });
});
