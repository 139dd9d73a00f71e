// Payments on their way: prepared, completed, sent, given up. Nothing on the chain gives one of them back.

import { decodePczt, encodePczt } from '@wallet-companion/pczt/pczt';
import { completedPczt } from '@wallet-companion/pczt/test/completion';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import type { Output } from '../../../src/protocol/operations.ts';
import { type MadeUpCompanion, type Outside, startMadeUpCompanion } from './madeUpCompanion.ts';
import { PARAMS, SEED } from './madeUpFunds.ts';
import { call, oneByOne, PAYMENT, type Scenario, scanned, unlock } from './scenario.ts';

type Payment = Output<'payments.get'>;

/** The one that was prepared here. */
async function prepared(companion: MadeUpCompanion): Promise<Payment> {
  const { payments } = await companion.get('payments.list');
  const { payment_id } = payments.find((one) => one.payment_id !== PAYMENT.id)!;
  return companion.get('payments.get', { payment_id });
}

/** Does so in a session of a process of its own. */
const having =
  (step: (companion: MadeUpCompanion) => Promise<unknown>) =>
  async (folder: string, outside: Outside): Promise<void> => {
    const companion = await startMadeUpCompanion(folder, outside);
    await unlock(companion);
    await step(companion);
    await companion.stop();
  };

const shielded = having((companion) => companion.get('payments.shield'));
const completed = having(async (companion) => {
  const { payment_id } = await prepared(companion);
  await companion.get('payments.combine', { payment_id, pczt: await signed(companion, payment_id) });
});

async function signed(companion: MadeUpCompanion, payment_id: string): Promise<string> {
  const { pczt } = await companion.get('payments.pczt', { payment_id });
  const request = decodePczt(Buffer.from(pczt, 'base64')).pczt;
  const complete = completedPczt(request, { seed: SEED, params: PARAMS, randomBytes: seededBytes(1) });
  return Buffer.from(encodePczt(complete, 2)).toString('base64');
}

export const PAYMENT_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a payment prepared': {
    ...call('payments.shield'),
    preparesPayment: true,
    prepare: scanned,
    before: unlock,
    already: ['INSUFFICIENT_FUNDS'],
    promised: async (companion, { payment_id }: Output<'payments.shield'>) =>
      (await companion.get('payments.get', { payment_id })).status === 'prepared',
  },
  'a payment completed': {
    operation: 'payments.combine',
    prepare: oneByOne(scanned, shielded),
    before: unlock,
    run: async (companion) => {
      const { payment_id } = await prepared(companion);
      return companion.call('payments.combine', { payment_id, pczt: await signed(companion, payment_id) });
    },
    promised: async (companion) => (await prepared(companion)).status === 'complete',
  },
  'a payment sent': {
    operation: 'payments.broadcast',
    prepare: oneByOne(scanned, shielded, completed),
    before: unlock,
    run: async (companion) => {
      const { payment_id } = await prepared(companion);
      return companion.call('payments.broadcast', { payment_id });
    },
    promised: async (companion) => (await prepared(companion)).last_sent?.outcome === 'accepted',
    left: async (companion) => (await prepared(companion)).status === 'sent',
  },
  'a payment given up': {
    ...call('payments.discard', { payment_id: PAYMENT.id }),
    prepare: scanned,
    before: unlock,
    promised: async (companion) =>
      (await companion.get('payments.get', { payment_id: PAYMENT.id })).status === 'discarded',
  },
};
