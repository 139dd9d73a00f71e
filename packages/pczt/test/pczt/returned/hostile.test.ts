// Signers that send back something else than what they were given: each is refused, with a sentence of its own.
import test from 'ava';
import type { Pczt } from '../../../src/pczt/pczt.ts';
import { type ReturnChange, sentenceOf } from '../../../src/pczt/returned/changes.ts';
import { dummyKeyIn, takeReturned } from '../../../src/pczt/returned/returned.ts';
import {
  HOSTILE_SIGNERS,
  ironwood,
  madeAgain,
  onIronwood,
  PAYING_ACTION,
  sapling,
} from '../../helpers/hostileSigners.ts';
import { edited, flipped, stage, withField } from '../../helpers/pcztVectors.ts';

for (const { title, ours, signed, theirs, sentence, field, also = [] } of HOSTILE_SIGNERS) {
  test(`a signer that ${title} is refused`, (t) => {
    const honest = takeReturned(ours, signed);
    t.true(honest.ok && honest.taken.signatures.length > 0);
    const back = takeReturned(ours, theirs(signed));
    if (back.ok) return t.fail('it was taken');
    const sentences = back.changes.map((change) => sentenceOf(change));
    t.deepEqual(sentences, [sentence, ...also]);
    t.is(back.changes[0]!.field, field);
  });
}

test('different changes are reported as different kinds', (t) => {
  const kinds = HOSTILE_SIGNERS.map(({ ours, signed, theirs }) => {
    const back = takeReturned(ours, theirs(signed));
    return back.ok ? 'taken' : (back.changes[0] as ReturnChange).kind;
  });
  t.true(new Set(kinds).size >= 24, [...new Set(kinds)].join(' '));
});

test('a payment that was made again from changed fields is refused for what a person cares about', (t) => {
  const { ours, signed } = onIronwood;
  const back = takeReturned(
    ours,
    madeAgain(signed, (compact) =>
      edited(
        edited(compact, `${PAYING_ACTION}.output.value`, (value: bigint) => value + 7n),
        'ironwood.valueSum',
        (sum: bigint) => sum - 7n,
      ),
    ),
  );
  if (back.ok) return t.fail('it was taken');
  t.deepEqual(
    back.changes.map(({ kind }) => kind),
    ['amount', 'payment', 'fee', 'ciphertext', 'valueCommitment', 'valueBalance'],
  );
});

test('a prover that changed a field is named as the prover', (t) => {
  const back = takeReturned(ironwood!.ready, flipped(ironwood!.ready, 'ironwood.anchor'));
  if (back.ok) return t.fail('it was taken');
  t.is(sentenceOf(back.changes[0]!, 'The prover'), 'The prover changed the anchor of Ironwood.');
});

test('what ours leaves open, or says in a way of its own, is not for others to settle', (t) => {
  const { ready } = ironwood!;
  const firstOf = (ours: Pczt, theirs: Pczt): string => {
    const back = takeReturned(ours, theirs);
    return back.ok ? 'taken' : sentenceOf(back.changes[0]!);
  };
  const noAnchor = withField(ready, 'ironwood.anchor', undefined);
  t.is(firstOf(noAnchor, ready), 'The signer changed the anchor of Ironwood.');
  t.is(firstOf(ready, noAnchor), 'taken');
  const [unlocked, locked] = [undefined, 50_000].map((time) =>
    withField(ready, 'global.fallbackLockTime', time),
  ) as [Pczt, Pczt];
  t.is(firstOf(locked, unlocked), 'The signer changed from when on the transaction can be mined.');
  t.is(firstOf(unlocked, ready), 'taken');
  t.is(firstOf(ready, unlocked), 'taken');
  const entries = (...given: [string, number][]): Pczt =>
    withField(ready, 'global.proprietary', new Map(given.map(([key, n]) => [key, Uint8Array.of(n)])));
  const own = entries(['own', 1]);
  t.is(
    firstOf(own, entries(['own', 2], ['other', 1])),
    'The signer changed the information about the transaction: proprietary.',
  );
  t.is(firstOf(own, entries(['other', 2])), 'taken');
  t.is(firstOf(own, entries(['other', 2], ['own', 1])), 'taken');
});

test('the key of a dummy is found wherever it is', (t) => {
  t.is(dummyKeyIn(ironwood!.ready), undefined);
  const key = new Uint8Array(32).fill(7);
  const action = withField(ironwood!.ready, 'ironwood.actions.1.spend.dummySk', key);
  t.is(dummyKeyIn(action), 'ironwood.actions[1].spend.dummySk');
  t.is(dummyKeyIn(withField(sapling!.ready, 'sapling.spends.0.dummyAsk', key)), 'sapling.spends[0].dummyAsk');
  const back = takeReturned(ironwood!.ready, action);
  if (back.ok) return t.fail('it was taken');
  t.deepEqual(
    back.changes.map((change) => sentenceOf(change)),
    ['What came back holds a spending key, at spend 2 of Ironwood.'],
  );
});

test('nothing comes back for what never went out', (t) => {
  const { ready } = ironwood!;
  for (const ours of [
    stage('v6-ironwood-ironwood', 'created'),
    withField(ready, 'ironwood.bsk', undefined),
    withField(sapling!.ready, 'sapling.bsk', undefined),
    withField(ready, 'global.txModifiable', 0b1000_0000),
    withField(ready, 'ironwood.actions.0.spend.dummySk', new Uint8Array(32).fill(7)),
  ])
    t.throws(() => takeReturned(ours, ours), { instanceOf: RangeError });
});
