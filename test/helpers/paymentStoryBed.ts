// The world of a payment from the first look at the notes to the last confirmation: the devnet takes transactions, and the keys
// of both sides are known.

import { setImmediate as turn } from 'node:timers/promises';
import { decodePczt, encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { withFillerProofs, withProofKeys, withSignatures } from '@wallet-companion/pczt/test/completion';
import { SEED } from '@wallet-companion/pczt/test/spendingAccount';
import type { Pool } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import type { Prover } from '../../src/actors/wallet/ports/signing.ts';
import type { Input, Output } from '../../src/protocol/operations.ts';
import type { TestOwner } from './childProcess.ts';
import { type CompanionWorld, companionWorld, pcztIn, type WorldOptions } from './companionWorld.ts';
import { noProver } from './noPrograms.ts';

export type PaymentSource = 'node' | 'compact';
export const SOURCES: readonly PaymentSource[] = ['node', 'compact'];

export { pcztIn };
export const base64Of = (pczt: Pczt): string => Buffer.from(encodePczt(pczt, 2)).toString('base64');

export interface StoryOptions
  extends Pick<
    WorldOptions,
    'clock' | 'config' | 'prover' | 'signer' | 'noteDatabases' | 'aroundChain' | 'devnet' | 'openPeers'
  > {
  /** Null: no call names one. */
  readonly source?: PaymentSource | null;
  /** What the wallet has, each in a block of its own, deep enough to be spent. */
  readonly notes?: readonly (readonly [Pool, number])[];
  /** Before the prover answers that fills in, and is there by default. */
  readonly meanwhileProved?: () => Promise<void>;
}

export async function startPaymentStory(t: TestOwner, options: StoryOptions = {}) {
  const { source: named = 'node', notes = [['ironwood', 100_000_000]], meanwhileProved, ...others } = options;
  const source = named ?? undefined;
  const from = source === undefined ? {} : { source };
  const randomBytes = seededBytes(4242);
  const prover: Prover = {
    ...noProver,
    prove: async (bytes) => {
      await meanwhileProved?.();
      return encodePczt(withFillerProofs(decodePczt(bytes).pczt, randomBytes), 2);
    },
  };
  const world = await companionWorld(t, { prover, birthday: 1, ...others });
  const { devnet, params, call } = world;
  const other = world.addressOf(7);
  devnet.mine({ transactions: [devnet.traffic({ sapling: 2, orchard: 2, ironwood: 2 })] });
  for (const [pool, zatoshi] of notes) world.pay(zatoshi, undefined, pool);
  devnet.mineEmpty(12);
  const keys = deriveSigningKeys(SEED, params, 0);
  const story = Object.assign(world as Omit<CompanionWorld, 'sync' | 'mine' | 'prepare'>, {
    /** Of somebody else. */
    other,
    source,
    sync: () => call('sync.run', from),
    mine: async (blocks = 1) => {
      for (let i = 0; i < blocks; i++) devnet.mine();
      return story.sync();
    },
    prepare: (order: Partial<Input<'payments.prepare'>>): Promise<Output<'payments.prepare'>> =>
      call('payments.prepare', { address: other, ...from, ...order }),
    signerView: (id: string) => call('payments.pczt', { payment_id: id, reader: 'signer' }),
    /** Signed by the device, which knows Sapling's proof key too. */
    signed: (pczt: Pczt): Pczt => withSignatures(withProofKeys(pczt, keys), keys, randomBytes).pczt,
    combine: (id: string, pczt: Pczt, more: object = {}) =>
      call('payments.combine', { payment_id: id, pczt: base64Of(pczt), ...more }),
    /** Signed, proved, and combined. */
    complete: async (id: string): Promise<Output<'payments.prove'>> => {
      const signed = story.signed(pcztIn(await story.signerView(id)));
      await story.combine(id, signed);
      return call('payments.prove', { payment_id: id });
    },
    broadcast: (id: string, more: object = {}) =>
      call('payments.broadcast', { payment_id: id, ...from, ...more }),
    get: (id: string) => call('payments.get', { payment_id: id }),
    look: () => call('mempool.look', from),
    /** Statuses as they were told, since the last time. */
    reported: (): string[] =>
      world.wallet.events
        .splice(0)
        .flatMap(({ event, data }) =>
          event === 'payment.changed'
            ? [data.mined_height === null ? data.status : `${data.status} ${data.mined_height}`]
            : [],
        ),
    reserved: async () => (await call('balance.get')).reserved_zatoshi,
    until: async (holds: () => boolean | Promise<boolean>) => {
      while (!(await holds())) await turn();
    },
  });
  await story.sync();
  return story;
}

export type PaymentStory = Awaited<ReturnType<typeof startPaymentStory>>;
