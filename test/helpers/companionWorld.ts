// A whole wallet beside an embedded chain, and the keys of both: what a test about a wallet begins with. Its chain side, servers
// and files are real; options replace the parts that a test is about.

import type { Height } from '@wallet-companion/base/values';
import type { Source } from '@wallet-companion/chain/ports';
import { type BlockClock, Devnet, type DevnetAccount, type DevnetOptions } from '@wallet-companion/devnet';
import type { MinedBlock } from '@wallet-companion/devnet/chain';
import { decodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { PHRASE, SEED, signAll } from '@wallet-companion/pczt/test/spendingAccount';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys } from '@wallet-companion/zcash/keys';
import {
  type ActivationHeights,
  MAIN,
  type NetworkParameters,
  regtestParameters,
} from '@wallet-companion/zcash/network';
import type { Pool, TreeSizes } from '@wallet-companion/zcash/pools';
import type { Config } from '../../src/actors/wallet/ports/configFile.ts';
import type { ErrorRecord } from '../../src/protocol/errors.ts';
import type { Input, OperationName, Output } from '../../src/protocol/operations.ts';
import type { TestOwner } from './childProcess.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { ManualClock, PASSWORD, seededRandom, startWallet, type WalletHarness } from './walletHarness.ts';

export type WalletOptions = NonNullable<Parameters<typeof startWallet>[1]>;

/** A wallet that a test stops, and begins again on its files. */
export class WalletWorld {
  readonly folder: string;
  readonly #open: () => Promise<WalletHarness>;
  /** Set by `begin`. */
  wallet!: WalletHarness;

  constructor(t: TestOwner, options: WalletOptions) {
    this.folder = options.folder ?? temporaryFolder(t);
    let begun = 0;
    this.#open = async () => {
      // Random bytes come once: a wallet that begins again draws others.
      const seed = begun++ === 0 ? {} : { seed: `${t.title} ${begun}` };
      const wallet = await startWallet(t, { ...options, folder: this.folder, ...seed });
      t.teardown(() => wallet.stop());
      return wallet;
    };
  }

  /** Another actor on the files, locked. The one before is not stopped: as after a crash. */
  begin = async (): Promise<WalletHarness> => {
    this.wallet = await this.#open();
    return this.wallet;
  };

  killed = async (): Promise<WalletHarness> => {
    await this.begin();
    await this.wallet.call('wallet.unlock', { password: PASSWORD });
    return this.wallet;
  };

  restart = async (): Promise<WalletHarness> => {
    await this.wallet.stop();
    return this.killed();
  };

  call = <N extends OperationName>(name: N, input?: object): Promise<Output<N>> =>
    this.wallet.call(name, input);

  sync = (source?: Source): Promise<Output<'sync.run'>> =>
    this.wallet.call('sync.run', source === undefined ? {} : { source });

  total = async (): Promise<number> => (await this.wallet.call('balance.get')).total_zatoshi;
}

export interface Funding {
  readonly pool: Pool;
  readonly zatoshi: number;
  /** Default: account 0's. */
  readonly address?: string;
}

/** Undefined: as if it were not set. */
type WorldConfig = { readonly [Name in keyof Config]?: Config[Name] | undefined };

export interface WorldOptions extends Omit<WalletOptions, 'config'> {
  readonly config?: WorldConfig;
  /** Default: all upgrades from the first block on. */
  readonly activation?: Partial<ActivationHeights>;
  /** The chain's options, where it is no such regtest. */
  readonly devnet?: DevnetOptions;
  readonly hasCompactServer?: boolean;
  /** Blocks that are there before the wallet is. */
  readonly blocks?: number;
  /** Default: that of the first block. Null: no wallet is made. */
  readonly birthday?: Height | null;
  /** Default: the phrase of spendingAccount.ts, which has the keys. */
  readonly viewingKey?: string;
  /** What the import of a viewing key has besides. */
  readonly facts?: Partial<Input<'wallet.import_viewing_key'>>;
}

/** A chain with the main network's rules. */
export const onMain = (
  startHeight: Height,
  initialLeaves: Partial<TreeSizes> = { sapling: 3, orchard: 2, ironwood: 2 },
): Pick<WorldOptions, 'devnet'> => ({ devnet: { params: MAIN, startHeight, initialLeaves } });

/** Blocks at these times, then as often as on the main network. */
export const clockOf = (times: readonly string[]): BlockClock => {
  const rest = times.map((time) => Date.parse(time) / 1000);
  return (before) => rest.shift() ?? before + 75;
};

/** Orchard is paid before this height, Ironwood from it on. */
export const IRONWOOD_FROM = 8;
export const PARAMS = regtestParameters({ nu6_3: IRONWOOD_FROM });
export const ORCHARD_FIRST = { activation: { nu6_3: IRONWOOD_FROM } } as const;

export type Prepared = Output<'payments.prepare'>;

export class CompanionWorld extends WalletWorld {
  readonly devnet: Devnet;
  readonly config: Partial<Config>;
  readonly clock: ManualClock;
  readonly params: NetworkParameters;
  readonly nodeUrl: string;
  readonly compactUrl: string;
  /** Account 0's. */
  address: string;

  constructor(
    t: TestOwner,
    devnet: Devnet,
    urls: readonly [node: string, compact: string],
    options: WalletOptions & { config: Partial<Config> },
  ) {
    const { clock = new ManualClock() } = options;
    super(t, { ...options, clock });
    this.devnet = devnet;
    this.config = options.config;
    this.clock = clock;
    this.params = devnet.params;
    [this.nodeUrl, this.compactUrl] = urls;
    this.address = this.addressOf(0);
  }

  restore = (birthday_height: Height) =>
    this.wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height });

  /** The address of an account of the phrase; accounts that the wallet does not have are strangers'. */
  addressOf = (account: number): string =>
    firstAddress(deriveViewingKeys(SEED, this.params, account), this.params, 0n).unifiedAddress;

  /** The wallet's account, as the devnet knows it. */
  get account(): DevnetAccount {
    return this.devnet.account(deriveViewingKeys(SEED, this.params, 0), 0);
  }

  /** In a block of its own. */
  pay = (zatoshi: bigint | number, memo?: string, pool: Pool = 'ironwood'): MinedBlock =>
    this.devnet.payTo(this.address, { pool, zatoshi: BigInt(zatoshi), ...(memo !== undefined && { memo }) });

  /** Each in a block of its own, where its pool is paid; then so many blocks that all of it can be spent. */
  fund = async (...all: readonly Funding[]): Promise<void> => {
    const { devnet } = this;
    const ironwoodFrom = this.params.activation.nu6_3 ?? 0;
    const pay = ({ pool, zatoshi, address = this.address }: Funding) =>
      devnet.payTo(address, { pool, zatoshi: BigInt(zatoshi) });
    for (const one of all.filter(({ pool }) => pool === 'orchard')) {
      if (devnet.tip.height >= ironwoodFrom - 1) throw new RangeError('Orchard is no longer paid');
      pay(one);
    }
    if (devnet.tip.height < ironwoodFrom) devnet.mineEmpty(ironwoodFrom - devnet.tip.height);
    for (const one of all.filter(({ pool }) => pool !== 'orchard')) pay(one);
    devnet.mineEmpty(9);
    await this.sync('node');
  };

  mine = async (blocks: number): Promise<Height> => {
    this.devnet.mineEmpty(blocks);
    await this.sync('node');
    return this.devnet.tip.height;
  };

  timeOf = (height: Height): string => new Date(this.devnet.blocks.at(height)!.time * 1000).toISOString();

  prepare = (input: object): Promise<Prepared> => this.wallet.call('payments.prepare', input);

  /** The code and the words of what it is refused with. */
  refusal = async (
    input: object,
  ): Promise<Pick<ErrorRecord, 'code' | 'detail' | 'consents'> & { errors: readonly object[] }> => {
    await this.wallet.failure('payments.prepare', input);
    const result = await this.wallet.link.dispatch('payments.prepare', input as never, { requestId: 'test' });
    if (result.ok) throw new Error('it was prepared');
    const { code, detail, errors = [], consents } = result.error;
    return { code, detail, errors, ...(consents && { consents }) };
  };

  payment = (id: string): Promise<Output<'payments.get'>> =>
    this.wallet.call('payments.get', { payment_id: id });
}

export async function companionWorld(t: TestOwner, options: WorldOptions = {}): Promise<CompanionWorld> {
  const {
    activation,
    devnet: own,
    hasCompactServer = true,
    blocks = 0,
    viewingKey,
    facts,
    ...others
  } = options;
  const devnet = new Devnet({ seed: t.title, params: regtestParameters(activation ?? {}), ...own });
  t.teardown(() => devnet.close());
  devnet.mineEmpty(blocks);
  const { birthday = devnet.blocks.blocks[1]?.height ?? devnet.tip.height + 1, ...rest } = others;
  const urls = [await devnet.node.listen(), await devnet.compact.listen()] as const;
  const config = {
    network: devnet.params.network,
    ...(activation && { activation_heights: activation }),
    node_url: urls[0],
    ...(hasCompactServer && { compact_server_url: urls[1] }),
    auto_lock_seconds: 0,
    ...rest.config,
  } as Partial<Config>;
  const world = new CompanionWorld(t, devnet, urls, { ...rest, config });
  const wallet = await world.begin();
  if (birthday === null) return world;
  if (viewingKey === undefined) await world.restore(birthday);
  else {
    const made = { password: PASSWORD, birthday_height: birthday };
    await wallet.call('wallet.import_viewing_key', { viewing_key: viewingKey, ...made, ...facts });
  }
  world.address = (await wallet.call('address.get')).unified_address;
  return world;
}

export const pcztIn = ({ pczt }: { readonly pczt: string }): Pczt =>
  decodePczt(Buffer.from(pczt, 'base64')).pczt;

/** How many spends account 0's keys sign; each signature is one that its key gives. */
export const signaturesFor = (prepared: Pick<Prepared, 'pczt'>): number =>
  signAll(pcztIn(prepared), seededRandom('signer')).count;
