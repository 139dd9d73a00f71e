// The wallet's thread may end at any moment of a payment: before and after everything that it writes, and before and after
// the other side has heard of it. Another one goes on with the same files: nothing is lost, nothing is sent twice, and no
// note is free that the payment may still spend.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { inTurn } from '@wallet-companion/base/test/atLength';
import type { ChainService } from '@wallet-companion/chain/ports';
import test, { type ExecutionContext } from 'ava';
import type { NoteDatabases } from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import { pcztIn, SOURCES, startPaymentStory } from '../../../helpers/paymentStoryBed.ts';

const ZEC = 100_000_000;
const AMOUNT = 60_000_000;

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
      database.putPayment = (payment, writes) => {
        this.step('about to write');
        put(payment, writes);
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
  test.serial(`${source}: at every step`, async (t) => {
    const count = await lives(t, source, 0);
    t.true(count.length >= 12, count.join(', '));
    // Each step from one of the sources; at length from both.
    for (let at = 1; at <= count.length; at++)
      if (inTurn(SOURCES, at).includes(source)) await lives(t, source, at);
  });
}

/** The steps of a payment that is killed at one of them; 0: at none. */
async function lives(t: ExecutionContext, source: 'node' | 'compact', at: number) {
  const reaper = new Reaper();
  const bed = await startPaymentStory(t, {
    source,
    noteDatabases: (stores) => reaper.aroundFiles(stores),
    aroundChain: (chain) => reaper.aroundChain(chain),
  });
  const prepared = await bed.prepare({ zatoshi: AMOUNT });
  const id = prepared.payment_id;
  const signed = bed.signed(pcztIn(await bed.signerView(id)));
  reaper.steps = [];
  reaper.at = at;
  const live = async (): Promise<void> => {
    await bed.combine(id, signed);
    await bed.wallet.call('payments.prove', { payment_id: id });
    await bed.broadcast(id);
  };
  const fate = await live().then(
    () => 'lived',
    () => 'killed',
  );
  const steps = [...reaper.steps];
  const name = `${source}, ${at}: ${steps.at(-1)}`;
  t.is(fate, at === 0 ? 'lived' : 'killed', name);
  reaper.at = 0;
  if (fate === 'killed') {
    const arrived = bed.devnet.mempool.size;
    await bed.killed();
    const { status } = await bed.get(id);
    if (arrived > 0) t.is(status, 'sent', name);
    t.is(await bed.reserved(), ZEC, name);
    await live();
  }
  t.is((await bed.get(id)).last_sent?.outcome, 'accepted', name);
  t.is(bed.devnet.mempool.size, 1, name);
  t.is(reaper.left.size, 1, `${name}: the same bytes at each attempt`);
  t.is(await bed.reserved(), ZEC, name);
  await bed.mine();
  t.like(await bed.get(id), { status: 'mined', reserved_zatoshi: 0 }, name);
  t.is(await bed.total(), ZEC - AMOUNT - prepared.fee_zatoshi, name);
  return steps;
}
