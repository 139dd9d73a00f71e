// Makes one test of each rule, one after the other: each has a companion of its own.
import test from 'ava';
import { openWorld } from './bed.ts';
import type { Rule } from './world.ts';

export function hold(rules: readonly Rule[]): void {
  for (const rule of rules) {
    test.serial(`${rule.name} [${rule.says}]`, async (t) => {
      await rule.check(await openWorld(t, rule));
      t.pass();
    });
  }
}
