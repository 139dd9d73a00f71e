// ZIP 317 fees and lock times of PCZTs with transparent parts, which the published stages hardly have.
import test from 'ava';
import { feeOf, logicalActionsOf } from '../../src/pczt/fee.ts';
import { lockTimeOf } from '../../src/pczt/lockTime.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { stage, withField } from '../helpers/pcztVectors.ts';

const BASE = stage('v6-nu7-ironwood-transparent', 'ready');

const inputs = (...all: readonly object[]): Pczt =>
  withField(
    BASE,
    'transparent.inputs',
    all.map((fields) => ({ value: 0n, scriptSig: undefined, ...fields })),
  );
const outputs = (pczt: Pczt, ...sizes: readonly number[]): Pczt =>
  withField(
    pczt,
    'transparent.outputs',
    sizes.map((size) => ({ value: 0n, scriptPubkey: new Uint8Array(size - 9) })),
  );

test('transparent parts count by their bytes, the larger side', (t) => {
  // Two actions of Ironwood in all of them.
  t.is(logicalActionsOf(outputs(BASE)), 2);
  t.is(logicalActionsOf(outputs(BASE, 34)), 3);
  t.is(logicalActionsOf(outputs(BASE, 32)), 3);
  t.is(logicalActionsOf(outputs(BASE, 34, 34, 32)), 5);
  t.is(logicalActionsOf(outputs(BASE, 35)), 4);
  t.is(logicalActionsOf(outputs(inputs({}, {}), 34)), 4);
  t.is(logicalActionsOf(outputs(inputs({ scriptSig: new Uint8Array(109) }), 34)), 3);
  t.is(logicalActionsOf(outputs(inputs({ scriptSig: new Uint8Array(110) }), 34)), 4);
});

test('less than two actions cost as much as two', (t) => {
  const empty = withField(outputs(BASE), 'ironwood.actions', []);
  t.is(logicalActionsOf(empty), 2);
});

test('what transparent inputs bring and outputs take is in the fee', (t) => {
  t.is(feeOf(BASE), 15_000n);
  t.is(feeOf(inputs({ value: 7n }, { value: 3n })), 15_010n);
});

test('inputs ask for a lock time together', (t) => {
  const height = (value: number) => ({ requiredHeightLockTime: value, requiredTimeLockTime: undefined });
  const time = (value: number) => ({ requiredHeightLockTime: undefined, requiredTimeLockTime: value });
  const either = (h: number, s: number) => ({ requiredHeightLockTime: h, requiredTimeLockTime: s });
  const nothing = { requiredHeightLockTime: undefined, requiredTimeLockTime: undefined };
  const asked = (...all: readonly object[]): number => lockTimeOf(inputs(...all));
  t.is(asked(nothing), 0);
  t.is(lockTimeOf(withField(BASE, 'global.fallbackLockTime', 9)), 9);
  t.is(lockTimeOf(withField(BASE, 'global.fallbackLockTime', undefined)), 0);
  t.is(asked(height(5), nothing, height(8)), 8);
  t.is(asked(time(500_000_005), time(500_000_001)), 500_000_005);
  t.is(asked(either(5, 500_000_005), either(6, 500_000_001)), 6);
  t.is(asked(either(5, 500_000_005), time(500_000_001)), 500_000_005);
  t.throws(() => asked(height(5), time(500_000_001)), {
    message: /ask for a height and for a time at once$/,
  });
});
