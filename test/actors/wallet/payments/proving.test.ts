// What the prover is shown, what is taken of its answer, and that nothing else waits for it.

import { decodePczt, encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { withFillerProofs, withProofKeys } from '@wallet-companion/pczt/test/completion';
import { PARAMS, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import test from 'ava';
import { Proving } from '../../../../src/actors/wallet/payments/proving.ts';
import { Returns } from '../../../../src/actors/wallet/payments/returned.ts';
import type { Prover } from '../../../../src/actors/wallet/ports/signing.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import type { Output } from '../../../../src/protocol/operations.ts';
import { failureOf } from '../../../helpers/failureOf.ts';
import { IRONWOOD, paymentBed, SAPLING } from '../../../helpers/keptPaymentBed.ts';
import { noProver } from '../../../helpers/noPrograms.ts';

type Bed = ReturnType<typeof paymentBed>;

/** Answers with what it makes of a PCZT. */
const proverThat = (make: (asked: Pczt) => Pczt | Uint8Array | Promise<Pczt>): Prover => ({
  ...noProver,
  prove: async (bytes) => {
    const made = await make(decodePczt(bytes.slice()).pczt);
    bytes.fill(0);
    return made instanceof Uint8Array ? made : encodePczt(made, 2);
  },
});
const honest = (bed: Bed) => proverThat((asked) => withFillerProofs(asked, bed.randomBytes));

const proving = (bed: Bed, prover: Prover, more: object = {}): Promise<Output<'payments.prove'>> => {
  bed.environment.prover = prover;
  const context = bed as unknown as ConstructorParameters<typeof Proving>[0];
  return new Proving(context, new Returns(bed.payments)).prove(bed.session, { payment_id: bed.id, ...more });
};

test('proofs are durable when they are counted, before or after the signatures', async (t) => {
  for (const isSigned of [false, true]) {
    const bed = paymentBed();
    if (isSigned) bed.keep(bed.signed);
    const view = await proving(bed, honest(bed));
    t.is(view.proofs_added, 1);
    t.is(view.status, isSigned ? 'complete' : 'prepared');
    t.deepEqual(bed.pczt.ironwood.zkproof?.length, 2720 + 2272 * 2);
    t.is(bed.disk.writes, 1);
    const again = await proving(
      bed,
      proverThat(() => t.fail('it is asked for nothing') as never),
    );
    t.is(again.proofs_added, 0);
  }
});

test('who asks again for proofs that are being made gets those, and sees since when', async (t) => {
  const bed = paymentBed();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let runs = 0;
  bed.environment.prover = proverThat(async (asked) => {
    runs += 1;
    await held;
    return withFillerProofs(asked, bed.randomBytes);
  });
  const context = bed as unknown as ConstructorParameters<typeof Proving>[0];
  const work = new Proving(context, new Returns(bed.payments));
  const ask = () => work.prove(bed.session, { payment_id: bed.id });
  const since = () => bed.payments.view(bed.session, bed.stored).proving_since;
  t.is(since(), null);
  const both = [ask(), ask()];
  t.is(since(), '2023-11-14T22:13:20.000Z');
  release();
  for (const view of await Promise.all(both)) t.like(view, { proofs_added: 1, proving_since: null });
  t.is(runs, 1);

  bed.keep(bed.ready);
  const failing = proverThat(() => Promise.reject(new CompanionError('PROVER_FAILED', 'no')));
  bed.environment.prover = failing;
  const refusals = await Promise.all([failureOf(ask()), failureOf(ask())]);
  t.deepEqual(
    refusals.map(({ code }) => code),
    ['PROVER_FAILED', 'PROVER_FAILED'],
  );
  t.is(since(), null);
  bed.environment.prover = honest(bed);
  t.is((await ask()).proofs_added, 1);
});

test('the prover sees notes and keys, and neither whom a person typed nor whose seed signs', async (t) => {
  const bed = paymentBed();
  let seen: Pczt | undefined;
  await proving(
    bed,
    proverThat((asked) => {
      seen = asked;
      return withFillerProofs(asked, bed.randomBytes);
    }),
  );
  for (const { spend, output } of seen!.ironwood.actions) {
    t.is(spend.zip32Derivation, undefined);
    t.is(output.userAddress, undefined);
    t.is(output.ock, undefined);
  }
  t.true(
    seen!.ironwood.actions.every(({ spend }) => spend.alpha !== undefined && spend.witness !== undefined),
  );
  // And ours keeps what it was not shown.
  t.true(bed.pczt.ironwood.actions.some(({ output }) => output.userAddress !== undefined));
});

test('an answer that says anything else is refused, and nothing of it is taken', async (t) => {
  const answers: readonly (readonly [(asked: Pczt, bed: Bed) => Pczt | Uint8Array, RegExp])[] = [
    [() => new Uint8Array(0), /^The prover wrote something that is no PCZT\. Nothing of it was taken\.$/],
    [() => new TextEncoder().encode('Error: no'), /is no PCZT/],
    [(asked) => asked, /^The prover left proofs out/],
    [
      (asked, bed) => {
        const proved = withFillerProofs(asked, bed.randomBytes);
        const global = { ...proved.global, expiryHeight: proved.global.expiryHeight + 1 };
        return { ...proved, global };
      },
      /^The prover changed until when the transaction can be mined\. Nothing of it was taken\.$/,
    ],
    [
      (asked) => ({ ...asked, ironwood: { ...asked.ironwood, zkproof: new Uint8Array(100) } }),
      /^The proof of Ironwood does not have the length of one/,
    ],
    [() => paymentBed(SAPLING).complete, /another transaction/],
  ];
  for (const [make, sentence] of answers) {
    const bed = paymentBed();
    const kept = bed.stored;
    const error = await failureOf(
      proving(
        bed,
        proverThat((asked) => make(asked, bed)),
      ),
    );
    t.is(error.code, 'PROVER_FAILED');
    t.regex(error.message, sentence);
    t.deepEqual(bed.stored, kept);
  }
});

test('Sapling’s proof waits for the signer’s key', async (t) => {
  const bed = paymentBed(SAPLING);
  const early = await failureOf(proving(bed, honest(bed)));
  t.is(early.code, 'PAYMENT_STATE');
  t.regex(
    early.message,
    /^A Sapling spend needs a key for the proof that only the signer has: it goes there first/,
  );
  bed.keep(withProofKeys(bed.signed, deriveSigningKeys(SEED, PARAMS, 0)));
  const view = await proving(bed, honest(bed));
  t.is(view.status, 'complete');
  t.is(view.proofs_added, 4);
});

test('what the prover rejects with is answered', async (t) => {
  const bed = paymentBed();
  for (const code of ['NO_PROVER', 'PROVER_FAILED', 'BUSY'] as const) {
    const prover: Prover = {
      ...noProver,
      prove: async () => {
        throw new CompanionError(code, 'So it is.');
      },
    };
    t.is((await failureOf(proving(bed, prover))).code, code);
  }
  t.is(bed.disk.writes, 0);
});

test('what is over, or was sent, is not proved', async (t) => {
  const bed = paymentBed();
  const never = proverThat(() => t.fail('nobody is asked') as never);
  for (const fate of [{ top: 141 }, { conflict: true }, { mined: 120, top: 120 }]) {
    Object.assign(bed.fate, { mined: undefined, conflict: false, top: undefined }, fate);
    t.is((await failureOf(proving(bed, never))).code, 'PAYMENT_STATE');
  }
  Object.assign(bed.fate, { mined: undefined, top: undefined, inMempool: true });
  t.is((await failureOf(proving(bed, never))).code, 'PAYMENT_STATE');
});

test('signatures that come meanwhile are kept, and so is a lock', async (t) => {
  const bed = paymentBed();
  const view = await proving(
    bed,
    proverThat((asked) => {
      bed.keep(bed.signed);
      return withFillerProofs(asked, bed.randomBytes);
    }),
  );
  t.is(view.status, 'complete');
  const locked = paymentBed(IRONWOOD);
  const kept = locked.stored;
  const error = await failureOf(
    proving(
      locked,
      proverThat((asked) => {
        locked.sessions.current = undefined;
        return withFillerProofs(asked, locked.randomBytes);
      }),
    ),
  );
  t.is(error.code, 'WALLET_LOCKED');
  t.deepEqual(locked.stored, kept);
});

const REPLACE = { replace: true } as const;
const signaturesIn = ({ ironwood }: Pczt) => ironwood.actions.map(({ spend }) => spend.spendAuthSig);

test('a proof that is there is made again where the caller says so, and signatures stay', async (t) => {
  const bed = paymentBed();
  const refused = { at: 1, source: 'node', detail: 'no', transaction: '00' } as const;
  bed.keep(bed.complete, { kind: 'unsent', refused });
  t.is((await proving(bed, honest(bed))).proofs_added, 0);
  const shown: (Uint8Array | undefined)[] = [];
  const prover = proverThat((asked) => {
    shown.push(asked.ironwood.zkproof);
    return withFillerProofs(asked, bed.randomBytes);
  });
  const view = await proving(bed, prover, REPLACE);
  t.deepEqual(shown, [undefined], 'a prover leaves alone what it finds');
  t.like(view, { status: 'complete', proofs_added: 1, anchored_again: false });
  t.notDeepEqual(bed.pczt.ironwood.zkproof, bed.complete.ironwood.zkproof);
  t.deepEqual(signaturesIn(bed.pczt), signaturesIn(bed.complete));
  t.like(bed.stored.state, { kind: 'unsent', refused: { detail: 'no', transaction: null } });
});

test('the proof that is there stays until there is another one', async (t) => {
  const bed = paymentBed();
  bed.keep(bed.complete);
  const kept = bed.stored;
  const provers: readonly [Prover, RegExp][] = [
    [proverThat((asked) => asked), /^The prover left proofs out/],
    [proverThat(() => new Uint8Array(9)), /no PCZT/],
    [noProver, /Nobody makes proofs here/],
  ];
  for (const [prover, sentence] of provers) {
    t.regex((await failureOf(proving(bed, prover, REPLACE))).message, sentence);
    t.is(bed.stored, kept);
  }
});

test('what was sent is not proved again: another version of it might be in a block', async (t) => {
  const bed = paymentBed();
  bed.keep(bed.complete, { kind: 'sent', at: 1, source: 'node', transaction: '00', outcome: 'unanswered' });
  const never = proverThat(() => t.fail('nobody is asked') as never);
  const error = await failureOf(proving(bed, never, REPLACE));
  t.is(error.code, 'PAYMENT_STATE');
  t.regex(error.message, /^The payment was sent, and nothing of it is changed any more\.$/);
});

test('proofs of nothing are refused, from a program and from who returns a PCZT, and leave nothing behind', async (t) => {
  const bed = paymentBed();
  bed.config.verify_regtest_proofs = true;
  const made = await failureOf(proving(bed, honest(bed)));
  t.is(made.code, 'PROVER_FAILED');
  t.regex(made.message, /the proof of Ironwood is wrong.*Nothing of it was taken.*proved again/);
  const pczt = Buffer.from(encodePczt(bed.complete, 2)).toString('base64');
  const returned = await failureOf(
    new Returns(bed.payments).combine(bed.session, { payment_id: bed.id, pczt }),
  );
  t.is(returned.code, 'PCZT_CHANGED');
  t.regex(returned.message, /came back as the proof of Ironwood is wrong/);
  t.is(bed.pczt.ironwood.zkproof, undefined);
  t.is(bed.disk.writes, 0);
});

test('a proof that was kept wrong before neither hinders new ones nor is blamed on their maker', async (t) => {
  const bed = paymentBed(SAPLING);
  const ready = withProofKeys(bed.signed, deriveSigningKeys(SEED, PARAMS, 0));
  const { zkproof } = withFillerProofs(ready, bed.randomBytes).ironwood;
  bed.keep({ ...ready, ironwood: { ...ready.ironwood, zkproof } });
  bed.config.verify_regtest_proofs = true;
  const view = await proving(bed, honest(bed));
  t.is(view.status, 'complete');
  t.is(view.proofs_added, 3);
  t.deepEqual(bed.pczt.ironwood.zkproof, zkproof);
});
