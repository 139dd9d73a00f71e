// A wallet beside a devnet that takes transactions, and who has the keys of both sides: for payments from the first look at
// the notes to the last confirmation.

import { setImmediate as turn } from 'node:timers/promises';
import type { ChainService } from '@wallet-companion/chain/ports';
import { Devnet } from '@wallet-companion/devnet';
import { decodePczt, encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import {
  signerKeys,
  withFillerProofs,
  withProofGenerationKeys,
  withSignatures,
} from '@wallet-companion/pczt/test/pcztSigner';
import { PHRASE, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys } from '@wallet-companion/zcash/keys';
import type { Pool } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import type { ExecutionContext } from 'ava';
import type { NoteDatabases } from '../../src/actors/wallet/ports/noteDatabase.ts';
import type { Prover } from '../../src/actors/wallet/ports/prover.ts';
import type { Signer } from '../../src/actors/wallet/ports/signer.ts';
import type { Input, Output } from '../../src/protocol/operations.ts';
import { ManualClock, PASSWORD, startWallet, type WalletHarness } from './walletHarness.ts';

export type PaymentSource = 'node' | 'compact';
export const SOURCES: readonly PaymentSource[] = ['node', 'compact'];

export const pcztIn = ({ pczt }: { readonly pczt: string }): Pczt =>
  decodePczt(Buffer.from(pczt, 'base64')).pczt;
export const base64Of = (pczt: Pczt): string => Buffer.from(encodePczt(pczt, 2)).toString('base64');

export interface StoryOptions {
  /** Null: no call names one. */
  readonly source?: PaymentSource | null;
  /** What the wallet has, each in a block of its own, deep enough to be spent. */
  readonly notes?: readonly (readonly [Pool, number])[];
  readonly config?: object;
  /** Default: one that fills in. */
  readonly prover?: Prover;
  /** Before the default prover answers. */
  readonly meanwhileProved?: () => Promise<void>;
  /** Default: there is none. */
  readonly signer?: Signer;
  readonly noteDatabases?: (stores: NoteDatabases) => NoteDatabases;
  readonly aroundChain?: (chain: ChainService) => ChainService;
}

export async function startPaymentStory(t: ExecutionContext, options: StoryOptions = {}) {
  const { source: named = 'node', notes = [['ironwood', 100_000_000]] } = options;
  const source = named ?? undefined;
  const from = source === undefined ? {} : { source };
  const devnet = new Devnet({ seed: t.title });
  t.teardown(() => devnet.close());
  const { params } = devnet;
  const randomBytes = seededBytes(4242);
  const prover: Prover = {
    prove: async (bytes) => {
      await options.meanwhileProved?.();
      return encodePczt(withFillerProofs(decodePczt(bytes).pczt, randomBytes), 2);
    },
  };
  const address = firstAddress(deriveViewingKeys(SEED, params, 0), params, 0n).unifiedAddress;
  const other = firstAddress(deriveViewingKeys(SEED, params, 7), params, 0n).unifiedAddress;
  devnet.mine({ transactions: [devnet.traffic({ sapling: 2, orchard: 2, ironwood: 2 })] });
  for (const [pool, zatoshi] of notes) devnet.payTo(address, { pool, zatoshi });
  devnet.mineEmpty(12);
  const nodeUrl = await devnet.node.listen();
  const config = {
    network: 'regtest',
    node_url: nodeUrl,
    compact_server_url: await devnet.compact.listen(),
    auto_lock_seconds: 0,
    ...options.config,
  } as const;
  const clock = new ManualClock();
  const begin = async (folder?: string): Promise<WalletHarness> => {
    const wallet = await startWallet(t, {
      config,
      clock,
      prover: options.prover ?? prover,
      ...(options.signer && { signer: options.signer }),
      ...(folder === undefined ? {} : { folder }),
      ...(options.noteDatabases && { noteDatabases: options.noteDatabases }),
      ...(options.aroundChain && { aroundChain: options.aroundChain }),
    });
    t.teardown(() => wallet.stop());
    return wallet;
  };
  let wallet = await begin();
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  const keys = signerKeys(SEED, params);
  const bed = {
    devnet,
    params,
    clock,
    address,
    /** Of somebody else. */
    other,
    source,
    nodeUrl,
    get wallet(): WalletHarness {
      return wallet;
    },
    /** The same wallet's account, as the devnet knows it. */
    account: devnet.account(deriveViewingKeys(SEED, params, 0), 0),
    sync: () => wallet.call('sync.run', from),
    mine: async (blocks = 1) => {
      for (let i = 0; i < blocks; i++) devnet.mine();
      return bed.sync();
    },
    prepare: (order: Partial<Input<'payments.prepare'>>): Promise<Output<'payments.prepare'>> =>
      wallet.call('payments.prepare', { address: other, ...from, ...order }),
    signerView: (id: string) => wallet.call('payments.pczt', { payment_id: id, reader: 'signer' }),
    /** Signed by the device, which knows Sapling's proof key too. */
    signed: (pczt: Pczt): Pczt => withSignatures(withProofGenerationKeys(pczt, keys), keys, randomBytes).pczt,
    combine: (id: string, pczt: Pczt, more: object = {}) =>
      wallet.call('payments.combine', { payment_id: id, pczt: base64Of(pczt), ...more }),
    /** Signed, proved, and combined. */
    complete: async (id: string): Promise<Output<'payments.prove'>> => {
      const signed = bed.signed(pcztIn(await bed.signerView(id)));
      await bed.combine(id, signed);
      return wallet.call('payments.prove', { payment_id: id });
    },
    broadcast: (id: string, more: object = {}) =>
      wallet.call('payments.broadcast', { payment_id: id, ...from, ...more }),
    get: (id: string) => wallet.call('payments.get', { payment_id: id }),
    look: () => wallet.call('mempool.look', from),
    /** Statuses as they were told, since the last time. */
    reported: (): string[] =>
      wallet.events
        .splice(0)
        .flatMap(({ event, data }) =>
          event === 'payment.changed'
            ? [data.mined_height === null ? data.status : `${data.status} ${data.mined_height}`]
            : [],
        ),
    reserved: async () => (await wallet.call('balance.get')).reserved_zatoshi,
    total: async () => (await wallet.call('balance.get')).total_zatoshi,
    /** The actor is gone without a word; another one begins on its files. */
    killed: async () => {
      const { folder } = wallet;
      wallet = await begin(folder);
      await wallet.call('wallet.unlock', { password: PASSWORD });
    },
    until: async (holds: () => boolean | Promise<boolean>) => {
      while (!(await holds())) await turn();
    },
  };
  await bed.sync();
  return bed;
}

export type PaymentStory = Awaited<ReturnType<typeof startPaymentStory>>;
