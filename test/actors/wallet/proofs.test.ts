// Proofs from a prover that is not trusted: it sees what it needs, and of its answer proofs alone are taken.

import test from 'ava';
import { lacksProofs, withProofs } from '../../../src/actors/wallet/payments/proofs.ts';
import type { Prover } from '../../../src/actors/wallet/ports/prover.ts';
import { CompanionError } from '../../../src/protocol/errors.ts';
import { decodePczt, encodePczt } from '../../../src/shielded/pczt/codec.ts';
import type { Pczt } from '../../../src/shielded/pczt/pczt.ts';
import { edited, flipped, optionalPaths, stage, withField } from '../../helpers/pcztVectors.ts';

const CASE = 'v6-ironwood-ironwood';
const PROOF = new Uint8Array(2720 + 2272 * 2).fill(9);

/** Answers with what it makes of what it was given. */
function proverThat(makes: (asked: Pczt) => Pczt | Uint8Array): Prover & { asked: Pczt | undefined } {
  const prover: Prover & { asked: Pczt | undefined } = {
    asked: undefined,
    async prove(bytes) {
      prover.asked = decodePczt(bytes).pczt;
      bytes.fill(0);
      const made = makes(prover.asked);
      return made instanceof Uint8Array ? made : new Uint8Array(encodePczt(made, 2));
    },
  };
  return prover;
}

const proving = (asked: Pczt): Pczt => withField(asked, 'ironwood.zkproof', PROOF);

async function refusal(pczt: Pczt, prover: Prover): Promise<[string, string]> {
  try {
    await withProofs(pczt, prover);
  } catch (error) {
    if (error instanceof CompanionError) return [error.code, error.message];
    throw error;
  }
  return ['none', ''];
}

test('the PCZT as it was, and its proofs', async (t) => {
  for (const which of ['ready', 'signed']) {
    const pczt = stage(CASE, which);
    t.true(lacksProofs(pczt));
    const proved = await withProofs(pczt, proverThat(proving));
    t.deepEqual(proved, withField(pczt, 'ironwood.zkproof', PROOF));
    t.false(lacksProofs(proved));
  }
  const whole = stage(CASE, 'proved');
  t.is(
    await withProofs(
      whole,
      proverThat(() => t.fail() as never),
    ),
    whole,
  );
  const sapling = stage('v6-sapling-sapling', 'complete');
  t.false(lacksProofs(sapling));
});

test('the prover is shown neither who is paid, nor which keys sign, nor keys of padding', async (t) => {
  const prover = proverThat(proving);
  await withProofs(stage(CASE, 'created'), prover);
  const shown = optionalPaths(prover.asked!).map((path) => path.split('.').at(-1));
  for (const hidden of ['userAddress', 'ock', 'zip32Derivation', 'dummySk'])
    t.false(shown.includes(hidden), hidden);
  for (const needed of ['fvk', 'witness', 'alpha', 'rcv', 'rseed', 'rho', 'recipient', 'value', 'anchor'])
    t.true(shown.includes(needed), needed);
  for (const { spend } of prover.asked!.ironwood.actions) t.is(spend.dummySk, undefined);
});

test('of an answer that adds more than proofs, proofs alone are taken', async (t) => {
  const pczt = withField(stage(CASE, 'ready'), 'ironwood.actions.1.spend.spendAuthSig', undefined);
  const withMore = (asked: Pczt): Pczt =>
    withField(
      withField(proving(asked), 'ironwood.actions.0.output.userAddress', 'uattacker'),
      'ironwood.actions.1.spend.spendAuthSig',
      new Uint8Array(64).fill(3),
    );
  const proved = await withProofs(pczt, proverThat(withMore));
  t.deepEqual(proved, withField(pczt, 'ironwood.zkproof', PROOF));
});

test('an answer that says something else is refused', async (t) => {
  const pczt = stage(CASE, 'ready');
  const other = 'The prover wrote something else than the PCZT that it was given.';
  for (const [why, makes, says] of [
    ['no PCZT', () => new Uint8Array(Buffer.from('panicked')), other],
    ['nothing', () => new Uint8Array(0), other],
    ['half of it', (asked) => encodePczt(proving(asked), 2).slice(0, 5000), other],
    ['another expiry', (asked) => withField(proving(asked), 'global.expiryHeight', 5), other],
    ['another note', (asked) => flipped(proving(asked), 'ironwood.actions.0.output.cmx'), other],
    ['another transaction', () => stage('v6-orchard-change-in-orchard', 'ready'), other],
    ['another anchor', (asked) => flipped(proving(asked), 'ironwood.anchor'), other],
    ['no proof', (asked) => asked, 'The prover left proofs out.'],
    [
      'a short proof',
      (asked) => withField(asked, 'ironwood.zkproof', PROOF.subarray(1)),
      'The prover wrote a proof of another length.',
    ],
  ] satisfies [string, (asked: Pczt) => Pczt | Uint8Array, string][])
    t.deepEqual(await refusal(pczt, proverThat(makes)), ['PROVER_FAILED', says], why);
});

test('a Sapling spend that nobody but the signer can prove is said before anybody is asked', async (t) => {
  const pczt = stage('v6-sapling-sapling', 'ready');
  const nobody = proverThat(() => t.fail() as never);
  const [code, detail] = await refusal(
    edited(pczt, 'sapling.spends.0', (spend: object) => ({ ...spend, proofGenerationKey: undefined })),
    nobody,
  );
  t.is(code, 'PROOF_NEEDS_SIGNER');
  t.regex(detail, /^A Sapling spend needs a key for the proof that only the signer has: /);
  // With it, or with the proof itself, nothing stands in the way.
  const key = { ak: new Uint8Array(32).fill(1), nsk: new Uint8Array(32).fill(2) };
  for (const has of [{ proofGenerationKey: key }, { zkproof: new Uint8Array(192) }]) {
    const given = edited(pczt, 'sapling.spends.0', (spend: object) => ({ ...spend, ...has }));
    t.deepEqual(
      await refusal(
        given,
        proverThat((asked) => asked),
      ),
      ['PROVER_FAILED', 'The prover left proofs out.'],
    );
  }
});
