// What may happen on a chain to two accounts of a wallet, as data: histories are drawn at random and shrunk when two wallets
// disagree. The devnet mines them.
import { Devnet, type DevnetAccount, type MineOptions, type OwnedNote } from '@wallet-companion/devnet';
import type { BuiltTransaction } from '@wallet-companion/devnet/chain';
import type { ShieldedReceivers } from '@wallet-companion/zcash/addresses';
import {
  deriveViewingKeys,
  incomingKeys,
  orchardAddressAt,
  saplingAddressAt,
  type ViewingKeys,
} from '@wallet-companion/zcash/keys';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { MEMO_SIZE } from '@wallet-companion/zcash/notes';
import { POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import fc from 'fast-check';
import { PEER_BIRTHDAY } from './peerWallet.ts';

/** The wallets have the first accounts of the phrase; the next one is a stranger's. */
export const ACCOUNTS = 2;
const STRANGER = ACCOUNTS;

interface Paid {
  readonly account: number;
  /** Which of the pools that take funds at the height. */
  readonly pool: number;
  /** Diversifier index; Sapling takes the next one that is valid. */
  readonly at: string;
  readonly zatoshi: number;
  readonly memo: string | undefined | readonly number[];
  readonly flaw: 'wrong-commitment' | 'wrong-lead-byte' | 'wrong-ephemeral-key' | undefined;
}

interface Spent {
  readonly account: number;
  readonly pool: Pool;
  /** How many notes, the oldest first. */
  readonly notes: number;
  /** Shares of what the notes have, in hundredths; the rest is change and fee. */
  readonly payments: readonly (Paid & { readonly share: number })[];
}

export type Event =
  /** A transaction of somebody else's, and one that spends what it paid where that can be known before it is mined. */
  | {
      readonly kind: 'paid';
      readonly payments: readonly Paid[];
      readonly others: number;
      readonly spentAtOnce: boolean;
    }
  | ({ readonly kind: 'spent' } & Spent)
  | { readonly kind: 'reward'; readonly to: Paid }
  | { readonly kind: 'nothing'; readonly blocks: number }
  /** `again`: the new branch has the transactions of the old one, in one block. */
  | { readonly kind: 'reorg'; readonly depth: number; readonly again: boolean }
  | { readonly kind: 'look' };

export interface History {
  readonly seed: number;
  readonly heights: { readonly nu6_3?: number; readonly nu7?: number };
  /** Where the companion reads. */
  readonly source: 'node' | 'compact';
  readonly watchOnly: { readonly here: boolean; readonly there: boolean };
  readonly events: readonly Event[];
}

const memo: fc.Arbitrary<Paid['memo']> = fc.oneof(
  fc.constant(undefined),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', 'x'.repeat(MEMO_SIZE), 'before\0after', 'zeros behind\0\0'),
  // First bytes that ZIP 302 gives a meaning, and bytes that are no text.
  fc
    .tuple(fc.constantFrom(0xf4, 0xf5, 0xf6, 0xf7, 0xff, 0x80, 0x41), fc.uint8Array({ maxLength: 8 }))
    .map(([first, rest]) => [first, ...rest]),
);

const paid: fc.Arbitrary<Paid> = fc.record({
  account: fc.nat(STRANGER),
  pool: fc.nat(2),
  at: fc
    .oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 50n }), fc.bigInt({ min: 0n, max: 2n ** 88n - 1n }))
    .map(String),
  zatoshi: fc.oneof(fc.constantFrom(0, 1, 5_000, 5_001), fc.integer({ min: 10_000, max: 900_000_000 })),
  memo,
  flaw: fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('wrong-commitment', 'wrong-lead-byte', 'wrong-ephemeral-key' as const),
    },
  ),
});

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('paid' as const),
      payments: fc.array(paid, { minLength: 1, maxLength: 3 }),
      others: fc.nat(2),
      spentAtOnce: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('spent' as const),
      account: fc.nat(ACCOUNTS - 1),
      pool: fc.constantFrom(...POOLS),
      notes: fc.integer({ min: 1, max: 3 }),
      payments: fc.array(
        fc.tuple(paid, fc.nat(45)).map(([payment, share]) => ({ ...payment, flaw: undefined, share })),
        { maxLength: 2 },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reward' as const), to: paid }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('nothing' as const), blocks: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 6 }),
      again: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
);

export const histories: fc.Arbitrary<History> = fc.record({
  seed: fc.nat(),
  heights: fc.constantFrom({}, { nu6_3: 1 }, { nu6_3: 6 }, { nu6_3: 1, nu7: 1 }, { nu6_3: 4, nu7: 9 }),
  source: fc.constantFrom('node', 'compact' as const),
  watchOnly: fc.record({ here: fc.boolean(), there: fc.boolean() }),
  events: fc.array(event, { minLength: 4, maxLength: 24 }),
});

/** A chain on which a history happens, for the accounts of a seed. */
export class HistoryChain {
  readonly devnet: Devnet;
  readonly #keys: readonly ViewingKeys[];
  readonly #accounts: readonly DevnetAccount[];

  constructor({ seed, heights }: History, walletSeed: Uint8Array) {
    const params = regtestParameters({ nu6_3: undefined, ...heights });
    this.devnet = new Devnet({ params, seed: String(seed) });
    this.#keys = Array.from({ length: STRANGER + 1 }, (_, account) =>
      deriveViewingKeys(walletSeed, params, account),
    );
    this.#accounts = this.#keys.map((keys, account) => this.devnet.account(keys, account));
    this.devnet.mineEmpty(PEER_BIRTHDAY);
  }

  happen(event: Exclude<Event, { kind: 'look' }>): void {
    if (event.kind === 'paid') this.#pay(event);
    else if (event.kind === 'spent') this.#mine(this.#spend(event, this.#oldestOf(event)));
    else if (event.kind === 'reward') this.devnet.mine({ coinbase: this.#reward(event.to) });
    else if (event.kind === 'nothing') this.devnet.mineEmpty(event.blocks);
    else this.#reorganise(event);
  }

  #pay({ payments, others, spentAtOnce }: Extract<Event, { kind: 'paid' }>): void {
    const [first, ...rest] = payments.map((payment) => this.#payment(payment));
    const transaction = this.devnet.pay([first!, ...rest], { otherOutputs: { [first!.pool]: others } });
    const account = this.#accounts[payments[0]!.account]!;
    const made = spentAtOnce ? account.notesIn(transaction).filter(({ nullifier }) => nullifier) : [];
    const onward = { account: payments[0]!.account, pool: first!.pool, notes: 1, payments: [] };
    this.#mine(transaction, made[0] && this.#spend(onward, made.slice(0, 1)));
  }

  #mine(...transactions: readonly (BuiltTransaction | undefined)[]): void {
    this.devnet.mine({ transactions: transactions.filter((one) => one !== undefined) });
  }

  #oldestOf({ account, pool, notes }: Spent): OwnedNote[] {
    return this.#accounts[account]!.unspent(pool)
      .filter(({ note }) => note.value > 0n)
      .slice(0, notes);
  }

  /** Undefined where the notes do not cover it. */
  #spend({ account, payments }: Spent, notes: readonly OwnedNote[]): BuiltTransaction | undefined {
    if (notes.length === 0) return undefined;
    const value = notes.reduce((sum, { note }) => sum + note.value, 0n);
    const shares = payments.map(({ share, ...payment }) => ({
      ...this.#payment(payment),
      zatoshi: (value * BigInt(share)) / 100n,
    }));
    try {
      return this.devnet.spend(this.#accounts[account]!, { from: notes, payments: shares });
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #payment({ account, pool, at, zatoshi, memo, flaw }: Paid) {
    const chosen = this.#poolAt(pool);
    const bytes = Array.isArray(memo) ? Uint8Array.from({ length: MEMO_SIZE }, (_, i) => memo[i] ?? 0) : memo;
    return {
      address: this.#receiversAt(account, BigInt(at)),
      pool: chosen,
      zatoshi,
      ...(bytes === undefined ? {} : { memo: bytes as string | Uint8Array }),
      ...(flaw === undefined ? {} : { flaw }),
    };
  }

  #reward(to: Paid): NonNullable<MineOptions['coinbase']> {
    const { zatoshi: _, flaw: __, ...coinbase } = { flaw: undefined, ...this.#payment(to) };
    return coinbase;
  }

  /** Those that take funds in the next block. */
  #poolAt(choice: number): Pool {
    const { activation } = this.devnet.params;
    const height = this.devnet.tip.height + 1;
    const open = POOLS.filter((pool) => {
      const { activation: from, withdrawOnlyFrom: until } = POOL[pool];
      const isActive = (upgrade: typeof from): boolean => (activation[upgrade] ?? Infinity) <= height;
      return isActive(from) && !(until !== undefined && isActive(until));
    });
    return open[choice % open.length]!;
  }

  #receiversAt(account: number, index: bigint): Required<ShieldedReceivers> {
    const keys = incomingKeys(this.#keys[account]!, account).filter(({ scope }) => scope === 'external');
    const [sapling, orchard] = (['sapling', 'orchard'] as const).map(
      (protocol) => keys.find((key) => key.protocol === protocol)!,
    );
    let valid: Uint8Array | undefined;
    for (let i = index; valid === undefined; i = (i + 1n) % 2n ** 88n) valid = saplingAddressAt(sapling!, i);
    return { sapling: valid, orchard: orchardAddressAt(orchard!, index) };
  }

  #reorganise({ depth, again }: Extract<Event, { kind: 'reorg' }>): void {
    const { devnet } = this;
    const kept = Math.max(PEER_BIRTHDAY - 1, devnet.tip.height - depth);
    const abandoned = devnet.rewindTo(kept);
    const transactions = again ? abandoned.flatMap((block) => block.transactions.slice(1)) : [];
    devnet.mine({ transactions });
    devnet.mineEmpty(abandoned.length);
  }
}
