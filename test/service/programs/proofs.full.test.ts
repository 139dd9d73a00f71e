// The provers on payments of the vectors: what they prove is complete and right, what is wrong is refused, and no PCZT ends the
// process. In a clone without the module its tests are skipped.

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
import {
  createModuleProver,
  createOwnProver,
  type PcztProver,
  ProverError,
  proverIsBuilt,
  proverOfAll,
} from '@wallet-companion/prover';
import test, { type ExecutionContext } from 'ava';

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

const own = createOwnProver({ threads: 2 });
const module = proverIsBuilt() ? createModuleProver({ threads: 2 }) : undefined;
test.after.always(() => {
  own.close();
  module?.close();
});

function ofEach(title: string, body: (t: ExecutionContext, prover: PcztProver) => Promise<void>): void {
  test.serial(`own: ${title}`, (t) => body(t, own));
  if (module === undefined)
    test.skip(`module: ${title}: it was not built ("npm run build:prover")`, () => {});
  else test.serial(`module: ${title}`, (t) => body(t, module));
}

ofEach('a proof that is given up ends at once, and the next call begins anew', async (t, prover) => {
  const ready = asked(stage(IRONWOOD, 'ready'));
  t.is(await codeOf(prover.verify(ready)), 'none');
  const stop = new AbortController();
  const given = codeOf(prover.prove(ready, { signal: stop.signal }));
  setImmediate(() => stop.abort());
  t.is(await given, 'STOPPED');
  t.is(await codeOf(prover.verify(ready)), 'none');
});

ofEach('tampered PCZTs are refused, and the prover goes on', async (t, prover) => {
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

ofEach('a payment is proved, and one flipped bit of its proof is found', async (t, prover) => {
  const ready = stage(IRONWOOD, 'ready');
  const proved = decodePczt(await prover.prove(asked(ready))).pczt;
  const returned = takeReturned(ready, proved);
  if (!returned.ok) return t.fail(JSON.stringify(returned.changes));
  t.true(isComplete(missingOf(combinePczts([returned.pczt, stage(IRONWOOD, 'signed')]))));
  for (const verifier of [own, module])
    await t.notThrowsAsync(async () => verifier?.verify(encodePczt(returned.pczt, 2)));
  const wrong = encodePczt(flipped(returned.pczt, 'ironwood.zkproof'), 2);
  const other = stage('v6-nu7-ironwood-transparent', 'complete').ironwood.zkproof;
  const swapped = encodePczt(withField(returned.pczt, 'ironwood.zkproof', other), 2);
  t.is(await codeOf(prover.verify(wrong)), 'WRONG_PROOF');
  t.is(await codeOf(prover.verify(swapped)), 'WRONG_PROOF');
  // What was not verified is not handed out.
  t.is(await codeOf(prover.prove(swapped)), 'WRONG_PROOF');
});

ofEach('what cannot be proved is refused', async (t, prover) => {
  const ready = stage(IRONWOOD, 'ready');
  const without = withField(ready, 'ironwood.actions.0.spend.witness', undefined);
  t.is(await codeOf(prover.prove(encodePczt(without, 2))), 'UNPROVABLE');
});

test.serial('actions are proved here, and Sapling by another prover where there is one', async (t) => {
  const sapling = stageBytes('v6-sapling-sapling', 'ready');
  t.is(await codeOf(proverOfAll(own, undefined).prove(sapling)), 'SAPLING');
  const given: Pczt[] = [];
  const other: PcztProver = {
    prove: async (pczt) => {
      given.push(decodePczt(pczt).pczt);
      return new Uint8Array(pczt);
    },
    verify: async () => undefined,
    close: () => undefined,
  };
  const both = proverOfAll(own, other);
  await both.prove(sapling);
  await both.prove(asked(stage('v6-orchard-ironwood', 'ready')));
  t.deepEqual(given, [decodePczt(sapling).pczt]);
  const mixed = decodePczt(await both.prove(encodePczt(withSapling(stage(IRONWOOD, 'ready')), 2))).pczt;
  t.deepEqual(mixed, given[1]);
  t.deepEqual(
    missingOf(mixed).proofs.map(({ pool }) => pool),
    ['sapling'],
  );
});

const withSapling = (pczt: Pczt): Pczt => ({
  ...pczt,
  sapling: stage('v6-sapling-sapling', 'ready').sapling,
});
