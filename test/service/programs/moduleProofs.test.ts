// The built module on payments of the vectors: what it proves is complete and right, what is wrong is refused, and no PCZT
// ends the process. In a clone without the module these tests are skipped.

import {
  decodePczt,
  encodePczt,
  isComplete,
  missingOf,
  type Pczt,
  takeReturned,
} from '@wallet-companion/pczt/pczt';
import { combinePczts, redactPczt } from '@wallet-companion/pczt/pcztRoles';
import { flipped, stage, stageBytes, withField } from '@wallet-companion/pczt/test/pcztVectors';
import { createProver, ProverError, proverIsBuilt } from '@wallet-companion/prover';
import anyTest from 'ava';

const test = proverIsBuilt() ? anyTest.serial : skipped;
function skipped(title: string, _test: unknown): void {
  anyTest.skip(`${title}: the module was not built ("npm run build:prover")`, () => undefined);
}

const prover = createProver({ threads: 2 });
anyTest.after.always(() => prover.close());

const IRONWOOD = 'v6-ironwood-ironwood';
/** As a wallet asks for it. */
const asked = (pczt: Pczt): Uint8Array => encodePczt(redactPczt(pczt, 'prover'), 2);

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return error instanceof ProverError ? error.code : String(error);
  }
  return 'none';
}

test('a call that is given up ends at once, and the next one begins anew', async (t) => {
  const stop = new AbortController();
  const given = codeOf(prover.prove(asked(stage(IRONWOOD, 'ready')), { signal: stop.signal }));
  setImmediate(() => stop.abort());
  t.is(await given, 'STOPPED');
  t.is(await codeOf(prover.verify(asked(stage(IRONWOOD, 'ready')))), 'none');
});

test('tampered PCZTs are refused, and the module goes on', async (t) => {
  const bytes = stageBytes(IRONWOOD, 'ready');
  const codes = new Set<string>();
  for (let at = 0; at < bytes.length; at += 17) {
    codes.add(
      await codeOf(prover.verify(bytes.map((byte, i) => (i === at ? byte ^ (1 << (at % 8)) : byte)))),
    );
    codes.add(await codeOf(prover.verify(bytes.slice(0, at))));
  }
  t.deepEqual([...codes].sort(), ['INVALID_PCZT', 'none']);
});

test('Sapling proofs are refused as such', async (t) => {
  t.is(await codeOf(prover.prove(stageBytes('v6-sapling-sapling', 'ready'))), 'SAPLING');
});

test('a payment is proved, and one flipped bit of its proof is found', async (t) => {
  const ready = stage(IRONWOOD, 'ready');
  const proved = decodePczt(await prover.prove(asked(ready))).pczt;
  const returned = takeReturned(ready, proved);
  if (!returned.ok) return t.fail(JSON.stringify(returned.changes));
  t.true(isComplete(missingOf(combinePczts([returned.pczt, stage(IRONWOOD, 'signed')]))));
  await t.notThrowsAsync(prover.verify(encodePczt(returned.pczt, 2)));
  const wrong = encodePczt(flipped(returned.pczt, 'ironwood.zkproof'), 2);
  const other = stage('v6-nu7-ironwood-transparent', 'complete').ironwood.zkproof;
  const swapped = encodePczt(withField(returned.pczt, 'ironwood.zkproof', other), 2);
  t.is(await codeOf(prover.verify(wrong)), 'WRONG_PROOF');
  t.is(await codeOf(prover.verify(swapped)), 'WRONG_PROOF');
  // Nothing that was not verified is handed out.
  t.is(await codeOf(prover.prove(swapped)), 'WRONG_PROOF');
});

test('what cannot be proved is refused', async (t) => {
  const ready = stage(IRONWOOD, 'ready');
  t.is(
    await codeOf(
      prover.prove(encodePczt(withField(ready, 'ironwood.actions.0.spend.witness', undefined), 2)),
    ),
    'UNPROVABLE',
  );
});
