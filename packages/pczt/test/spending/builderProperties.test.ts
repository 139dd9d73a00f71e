// Whatever is proposed, the PCZT holds it: everybody can read what he is sent, the sender what he paid, and no note is spent
// but those that were chosen, each once.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { outgoingKeys } from '@wallet-companion/zcash/keys';
import { NOTE_SCHEMES, tryRecoverNote } from '@wallet-companion/zcash/notes';
import { ACTION_POOLS, isActionPool, POOLS } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import fc from 'fast-check';
import { splitChange } from '../../src/pczt/change.ts';
import { SpendingRefusal } from '../../src/spending/refusal.ts';
import { paymentCases, zip317 } from '../helpers/paymentArbitraries.ts';
import { build, incomingOf, keysOf, propose, signAll } from '../helpers/spendingAccount.ts';
import { leadBytes, noteNullifier, readOutputs, transmitted } from '../helpers/transmitted.ts';

const RUNS = Math.ceil(runs(20, 300, 'WALLET_COMPANION_PAYMENT_RUNS') / 5);

const described = (place: string, zatoshi: number | bigint, memo: Uint8Array): string =>
  `${place} ${zatoshi} ${bytesToHex(memo)}`;

const payee = incomingOf(1).filter(({ scope }) => scope === 'external');
const change = incomingOf(0).filter(({ scope }) => scope === 'internal');
const sender = outgoingKeys(keysOf(0), 0).filter(({ scope }) => scope === 'external');

test('every payment is read by its recipient and its sender, change by its owner, and nothing else is spent', (t) => {
  fc.assert(
    fc.property(paymentCases({ maxNotes: 4, maxPayments: 2, allConsents: true }), fc.nat(), (given, seed) => {
      const randomBytes = seededBytes(seed);
      let proposal: ReturnType<typeof propose>;
      try {
        proposal = propose(given);
      } catch (error) {
        if (error instanceof SpendingRefusal) return fc.pre(false);
        throw error;
      }
      const { pczt } = build(proposal, given.notes, randomBytes);
      const outputs = transmitted(pczt);
      const shielded = proposal.payments.filter(({ place }) => place !== 'transparent');

      const received = readOutputs(pczt, payee).map(({ pool, value, memo }) => described(pool, value, memo!));
      const paid = shielded.map(({ place, zatoshi, memo }) => described(place, zatoshi, memo!)).sort();
      t.deepEqual(received.sort(), paid);

      const recovered = outputs.flatMap((output) =>
        sender.flatMap(({ ovk }) => {
          const note = tryRecoverNote(NOTE_SCHEMES[output.pool], output, ovk, leadBytes(output.pool));
          return note ? [described(output.pool, note.plaintext.value, note.memo)] : [];
        }),
      );
      t.deepEqual(recovered.sort(), paid);

      const returned = readOutputs(pczt, change)
        .filter(({ value }) => value > 0n)
        .map(({ pool, value }) => `${pool} ${value}`);
      const { change: planned } = proposal;
      const values = planned ? splitChange(planned).filter((zatoshi) => zatoshi > 0) : [];
      t.deepEqual(returned.sort(), values.map((zatoshi) => `${planned!.pool} ${zatoshi}`).sort());

      const nullifiers = [
        ...pczt.sapling.spends.map((spend) => spend),
        ...ACTION_POOLS.flatMap((pool) => pczt[pool].actions.map(({ spend }) => spend)),
      ];
      const real = nullifiers
        .filter(({ value }) => value! > 0n)
        .map(({ nullifier }) => bytesToHex(nullifier));
      t.deepEqual(real.sort(), proposal.spends.map(noteNullifier).sort());
      t.is(new Set(nullifiers.map(({ nullifier }) => bytesToHex(nullifier))).size, nullifiers.length);

      const { sapling, transparent } = pczt;
      const bytes = transparent.outputs.reduce((sum, { scriptPubkey }) => sum + 9 + scriptPubkey.length, 0);
      const actions = ACTION_POOLS.reduce((sum, pool) => sum + pczt[pool].actions.length, 0);
      const excess = proposal.disclosures.find(({ consent }) => consent === 'unusual_fee')?.zatoshi ?? 0;
      t.is(zip317(actions, [sapling.spends.length, sapling.outputs.length], bytes) + excess, proposal.fee);
      const leaving = POOLS.reduce((sum, pool) => sum + pczt[pool].valueSum, 0n);
      const out = transparent.outputs.reduce((sum, { value }) => sum + value, 0n);
      t.is(leaving - out, BigInt(proposal.fee));
      for (const pool of POOLS) {
        const used = isActionPool(pool) ? pczt[pool].actions : [...sapling.spends, ...sapling.outputs];
        t.is(used.length === 0, proposal.valueBalances[pool] === undefined);
        t.is(pczt[pool].valueSum, BigInt(proposal.valueBalances[pool] ?? 0));
      }

      // Dummies and own zero notes apart, one signature a note.
      const { count } = signAll(pczt, randomBytes);
      const zeros = planned?.pool === 'orchard' ? 1 : 0;
      t.is(count, proposal.spends.length + zeros);
    }),
    { numRuns: RUNS },
  );
});
