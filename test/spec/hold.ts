// Makes one test of each rule, one after the other: each has a companion of its own.
import test from 'ava';
import { AT_LENGTH } from '#shielded-test/atLength';
import { startService } from '../helpers/service.ts';
import { openWorld } from './bed.ts';
import { startHere } from './companionHere.ts';
import type { Rule } from './world.ts';

/** `about`: whether rules are about the program, or about what a companion does, which at length the program does too. */
export function hold(rules: readonly Rule[], about: 'the program' | 'a companion'): void {
  const start = about === 'the program' || AT_LENGTH ? startService : startHere;
  for (const rule of rules) {
    test.serial(`${rule.name} [${rule.says}]`, async (t) => {
      await rule.check(await openWorld(t, rule, start));
      t.pass();
    });
  }
}
