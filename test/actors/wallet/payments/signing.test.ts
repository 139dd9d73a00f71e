// What a signer program is shown, what is taken of its answer, and that a hostile one gets nowhere.

import { decodePczt, encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { withFillerProofs, withProofKeys } from '@wallet-companion/pczt/test/completion';
import { builtStories } from '@wallet-companion/pczt/test/returnedStories';
import { PARAMS, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import test from 'ava';
import { Returns } from '../../../../src/actors/wallet/payments/returned.ts';
import { Signing } from '../../../../src/actors/wallet/payments/signing.ts';
import type { Signer } from '../../../../src/actors/wallet/ports/signing.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import type { Output } from '../../../../src/protocol/operations.ts';
import { failureOf } from '../../../helpers/failureOf.ts';
import { paymentBed, SAPLING } from '../../../helpers/keptPaymentBed.ts';

type Bed = ReturnType<typeof paymentBed>;
type Code = 'SIGNER_FAILED' | 'PCZT_CHANGED';

const signerThat = (make: (asked: Pczt) => Pczt | Uint8Array): Signer => ({
  sign: async (bytes) => {
    const made = make(decodePczt(bytes.slice()).pczt);
    bytes.fill(0);
    return made instanceof Uint8Array ? made : encodePczt(made, 2);
  },
});

const signing = (bed: Bed, make: (asked: Pczt) => Pczt | Uint8Array): Promise<Output<'payments.sign'>> => {
  bed.environment.signer = signerThat(make);
  const signing = new Signing(bed.anchoring, new Returns(bed.payments));
  return signing.sign(bed.session, bed.id, () => signing.byProgram(bed.session, bed.id));
};

const textOf = (answer: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(answer));

/** As a device with commands of its own gives them. */
const signaturesOf = ({ signed }: Bed) =>
  signed.ironwood.actions.flatMap(({ spend }, index) =>
    spend.value === 0n
      ? []
      : [{ pool: 'ironwood', index, signature: Buffer.from(spend.spendAuthSig!).toString('hex') }],
  );

test('signatures are durable when they are counted, as a PCZT or alone, before or after the proofs', async (t) => {
  for (const isProved of [false, true])
    for (const answer of [
      (bed: Bed) => bed.signed,
      (bed: Bed) => textOf({ signatures: signaturesOf(bed) }),
    ]) {
      const bed = paymentBed();
      if (isProved) bed.keep(withFillerProofs(bed.ready, bed.randomBytes));
      const view = await signing(bed, () => answer(bed));
      t.is(view.signatures_added, signaturesOf(bed).length);
      t.is(view.status, isProved ? 'complete' : 'prepared');
      t.deepEqual(
        view.missing.map(({ signatures }) => signatures),
        isProved ? [] : [0],
      );
      t.is(bed.disk.writes, 1);
      const again = await signing(bed, () => t.fail('it is asked for nothing') as never);
      t.is(again.signatures_added, 0);
    }
});

test('the signer sees what it shows a person, and no witness', async (t) => {
  const bed = paymentBed();
  let seen: Pczt | undefined;
  await signing(bed, (asked) => {
    seen = asked;
    return bed.signed;
  });
  t.true(seen!.ironwood.actions.every(({ spend }) => spend.witness === undefined));
  t.true(seen!.ironwood.actions.some(({ output }) => output.userAddress !== undefined));
  t.true(seen!.ironwood.actions.every(({ spend }) => spend.alpha !== undefined));
});

test('an answer that is another thing is refused, and nothing of it is taken', async (t) => {
  const one = (bed: Bed, change: object) => textOf({ signatures: [{ ...signaturesOf(bed)[0], ...change }] });
  const answers: readonly (readonly [(asked: Pczt, bed: Bed) => Pczt | Uint8Array, Code, RegExp])[] = [
    [() => new Uint8Array(0), 'SIGNER_FAILED', /neither a PCZT nor signatures\. Nothing of it was taken\.$/],
    [() => new TextEncoder().encode('Error: no'), 'SIGNER_FAILED', /neither a PCZT nor signatures/],
    [() => new TextEncoder().encode('{"signatures": ['), 'SIGNER_FAILED', /neither a PCZT/],
    [() => textOf({ signatures: [], more: 1 }), 'SIGNER_FAILED', /neither a PCZT/],
    [(_, bed) => one(bed, { index: 99 }), 'SIGNER_FAILED', /neither a PCZT/],
    [(_, bed) => one(bed, { pool: 'sapling' }), 'SIGNER_FAILED', /neither a PCZT/],
    [(_, bed) => one(bed, { signature: 'ab' }), 'SIGNER_FAILED', /neither a PCZT/],
    [(_, bed) => one(bed, { signature: 'ab'.repeat(64) }), 'PCZT_CHANGED', /is not one of this transaction/],
    [(asked) => asked, 'SIGNER_FAILED', /^The signer gave the payment back without a signature/],
    [() => textOf({ signatures: [] }), 'SIGNER_FAILED', /without a signature/],
    [
      (_, { signed }) => ({
        ...signed,
        global: { ...signed.global, expiryHeight: signed.global.expiryHeight + 1 },
      }),
      'PCZT_CHANGED',
      /^The signer changed until when the transaction can be mined\. Nothing of it was taken\.$/,
    ],
    [() => builtStories(SAPLING)[0]!.signed, 'PCZT_CHANGED', /another transaction/],
  ];
  for (const [make, code, sentence] of answers) {
    const bed = paymentBed();
    const kept = bed.stored;
    const error = await failureOf(signing(bed, (asked) => make(asked, bed)));
    t.is(error.code, code);
    t.regex(error.message, sentence);
    t.deepEqual(bed.stored, kept);
  }
});

test('a Sapling payment goes to the signer for the key of its proof too', async (t) => {
  const bed = paymentBed(SAPLING);
  bed.keep(bed.signed);
  const view = await signing(bed, () => withProofKeys(bed.signed, deriveSigningKeys(SEED, PARAMS, 0)));
  t.like(view.missing[0], { pool: 'sapling', signatures: 0, signer_keys: false });
});

test('what the signer rejects with is answered, and what is over is not signed', async (t) => {
  const bed = paymentBed();
  for (const code of ['NO_SIGNER', 'SIGNER_FAILED', 'BUSY'] as const)
    t.is(
      (
        await failureOf(
          signing(bed, () => {
            throw new CompanionError(code, 'So it is.');
          }),
        )
      ).code,
      code,
    );
  Object.assign(bed.fate, { conflict: true });
  t.is((await failureOf(signing(bed, () => bed.signed))).code, 'PAYMENT_STATE');
  t.is(bed.disk.writes, 0);
});

test('proofs that come meanwhile are kept, and so is a lock', async (t) => {
  const bed = paymentBed();
  const view = await signing(bed, () => {
    bed.keep(withFillerProofs(bed.ready, bed.randomBytes));
    return bed.signed;
  });
  t.is(view.status, 'complete');
  const locked = paymentBed();
  const kept = locked.stored;
  const error = await failureOf(
    signing(locked, () => {
      locked.sessions.current = undefined;
      return locked.signed;
    }),
  );
  t.is(error.code, 'WALLET_LOCKED');
  t.deepEqual(locked.stored, kept);
});
