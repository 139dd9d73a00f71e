import { cases, stageOf, withField } from '@wallet-companion/pczt/test/pcztVectors';
import { ACTION_POOLS } from '@wallet-companion/zcash/pools';
import test from 'ava';
import { witnessesOf } from '../../src/halo2/witness/pcztWitness.ts';
import { UnprovableError } from '../../src/halo2/witness/unprovable.ts';
import { witnessCircuit } from './recordedWitnesses.ts';

const circuit = await witnessCircuit();

test('the actions of PCZTs that are ready to prove have the instances that their transactions state', (t) => {
  for (const vector of cases) {
    const pczt = stageOf(vector, 'ready')!;
    for (const pool of ACTION_POOLS)
      t.is([...witnessesOf(circuit, pczt, pool)].length, pczt[pool].actions.length, `${vector.name} ${pool}`);
  }
});

const READY = stageOf(cases.find(({ name }) => name === 'v6-ironwood-ironwood')!, 'ready')!;
const ACTION = 'ironwood.actions.0';

test('an action that lacks a field, or states another value, has no proof', (t) => {
  const refused = (path: string, value: unknown) =>
    t.throws(
      () => [...witnessesOf(circuit, withField(READY, `${ACTION}.${path}`, value), 'ironwood')],
      { instanceOf: UnprovableError },
      path,
    );
  for (const field of ['spend.fvk', 'spend.recipient', 'spend.value', 'spend.rho', 'spend.rseed', 'rcv'])
    refused(field, undefined);
  for (const field of ['spend.witness', 'spend.alpha', 'output.recipient', 'output.value', 'output.rseed'])
    refused(field, undefined);
  for (const field of ['cvNet', 'spend.nullifier', 'spend.rk', 'output.cmx'])
    refused(field, new Uint8Array(32).fill(1));
  for (const field of ['spend.rho', 'spend.alpha', 'rcv']) refused(field, new Uint8Array(32).fill(255));
  refused('spend.fvk', new Uint8Array(96).fill(255));
});
