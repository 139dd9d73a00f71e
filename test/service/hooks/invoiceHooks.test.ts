// Invoices of a real wallet to a hook: at least once each, in order, over crashes of the hooks and of the wallet.

import test, { type ExecutionContext } from 'ava';
import type { Failure } from '../../../src/hooks/delivery.ts';
import type { HookLink } from '../../../src/hooks/hookLink.ts';
import { Hooks } from '../../../src/hooks/hooks.ts';
import { jsonLink } from '../../../src/protocol/jsonCalls.ts';
import { type Invoice, startInvoiceBed } from '../../helpers/invoiceBed.ts';
import { VirtualClock } from '../../helpers/virtualClock.ts';
import { type Heard, heardOf, settled } from './support.ts';

async function startShop(t: ExecutionContext) {
  const bed = await startInvoiceBed(t);
  const arrived: Heard[] = [];
  const clock = new VirtualClock();
  const disk: { text: string | undefined } = { text: undefined };
  const shop: { answer: () => Failure } = { answer: () => undefined };
  const listeners = new Set<Parameters<HookLink['subscribeToAll']>[0]>();
  let announced = 0;
  const begin = (): Hooks => {
    const hooks = new Hooks({
      settings: [{ name: 'shop', events: ['invoice.changed'], command: ['/bin/true'] }],
      settingsFile: process.execPath,
      walletNames: () => ['default'],
      file: {
        read: () => disk.text,
        write: async (text) => {
          disk.text = text;
        },
      },
      log: { info: () => undefined, warn: () => undefined },
      requestId: () => 'hook',
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      after: (ms, strike) => clock.after(ms, strike),
      random: () => 0,
      env: {},
      way: () => async (delivery) => {
        arrived.push(heardOf(delivery));
        return shop.answer();
      },
    });
    hooks.start({
      subscribeToAll: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      ...jsonLink({
        dispatch: async (name, input, context) =>
          (await bed.wallet.actor.dispatch({ name, input, ...context })) as never,
      }),
    });
    return hooks;
  };
  const until = async (holds: () => boolean) => {
    for (let turn = 0; turn < 200 && !holds(); turn++) await settled();
  };
  return {
    bed,
    arrived,
    clock,
    disk,
    shop,
    begin,
    until,
    /** Passes on what the wallet announced. */
    heard: () => {
      const { events } = bed.wallet;
      if (announced > events.length) announced = 0;
      for (const event of events.slice(announced))
        for (const listener of listeners) listener(event, 'default');
      announced = events.length;
    },
    crash: () => listeners.clear(),
    numbers: () => arrived.map(({ data }) => (data as Invoice).sequence),
  };
}

test('a hook has each change of an invoice, in order, with all that a shop needs', async (t) => {
  const { bed, arrived, begin, heard, until, numbers } = await startShop(t);
  await bed.create({ reference: 'before the hook' });
  const hooks = begin();
  t.teardown(() => hooks.stop());
  await settled();
  const invoice = await bed.create({ amount_zatoshi: 1000, reference: 'a', metadata: { table: 7 } });
  heard();
  await until(() => arrived.length === 1);
  bed.payTo([invoice, 1000]);
  await bed.look();
  heard();
  await until(() => arrived.length === 2);
  await bed.mine();
  heard();
  await until(() => arrived.length === 3);
  t.deepEqual(
    arrived.map(({ event, data }) => [event, (data as Invoice).state]),
    ['new', 'seen', 'confirmed'].map((state) => ['invoice.changed', state]),
  );
  t.deepEqual(numbers(), [2, 3, 4]);
  t.is(new Set(arrived.map(({ id }) => id)).size, 3);
  t.like(arrived.at(-1)!.data, {
    reference: 'a',
    metadata: { table: 7 },
    received_zatoshi: 1000,
    payments: [{ amount_zatoshi: 1000, memo: { text: 'thanks' } }],
  });
});

test('a delivery that fails or is not recorded comes again with its id; what happened meanwhile comes after it', async (t) => {
  const { bed, arrived, begin, heard, until, shop, clock, crash, numbers, disk } = await startShop(t);
  let hooks = begin();
  await until(() => disk.text !== undefined);
  shop.answer = () => 'STATUS_500';
  const [first, second] = [await bed.create(), await bed.create()];
  heard();
  await until(() => arrived.length === 1);
  const saved = disk.text;
  shop.answer = () => undefined;
  await clock.pass(1_000, settled);
  await until(() => arrived.length === 3);
  t.deepEqual(numbers(), [1, 1, 2]);
  t.is(arrived[0]!.id, arrived[1]!.id);
  // The record of the last two was lost with the process; so was every event.
  crash();
  await hooks.stop();
  disk.text = saved;
  bed.payTo([first, 1000], [second, 1000]);
  await bed.mine();
  await bed.killed();
  hooks = begin();
  t.teardown(() => hooks.stop());
  await until(() => arrived.length === 5);
  t.deepEqual(numbers().slice(3), [3, 4]);
  t.deepEqual(
    arrived.slice(3).map(({ data }) => (data as Invoice).state),
    ['confirmed', 'confirmed'],
  );
});
