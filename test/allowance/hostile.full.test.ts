// A companion that was taken over asks an allowance signer for whatever it likes: crafted and damaged PCZTs, replays, change that goes
// elsewhere, many small payments, with the clock moved, kills at each write and older files put back. What was signed is read by a
// reader that shares nothing with the signer, and summed.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runs } from '@wallet-companion/base/test/atLength';
import { randomNumbers } from '@wallet-companion/base/test/randomNumbers';
import { decodePczt, encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { effectsOfPczt } from '@wallet-companion/pczt/pcztRoles';
import { madeAgainWith } from '@wallet-companion/pczt/test/hostileSigners';
import { mutated } from '@wallet-companion/pczt/test/pcztMutations';
import { edited } from '@wallet-companion/pczt/test/pcztVectors';
import {
  orchardAddress,
  receiverOf,
  saplingAddress,
  unifiedAddress,
} from '@wallet-companion/pczt/test/spendingAccount';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { txidOfEffects } from '@wallet-companion/zcash/signing';
import test from 'ava';
import { DAY_MS, MONTH_MS } from '../../src/allowance/policy.ts';
import {
  createSigner,
  type MadePayment,
  makePayment,
  POLICY,
  SettableClocks,
  START,
  startSigner,
  takenBy,
  ZEC,
} from '../helpers/allowanceBed.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const RUNS = runs(300, 600, 'WALLET_COMPANION_HOSTILE_RUNS');
const SEED = Number(process.env['WALLET_COMPANION_HOSTILE_SEED'] ?? 1);

const random = randomNumbers(SEED);
const below = (end: number): number => Math.floor(random() * end);
const oneOf = <T>(all: readonly T[]): T => all[below(all.length)]!;

const crossing = { options: { consents: ['crossing_pools'] } } as const;
/** Beyond the policy, within it, and many small ones. */
const PAYMENTS: readonly MadePayment[] = [
  ...[0.4, 0.5, 0.7, 0.9].flatMap((zec) =>
    Array.from({ length: 3 }, () => makePayment({ zatoshi: zec * ZEC })),
  ),
  ...Array.from({ length: 10 }, () => makePayment({ zatoshi: 1 + below(ZEC / 5) })),
  makePayment({ zatoshi: ZEC }),
  makePayment({ zatoshi: 40 * ZEC }),
  makePayment({ to: orchardAddress(2) }),
  makePayment({ to: saplingAddress(), ...crossing }),
  makePayment({ to: saplingAddress(), pool: 'sapling' }),
  makePayment({ pool: 'orchard', to: unifiedAddress(), ...crossing }),
];
const NOTES = PAYMENTS.flatMap(({ notes }) => notes);
const STRANGERS = [receiverOf('ironwood', 2, 'internal'), receiverOf('ironwood', 0, 'external')];

/** What a hostile companion makes of a payment. */
const CRAFTS: readonly ((pczt: Pczt) => Pczt)[] = [
  (pczt) => madeAgainWith(pczt, `ironwood.actions.${below(2)}`, 'recipient', oneOf(STRANGERS)),
  (pczt) => madeAgainWith(pczt, `ironwood.actions.${below(2)}`, 'value', BigInt(below(ZEC))),
  (pczt) => edited(pczt, 'ironwood.valueSum', (sum: bigint) => sum + BigInt(below(ZEC))),
  (pczt) => edited(pczt, `ironwood.actions.${below(2)}.spend.value`, () => 0n),
  (pczt) => edited(pczt, `ironwood.actions.${below(2)}.output.value`, () => undefined),
  (pczt) => edited(pczt, 'global.expiryHeight', () => below(2 ** 32)),
  (pczt) => ({ ...pczt, ironwood: oneOf(PAYMENTS).pczt.ironwood }),
];

/** Of the clock at each start: a start believes one that is ahead of what it was at the start before. */
const BEHIND = below(40) * DAY_MS;

const txidOf = (pczt: Pczt): string => txIdToHex(txidOfEffects(effectsOfPczt(pczt)));

function request(): Uint8Array {
  const { pczt, bytes } = oneOf(PAYMENTS);
  const way = below(4);
  if (way < 2) return bytes;
  if (way === 2) return mutated(bytes, [{ do: 'flip', at: below(1_000_000), bit: below(8) }]);
  try {
    return encodePczt(oneOf(CRAFTS)(pczt), 2);
  } catch {
    // It is a payment from another pool.
    return bytes;
  }
}

test('whatever is asked for, what was signed stays within the policy', async (t) => {
  const folder = temporaryFolder(t);
  await createSigner(folder);
  const clocks = new SettableClocks();
  const journalFile = path.join(folder, 'journal.sealed');
  const counterFile = path.join(folder, 'counter.sealed');
  const start = () =>
    startSigner(folder, clocks, async (write) => {
      const kill = below(8);
      const counter = readFileSync(counterFile);
      if (kill > 0) {
        await write();
        written = clocks.elapsed();
      }
      if (kill === 1) writeFileSync(counterFile, counter);
      if (kill < 3) throw new Error('killed');
    });
  let written: number | undefined;
  let running = await start();
  /** When each was first written down: its signature may leave later, where a kill came between. */
  const at = new Map<string, number>();
  const signed = new Map<string, { readonly at: number; readonly taken: bigint }>();
  const counts = { signed: 0, refused: 0, waits: 0, killed: 0, putBack: 0 };
  let older = { journal: readFileSync(journalFile), sequence: 0 };
  for (let run = 0; run < RUNS; run++) {
    if (below(3) === 0) clocks.pass(below(5 * 3_600_000));
    if (below(9) === 0) clocks.wall = START + clocks.elapsed() + (below(80) - 40) * DAY_MS;
    const bytes = request();
    written = undefined;
    try {
      const answer = await running.signer.answer(bytes);
      counts[answer.kind] += 1;
      if (answer.kind !== 'signed') continue;
      const { pczt } = decodePczt(bytes);
      const txid = txidOf(pczt);
      // Nullifiers and ciphertexts are in the txid: a replay takes what it took.
      if (!signed.has(txid))
        signed.set(txid, { at: at.get(txid) ?? clocks.elapsed(), taken: takenBy(pczt, NOTES) });
    } catch (error) {
      if ((error as Error).message !== 'killed') throw error;
      counts.killed += 1;
      if (written !== undefined) at.set(txidOf(decodePczt(bytes).pczt), written);
      // A machine may start with a clock that is behind.
      clocks.wall = START + clocks.elapsed() - BEHIND;
      const newest = readFileSync(journalFile);
      running = await start();
      const { sequence } = running.journal.state;
      if (older.sequence < sequence) {
        counts.putBack += 1;
        writeFileSync(journalFile, older.journal);
        await t.throwsAsync(start, { code: 'WALLET_CORRUPT' });
        writeFileSync(journalFile, newest);
      }
      if (below(2) === 0) older = { journal: newest, sequence };
    }
  }
  const all = [...signed.values()];
  for (const { at, taken } of all) {
    t.true(taken > 0n && taken <= BigInt(POLICY.payment_zatoshi), String(taken));
    for (const [ms, most] of [
      [DAY_MS, POLICY.day_zatoshi],
      [MONTH_MS, POLICY.month_zatoshi],
    ] as const) {
      const inTime = all.filter((one) => one.at <= at && one.at > at - ms);
      t.true(inTime.reduce((sum, one) => sum + one.taken, 0n) <= BigInt(most));
    }
  }
  t.log(`${RUNS} requests of seed ${SEED}`, counts, `${all.length} payments`);
  t.true(all.length >= 5 && counts.refused > RUNS / 10 && counts.killed > 0);
});
