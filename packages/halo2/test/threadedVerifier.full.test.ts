// Proofs verified on another thread: those that are right, and one so large that it would keep a program from its other calls.

import { concatBytes } from '@wallet-companion/base/bytes';
import { effectsOfPczt } from '@wallet-companion/pczt/pcztRoles';
import { stage } from '@wallet-companion/pczt/test/pcztVectors';
import test from 'ava';
import { ThreadedVerifier } from '../src/halo2/threadedVerifier.ts';

const complete = stage('v6-ironwood-ironwood', 'complete');
const effects = effectsOfPczt(complete);
const proof = complete.ironwood.zkproof!;
/** Elements of a proof for each action, or for all of them, in their order. */
const GROUPS = [
  { ofAction: [10, 6, 3, 3], shared: 9 },
  { ofAction: [1, 25], shared: 29 + 1 + 15 },
  { ofAction: [8, 15], shared: 1 + 5 + 1 + 22 + 2 },
];

/** A proof of two actions with each of their elements so often that it has the form of a larger one. */
function repeated(times: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  const add = (elements: number, count: number): void => {
    for (let i = 0; i < count; i++) parts.push(proof.subarray(at, at + elements * 32));
    at += elements * 32;
  };
  for (const { ofAction, shared } of GROUPS) {
    for (const elements of ofAction) add(2 * elements, times);
    add(shared, 1);
  }
  return concatBytes(...parts);
}

test('a program goes on while a proof of 330 actions is verified, and a thread that has ended verifies none', async (t) => {
  const verifier = new ThreadedVerifier('post-nu6-3');
  t.deepEqual(await verifier.findWrongProofs(effects, (pool) => complete[pool].zkproof), []);
  t.deepEqual(repeated(1), proof);

  const { ironwood } = effects;
  const actions = Array.from({ length: 165 }, () => ironwood!.actions).flat();
  const many = { ...effects, ironwood: { ...ironwood!, actions } };
  let isVerifying = true;
  const verifying = verifier
    .findWrongProofs(many, (pool) => (pool === 'ironwood' ? repeated(165) : undefined))
    .finally(() => {
      isVerifying = false;
    });
  let turns = 0;
  for (; isVerifying; turns++) await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(await verifying, ['ironwood']);
  t.true(turns > 20);

  const waiting = verifier.findWrongProofs(effects, (pool) => complete[pool].zkproof);
  await verifier.close();
  await t.throwsAsync(waiting, { message: /ended/ });
});
