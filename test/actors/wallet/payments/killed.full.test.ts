// The wallet's thread may end at any moment of a payment: before and after everything that it writes, and before and after
// the other side has heard of it. Another one goes on with the same files: nothing is lost, nothing is sent twice, and no
// note is free that the payment may still spend.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { inTurn, runs } from '@wallet-companion/base/test/atLength';
import type { ChainService } from '@wallet-companion/chain/ports';
import test, { type ExecutionContext } from 'ava';
import type { NoteDatabases } from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { shorterThan, type TestOwner } from '../../../helpers/childProcess.ts';
import {
  type PaymentSource,
  type PaymentStory,
  pcztIn,
  SOURCES,
  startPaymentStory,
} from '../../../helpers/paymentStoryBed.ts';
import { PASSWORD, seededRandom } from '../../../helpers/walletHarness.ts';

const ZEC = 100_000_000;
const AMOUNT = 60_000_000;

/** Schedules in one world: each leaves actors behind that were killed. */
const IN_A_WORLD = 5;
const SCHEDULES = runs(5, 50, 'WALLET_COMPANION_PAY_RUNS');
/** Another one draws other schedules. */
const SEED = process.env['WALLET_COMPANION_PAY_SEED'] ?? '';
/** More than the steps of a payment. */
const MOST_STEPS = 24;

class Killed extends Error {}

/** What would be called next dies at the `at`th step of its life. */
class Reaper {
  at = 0;
  steps: string[] = [];
  /** What left for the other side. */
  readonly left = new Set<string>();

  step(name: string): void {
    this.steps.push(name);
    if (this.steps.length === this.at) throw new Killed(name);
  }

  aroundFiles(stores: NoteDatabases): NoteDatabases {
    const open = (key: Uint8Array) => {
      const database = stores.open(key);
      const put = database.putPayment.bind(database);
      database.putPayment = (...given) => {
        this.step('about to write');
        put(...given);
        this.step('written');
      };
      return database;
    };
    return { open, dropResealed: () => stores.dropResealed(), retire: () => stores.retire() };
  }

  aroundChain(chain: ChainService): ChainService {
    const around = new Proxy(chain, {
      get: (target, name) => {
        const method = target[name as keyof ChainService].bind(target) as (query: never) => Promise<unknown>;
        if (!['tip', 'transactionStatus', 'sendTransaction'].includes(String(name))) return method;
        return async (query: { readonly raw?: Uint8Array }) => {
          this.step(`about to ask: ${String(name)}`);
          if (query.raw !== undefined) this.left.add(bytesToHex(query.raw));
          const answer = await method(query as never);
          this.step(`answered: ${String(name)}`);
          return answer;
        };
      },
    });
    return around;
  }
}

for (const source of SOURCES) {
  for (const [way, least] of [
    ['step by step', 12],
    ['in one call', 16],
  ] as const) {
    test.serial(`${source}, ${way}: at every step`, async (t) => {
      const count = await lives(t, source, way, 0);
      t.true(count.length >= least, count.join(', '));
      // Each step from one of the sources; at length from both.
      for (let at = 1; at <= count.length; at++)
        if (inTurn(SOURCES, at).includes(source)) await lives(t, source, way, at);
    });
  }
}

type Way = 'step by step' | 'in one call';

/** The payment, prepared unless its one call does so; and how it is paid. */
async function begun(bed: PaymentStory, way: Way) {
  if (way === 'in one call') {
    const order = { idempotency_key: 'order-1', address: bed.other, zatoshi: AMOUNT, password: PASSWORD };
    return () => bed.call('payments.pay', { ...order, source: bed.source });
  }
  const { payment_id: id } = await bed.prepare({ zatoshi: AMOUNT });
  const signed = bed.signed(pcztIn(await bed.signerView(id)));
  return async () => {
    await bed.combine(id, signed);
    await bed.call('payments.prove', { payment_id: id });
    await bed.broadcast(id);
  };
}

/** The steps of a payment that is killed at one of them; 0: at none. */
async function lives(t: ExecutionContext, source: PaymentSource, way: Way, at: number) {
  const reaper = new Reaper();
  const bed = await startPaymentStory(t, {
    source,
    noteDatabases: (stores) => reaper.aroundFiles(stores),
    aroundChain: (chain) => reaper.aroundChain(chain),
  });
  const live = await begun(bed, way);
  const payments = async () => (await bed.call('payments.list')).payments;
  reaper.steps = [];
  reaper.at = at;
  const fate = await live().then(
    () => 'lived',
    () => 'killed',
  );
  const steps = [...reaper.steps];
  const name = `${source}, ${way}, ${at}: ${steps.at(-1)}`;
  t.is(fate, at === 0 ? 'lived' : 'killed', name);
  reaper.at = 0;
  if (fate === 'killed') {
    const arrived = bed.devnet.mempool.size;
    await bed.killed();
    const found = (await payments()).map(({ status }) => status);
    if (arrived > 0) t.deepEqual(found, ['sent'], name);
    t.is(await bed.reserved(), found.length * ZEC, name);
    await live();
  }
  const [paid, ...others] = await payments();
  t.is(others.length, 0, name);
  t.is(paid?.last_sent?.outcome, 'accepted', name);
  t.is(bed.devnet.mempool.size, 1, name);
  t.is(reaper.left.size, 1, `${name}: the same bytes at each attempt`);
  t.is(await bed.reserved(), ZEC, name);
  await bed.mine();
  t.like(await bed.get(paid!.payment_id), { status: 'mined', reserved_zatoshi: 0 }, name);
  t.is(await bed.total(), ZEC - AMOUNT - paid!.fee_zatoshi, name);
  return steps;
}

const DISTURBANCES = [
  'a kill',
  'a kill',
  'a lost answer',
  'a lock',
  'a block',
  'two at once',
  'other content',
] as const;

/** A schedule: what comes before the call that is left in peace. */
test.serial(
  'a call that pays is repeated through kills, lost answers, locks and blocks, and pays once',
  async (t) => {
    const random = seededRandom(`${t.title}${SEED}`);
    const below = (most: number): number => Buffer.from(random(4)).readUInt32LE() % most;
    const world = async (owner: TestOwner, done: number) => {
      const reaper = new Reaper();
      let isLost = false;
      const bed = await startPaymentStory(owner, {
        noteDatabases: (stores) => reaper.aroundFiles(stores),
        aroundChain: (chain) => reaper.aroundChain(losing(chain, () => isLost)),
      });
      for (let i = done; i < Math.min(done + IN_A_WORLD, SCHEDULES); i++) {
        const order = {
          idempotency_key: `order-${i}`,
          address: bed.other,
          zatoshi: 1_000_000,
          password: PASSWORD,
        };
        const pay = (more = {}) => bed.call('payments.pay', { ...order, ...more }).catch(() => undefined);
        const before = await bed.total();
        const schedule: string[] = [];
        reaper.left.clear();
        for (let left = below(4); left >= 0; left--) {
          const disturbance = DISTURBANCES[below(DISTURBANCES.length)]!;
          reaper.steps = [];
          reaper.at = disturbance === 'a kill' ? 1 + below(MOST_STEPS) : 0;
          schedule.push(`${disturbance} ${reaper.at}`);
          isLost = disturbance === 'a lost answer';
          if (disturbance === 'a block') await bed.mine();
          else if (disturbance === 'two at once') await Promise.all([pay(), pay()]);
          else if (disturbance === 'a lock') await Promise.all([pay(), bed.call('wallet.lock')]);
          else if (disturbance === 'other content') await pay({ memo: 'other' });
          else await pay();
          reaper.at = 0;
          isLost = false;
          // A lock takes away what the schedule looks at.
          if (disturbance === 'a kill' || disturbance === 'a lock') await bed.killed();
        }
        const name = schedule.join(', ');
        // The key has the content that came first.
        const paid = await bed.call('payments.pay', order).catch((error: CompanionError) => {
          if (error.code === 'IDEMPOTENCY_KEY_IN_USE')
            return bed.call('payments.pay', { ...order, memo: 'other' });
          throw new Error(`${i}: ${name}`, { cause: error });
        });
        await bed.mine(3);
        const all = (await bed.call('payments.list')).payments.filter(({ txid }) => txid === paid.txid);
        t.is(all.length, 1, name);
        t.is(all[0]!.status, 'confirmed', name);
        t.is(
          (await bed.call('payments.list')).payments.length,
          i - done + 1,
          `${name}: nothing else was prepared`,
        );
        t.is(reaper.left.size, 1, `${name}: the same bytes at each attempt`);
        t.is(await bed.total(), before - 1_000_000 - paid.fee_zatoshi, name);
      }
    };
    // The files and sockets of all worlds are more than a process may have.
    for (let done = 0; done < SCHEDULES; done += IN_A_WORLD)
      await shorterThan(t, (owner) => world(owner, done));
  },
);

/** What is sent arrives, and the answer does not. */
const losing = (chain: ChainService, isLost: () => boolean): ChainService =>
  new Proxy(chain, {
    get: (target, name) => {
      const method = target[name as keyof ChainService].bind(target) as (query: never) => Promise<unknown>;
      if (name !== 'sendTransaction') return method;
      return async (query: never) => {
        const answer = await method(query);
        if (isLost()) throw new CompanionError('UPSTREAM_TIMEOUT', 'No answer came.');
        return answer;
      };
    },
  });
