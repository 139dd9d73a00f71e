// A circuit is data: real proofs of the main and test chain in 2022, which are of the first circuit.

import { hexToBytes } from '@wallet-companion/base/bytes';
import { parseBlock } from '@wallet-companion/zcash/blocks';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import { transactionContents } from '@wallet-companion/zcash/transactions';
import test from 'ava';
import { readCircuit } from '../src/halo2/circuit/circuit.ts';
import { statementOf } from '../src/halo2/verifier/statement.ts';
import { createKernel, createTestVerifier, readFixture } from './support.ts';

const FIRST = 'aabd3df9c518be499d6d62089ea235ff7105f090fce70d1e4693d23b0d4cb1a3';

test('proofs of real blocks are valid with the data of their circuit, and with that of no other', async (t) => {
  const kernel = await createKernel();
  const first = await createTestVerifier(readCircuit(readFixture('insecure-pre-nu6-2'), FIRST), kernel);
  const later = await createTestVerifier();
  const bundles = readVectors<{ cases: { raw: string }[] }>('real_blocks').cases.flatMap(({ raw }) =>
    parseBlock(hexToBytes(raw))
      .transactions.filter(({ version, orchard }) => version === 5 && orchard.actions.count > 0)
      .map((transaction) => transactionContents(transaction).orchard!),
  );
  t.is(bundles.length, 5);
  for (const bundle of bundles) {
    const statement = statementOf(kernel, { ...bundle, allowsCrossAddress: true })!;
    const proven = { statement, proof: bundle.proof };
    t.deepEqual(first.verify(proven), { kind: 'valid' });
    t.is(later.verify(proven).kind, 'refused');
    const other = statementOf(kernel, { ...bundle, flags: bundle.flags ^ 1, allowsCrossAddress: true })!;
    t.is(first.verify({ ...proven, statement: other }).kind, 'refused');
    t.is(
      statementOf(kernel, {
        ...bundle,
        actions: [{ ...bundle.actions[0]!, rk: new Uint8Array(32) }],
        allowsCrossAddress: true,
      }),
      undefined,
    );
  }
});
