// Makes one test of each rule, one after the other: each has a companion of its own.

import { AT_LENGTH } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import { startService } from '../helpers/service.ts';
import { openWorld } from './bed.ts';
import { startHere } from './companionHere.ts';
import type { Rule } from './world.ts';

/** What a companion does is held without a process of its own; at length the program does it too. */
export function hold(rules: readonly Rule[]): void {
  for (const rule of rules) {
    const start = rule.ofProgram === true || AT_LENGTH ? startService : startHere;
    test.serial(`${rule.name} [${rule.says}]`, async (t) => {
      await rule.check(await openWorld(t, rule, start));
      t.pass();
    });
  }
}
