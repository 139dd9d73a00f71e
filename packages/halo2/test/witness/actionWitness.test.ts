import test from 'ava';
import { type ActionInputs, createActionWitness } from '../../src/halo2/witness/actionWitness.ts';
import { UnprovableError } from '../../src/halo2/witness/unprovable.ts';
import { expectedForm, inputsOf, recordedForm, WITNESS_CASES, witnessCircuit } from './recordedWitnesses.ts';

const circuit = await witnessCircuit();

test('every cell is that of the reference crates, edges among them', (t) => {
  for (const recorded of WITNESS_CASES) {
    const witness = createActionWitness(circuit, inputsOf(recorded));
    t.deepEqual(recordedForm(witness), expectedForm(recorded), recorded.name);
  }
});

test('where value commitments cancel, cv_net is the identity', (t) => {
  const inputs = named('6-spend-equals-output');
  const { instance } = createActionWitness(circuit, { ...inputs, rcv: 0n });
  t.deepEqual(instance.slice(1, 3), [0n, 0n]);
});

const named = (name: string): ActionInputs => inputsOf(WITNESS_CASES.find((one) => one.name === name)!);

test('what the circuit does not accept is refused before a proof is made', (t) => {
  const inputs = named('0-random');
  const { spent, created, path } = inputs;
  const wrong: Readonly<Record<string, Partial<ActionInputs>>> = {
    key: { nk: inputs.nk + 1n },
    scope: { rivk: inputs.rivk + 1n },
    address: { spent: { ...spent, pkd: created.pkd } },
    note: { spent: { ...spent, psi: spent.psi + 1n } },
    path: { path: { ...path, position: path.position ^ 1 } },
    spends: { enablesSpends: false },
    outputs: { enablesOutputs: false },
    crossAddress: { disablesCrossAddress: true },
  };
  for (const [what, change] of Object.entries(wrong))
    t.throws(
      () => createActionWitness(circuit, { ...inputs, ...change }),
      { instanceOf: UnprovableError },
      what,
    );
  // A dummy is spent from no tree.
  const dummy = named('1-dummy-spend');
  t.notThrows(() => createActionWitness(circuit, { ...dummy, anchor: dummy.anchor + 1n }));
});
