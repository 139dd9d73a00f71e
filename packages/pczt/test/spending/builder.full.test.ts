// Whole payments, from notes to a PCZT that its own inspection, the IO Finalizer's rules and the Extractor agree with.

import { ACTION_POOLS } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { splitChange } from '../../src/pczt/change.ts';
import { decodePczt } from '../../src/pczt/codec.ts';
import { inspectPczt } from '../../src/pczt/inspect.ts';
import { extractPczt } from '../../src/pczt/signatures.ts';
import { withFillerProofs } from '../helpers/completion.ts';
import {
  build,
  incomingOf,
  madeUpNotes,
  PARAMS,
  payTo,
  signAll,
  TARGET_HEIGHT,
} from '../helpers/spendingAccount.ts';
import { STORIES, type Story } from '../helpers/spendingStories.ts';

const memoBytes = (text: string | undefined) =>
  text === undefined ? undefined : new TextEncoder().encode(text);

function prepared(story: Story, seed: number) {
  const randomBytes = seededBytes(seed);
  const notes = madeUpNotes(story.notes, randomBytes);
  const proposal = payTo(story.address, story.zatoshi, notes, story.options, memoBytes(story.memo));
  return { notes, proposal, randomBytes, built: build(proposal, notes, randomBytes) };
}

for (const [i, story] of STORIES.entries()) {
  test(`${story.name}: what is built is what was proposed`, (t) => {
    const { proposal, built, randomBytes } = prepared(story, i + 1);
    t.is(proposal.fee, story.fee);
    t.deepEqual(proposal.change, story.change);
    t.is(proposal.payments[0]!.zatoshi, story.sent);
    t.deepEqual(decodePczt(built.bytes), { encoding: 2, pczt: built.pczt });

    const seen = inspectPczt(built.pczt, {
      params: PARAMS,
      tipHeight: TARGET_HEIGHT - 1,
      ownKeys: incomingOf(0),
    });
    t.deepEqual(seen.warnings, []);
    t.is(seen.fee, BigInt(story.fee));
    t.is(seen.conventionalFee, BigInt(story.fee));
    t.is(
      [...seen.missing.signatures.values()].reduce((sum, count) => sum + count, 0),
      story.signatures,
    );
    const payments = seen.outputs.filter(({ role }) => role === 'payment');
    t.deepEqual(
      payments.map(({ userAddress, amount, isVerified }) => ({ userAddress, amount, isVerified })),
      [{ userAddress: story.address, amount: BigInt(story.sent), isVerified: true }],
    );
    const [{ memo }] = payments as [(typeof payments)[0]];
    t.is(memo?.kind === 'text' ? memo.text : undefined, story.memo);
    const change = seen.outputs.filter(({ role }) => role === 'change');
    t.deepEqual(
      change.map(({ place, amount, owner }) => [place, Number(amount), owner]).toSorted(),
      (story.change ? splitChange(story.change) : [])
        .map((zatoshi) => [story.change!.pool, zatoshi, 'internal'])
        .toSorted(),
    );
    t.true(
      [...seen.outputs, ...seen.spends.filter(({ place }) => place !== 'sapling')].every(
        (one) => one.isVerified,
      ),
    );
    t.deepEqual(
      seen.becomesPublic.valueBalances.map(({ pool, amount }) => [pool, Number(amount)]),
      Object.entries(proposal.valueBalances),
    );

    const { pczt: signed, count } = signAll(built.pczt, randomBytes);
    t.is(count, story.signatures);
    const extracted = extractPczt(withFillerProofs(signed, randomBytes), randomBytes);
    t.true(extracted.ok);
    if (!extracted.ok) return;
    t.is(extracted.fee, BigInt(story.fee));
    t.deepEqual(extracted.txid, built.txid);
  });
}

test('no key of a dummy leaves, and every spend without a signature says whose it is', (t) => {
  for (const [i, story] of STORIES.entries()) {
    const { pczt } = prepared(story, i + 100).built;
    for (const pool of ACTION_POOLS) {
      for (const { spend } of pczt[pool].actions) {
        t.is(spend.dummySk, undefined);
        t.is(spend.spendAuthSig === undefined, spend.zip32Derivation !== undefined);
      }
    }
    for (const spend of pczt.sapling.spends) t.not(spend.zip32Derivation, undefined);
  }
});
