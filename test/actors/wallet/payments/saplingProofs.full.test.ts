// Payments that need Sapling proofs: refused before they are prepared where nothing makes them, and proved with the parameters of
// the ceremony where these are.

import path from 'node:path';
import { decodePczt } from '@wallet-companion/pczt/pczt';
import { saplingAddress } from '@wallet-companion/pczt/test/spendingAccount';
import { createModuleProver, hasSaplingParameters, proverIsBuilt } from '@wallet-companion/prover';
import test from 'ava';
import { pcztProgramsOf } from '../../../../src/composition/pcztPrograms.ts';
import { configDefaults } from '../../../../src/storage/config/configValues.ts';
import { failureOf } from '../../../helpers/failureOf.ts';
import { noProver } from '../../../helpers/noPrograms.ts';
import { pcztIn, startPaymentStory } from '../../../helpers/paymentStoryBed.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

const ZEC = 100_000_000;
const ORDER = { address: saplingAddress(), zatoshi: 60_000_000 };

test('without parameters it is refused before anything is reserved, with the way; another program may prove it', async (t) => {
  const bed = await startPaymentStory(t, {
    notes: [['sapling', ZEC]],
    prover: { ...noProver, provesSapling: async () => false },
  });
  const { code, message } = await failureOf(bed.prepare(ORDER));
  t.is(code, 'NO_PROVER');
  t.regex(message, /sapling-spend\.params.*"sapling_params" in config\.json.*try_anyway/s);
  t.is(await bed.reserved(), 0);
  const { warnings } = await bed.prepare({ ...ORDER, try_anyway: true });
  t.true(warnings.some(({ text }) => /Sapling proofs/.test(text)));
});

/** `npm run build:prover` makes both. */
const PARAMETERS = path.resolve('packages/prover/dist/sapling-params');
const canProve = proverIsBuilt() && hasSaplingParameters(PARAMETERS);
const proved = canProve ? test : test.skip;

proved('a payment out of Sapling is signed by the password, really proved, sent and mined', async (t) => {
  const config = { ...configDefaults('regtest'), sapling_params: PARAMETERS };
  const log = { info: t.log, warn: t.log, error: t.log } as never;
  const { prover } = pcztProgramsOf(config, { configDir: PARAMETERS, dataDir: PARAMETERS }, log);
  t.teardown(() => prover.stop());
  const bed = await startPaymentStory(t, {
    notes: [['sapling', ZEC]],
    prover: { prove: (pczt, stop) => prover.run(pczt, stop), provesSapling: () => prover.provesSapling() },
  });
  const { payment_id, txid } = await bed.prepare({ ...ORDER, memo: 'really proved' });
  const kept = async () => pcztIn(await bed.call('payments.pczt', { payment_id, reader: 'anyone' })).sapling;
  await bed.call('payments.sign', { payment_id, txid, password: PASSWORD });
  t.true((await kept()).spends.every(({ proofGenerationKey }) => proofGenerationKey !== undefined));
  t.is((await bed.call('payments.prove', { payment_id })).status, 'complete');
  const { spends, outputs } = await kept();
  t.true([...spends, ...outputs].every(({ zkproof }) => zkproof?.length === 192));
  t.true(
    spends.every(({ proofGenerationKey }) => proofGenerationKey === undefined),
    'nothing needs it now',
  );
  await bed.broadcast(payment_id);
  await bed.mine(1);
  t.is((await bed.get(payment_id)).status, 'mined');

  const module = createModuleProver({ threads: 2, sapling: async () => PARAMETERS });
  t.teardown(() => module.close());
  const { pczt } = await bed.call('payments.pczt', { payment_id, reader: 'anyone' });
  await t.notThrowsAsync(module.verify(Buffer.from(pczt, 'base64')));
  const swapped = Buffer.from(pczt, 'base64');
  const proof = Buffer.from(outputs[0]!.zkproof!);
  Buffer.from(outputs[1]!.zkproof!).copy(swapped, swapped.indexOf(proof));
  t.deepEqual(decodePczt(swapped).pczt.sapling.outputs[0]!.zkproof, outputs[1]!.zkproof);
  t.like(await t.throwsAsync(module.verify(swapped)), { code: 'WRONG_PROOF' });
});
