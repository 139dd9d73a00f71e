// A wallet beside a devnet, with notes of every pool and a phrase whose spending keys a test has: what stands around prepared
// payments. The chain side and the servers are real, and asked over sockets.

import type { Height } from '@wallet-companion/base/values';
import type { Source } from '@wallet-companion/chain/ports';
import { Devnet } from '@wallet-companion/devnet';
import { decodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { PHRASE, signAll } from '@wallet-companion/pczt/test/spendingAccount';
import { type ActivationHeights, regtestParameters } from '@wallet-companion/zcash/network';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { ExecutionContext } from 'ava';
import type { ErrorRecord } from '../../src/protocol/errors.ts';
import type { Input, Output } from '../../src/protocol/operations.ts';
import { PASSWORD, seededRandom, startWallet, type WalletHarness } from './walletHarness.ts';

/** Before it Orchard is paid, from it on Ironwood. */
export const IRONWOOD_FROM = 8;
export const PARAMS = regtestParameters({ nu6_3: IRONWOOD_FROM });

export type Prepared = Output<'payments.prepare'>;

type WalletOptions = NonNullable<Parameters<typeof startWallet>[1]>;

export interface Funding {
  readonly pool: Pool;
  readonly zatoshi: number;
  /** Default: account 0's. */
  readonly address?: string;
}

export interface PaymentBedOptions extends WalletOptions {
  /** Of the chain, and of the wallet; default: Ironwood from `IRONWOOD_FROM` on. */
  readonly activation?: Partial<ActivationHeights>;
  /** Whose wallet it is; default: the phrase's that spendingAccount.ts has the keys of. */
  readonly viewingKey?: string;
  /** What its import has besides. */
  readonly facts?: Partial<Input<'wallet.import_viewing_key'>>;
}

export async function startPaymentBed(t: ExecutionContext, options: PaymentBedOptions = {}) {
  const { activation = { nu6_3: IRONWOOD_FROM }, viewingKey, facts, ...others } = options;
  const devnet = new Devnet({ seed: t.title, params: regtestParameters(activation) });
  t.teardown(() => devnet.close());
  const config = {
    network: 'regtest',
    activation_heights: activation,
    node_url: await devnet.node.listen(),
    compact_server_url: await devnet.compact.listen(),
    auto_lock_seconds: 0,
    ...others.config,
  } as const;
  const wallet = await startWallet(t, { ...others, config });
  t.teardown(() => wallet.stop());
  const made = { password: PASSWORD, birthday_height: 1 };
  if (viewingKey === undefined) await wallet.call('wallet.restore', { mnemonic: PHRASE, ...made });
  else await wallet.call('wallet.import_viewing_key', { viewing_key: viewingKey, ...made, ...facts });
  const { unified_address: address } = await wallet.call('address.get');
  return new PaymentBed(devnet, wallet, address);
}

export class PaymentBed {
  readonly devnet: Devnet;
  readonly wallet: WalletHarness;
  readonly address: string;

  constructor(devnet: Devnet, wallet: WalletHarness, address: string) {
    this.devnet = devnet;
    this.wallet = wallet;
    this.address = address;
  }

  /** Each in a block of its own, where its pool is paid; then so many blocks that all of it can be spent. */
  async fund(...all: readonly Funding[]): Promise<void> {
    const { devnet } = this;
    const isPaidHere = ({ pool }: Funding) => (pool === 'orchard') === devnet.tip.height < IRONWOOD_FROM - 1;
    for (const one of all.filter(({ pool }) => pool === 'orchard')) {
      if (!isPaidHere(one)) throw new RangeError('Orchard is no longer paid');
      this.#pay(one);
    }
    if (devnet.tip.height < IRONWOOD_FROM) devnet.mineEmpty(IRONWOOD_FROM - devnet.tip.height);
    for (const one of all.filter(({ pool }) => pool !== 'orchard')) this.#pay(one);
    devnet.mineEmpty(9);
    await this.sync();
  }

  #pay({ pool, zatoshi, address = this.address }: Funding): void {
    this.devnet.payTo(address, { pool, zatoshi: BigInt(zatoshi) });
  }

  async mine(blocks: number): Promise<Height> {
    this.devnet.mineEmpty(blocks);
    await this.sync();
    return this.devnet.tip.height;
  }

  async sync(source: Source = 'node'): Promise<void> {
    await this.wallet.call('sync.run', { source });
  }

  prepare(input: object): Promise<Prepared> {
    return this.wallet.call('payments.prepare', input);
  }

  /** The code and the words of what it is refused with. */
  async refusal(
    input: object,
  ): Promise<Pick<ErrorRecord, 'code' | 'detail' | 'consents'> & { errors: readonly object[] }> {
    await this.wallet.failure('payments.prepare', input);
    const result = await this.wallet.link.dispatch('payments.prepare', input as never, { requestId: 'test' });
    if (result.ok) throw new Error('it was prepared');
    const { code, detail, errors = [], consents } = result.error;
    return { code, detail, errors, ...(consents && { consents }) };
  }

  payment = (id: string): Promise<Output<'payments.get'>> =>
    this.wallet.call('payments.get', { payment_id: id });
}

export const pcztIn = ({ pczt }: Pick<Prepared, 'pczt'>): Pczt =>
  decodePczt(Buffer.from(pczt, 'base64')).pczt;

/** How many spends account 0's keys sign; each signature is one that its key gives. */
export const signaturesFor = (prepared: Pick<Prepared, 'pczt'>): number =>
  signAll(pcztIn(prepared), seededRandom('signer')).count;
