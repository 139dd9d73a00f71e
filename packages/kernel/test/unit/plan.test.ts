// Plans are interpreted over scalars: what a slot holds is its multiple of the base point.

import test from 'ava';
import { JUBJUB_ORDER, PALLAS_LAMBDA, PALLAS_ORDER } from '../../src/kernel/plan/curveConstants.ts';
import { planJubjub } from '../../src/kernel/plan/jubjubPlan.ts';
import { planPallas } from '../../src/kernel/plan/pallasPlan.ts';
import type { ScalarPlan } from '../../src/kernel/plan/steps.ts';
import { DeterministicRandom } from '../support/deterministicRandom.ts';

/** Runs the plan on integers modulo the order; throws when a step would divide by 0. */
function interpret(plan: ScalarPlan, order: bigint, eigenvalue: bigint): (bigint | undefined)[] {
  const slots: (bigint | undefined)[] = new Array(plan.slots).fill(undefined);
  slots[0] = 1n;
  for (const round of plan.rounds) {
    const before = [...slots];
    const written = new Set<number>();
    for (const step of round) {
      if (written.has(step.destination)) throw new Error('a slot is written twice in a round');
      written.add(step.destination);
      const old = before[step.destination];
      if (step.kind === 'double') {
        if (old === undefined || old === 0n) throw new Error('doubles nothing');
        slots[step.destination] = (2n * old) % order;
        continue;
      }
      if (step.source !== 0 && round.some(({ destination }) => destination === step.source)) {
        throw new Error('reads what the round writes');
      }
      const multiple = (before[step.source]! * eigenvalue ** BigInt(step.unit.power)) % order;
      const added = step.unit.negative ? order - multiple : multiple;
      if (step.kind === 'copy') {
        slots[step.destination] = added;
      } else {
        if (old === undefined || old === added || old + added === order)
          throw new Error('exceptional addition');
        slots[step.destination] = (old + added) % order;
      }
    }
  }
  return slots;
}

const CURVES = [
  { name: 'Pallas', order: PALLAS_ORDER, eigenvalue: PALLAS_LAMBDA, factor: 1n, plan: planPallas },
  { name: 'Jubjub', order: JUBJUB_ORDER, eigenvalue: 1n, factor: 8n, plan: planJubjub },
];

for (const { name, order, eigenvalue, factor, plan } of CURVES) {
  const check = (t: { is(actual: unknown, expected: unknown): void }, scalars: readonly bigint[]) => {
    const planned = plan(scalars);
    const slots = interpret(planned, order, eigenvalue);
    scalars.forEach((scalar, key) => {
      const slot = planned.results[key];
      t.is(slot === undefined ? 0n : slots[slot], (factor * scalar) % order);
    });
    return planned;
  };

  test(`${name}: random scalars, one and several at a time`, (t) => {
    const random = new DeterministicRandom(name);
    for (const count of [1, 1, 1, 2, 3, 8]) {
      check(
        t,
        Array.from({ length: count }, () => random.below(order)),
      );
    }
  });

  test(`${name}: small scalars, scalars near the order, sparse ones, and 0`, (t) => {
    for (let i = 0n; i < 40n; i++) check(t, [i, order - 1n - i]);
    for (let bit = 0n; bit < 250n; bit += 31n) check(t, [1n << bit, (1n << bit) - 1n, (1n << bit) + 1n]);
    check(t, [PALLAS_LAMBDA % order, (order - (PALLAS_LAMBDA % order)) % order, order >> 1n]);
    t.deepEqual(plan([0n]).results, [undefined]);
    t.deepEqual(plan([]).results, []);
  });

  test(`${name}: scalars whose digits leave buckets empty`, (t) => {
    const random = new DeterministicRandom(`${name} sparse`);
    for (let i = 0; i < 60; i++) {
      // A few set bits only.
      let scalar = 0n;
      for (let j = 0; j <= i % 6; j++) scalar |= 1n << BigInt(random.integer(250));
      check(t, [scalar]);
    }
  });

  test(`${name}: a key costs no more additions than stated`, (t) => {
    const random = new DeterministicRandom(`${name} cost`);
    let additions = 0;
    const keys = 40;
    for (let i = 0; i < keys; i++) {
      const { rounds } = plan([random.below(order)]);
      for (const round of rounds) additions += round.filter(({ kind }) => kind === 'add').length;
    }
    t.true(additions / keys < (name === 'Pallas' ? 44.5 : 49), String(additions / keys));
  });
}
