// Real transactions that pay the accounts of the wallet or spend what they were paid, made once and mined on as many
// chains as there are: making them is what costs. Mined again after a reorganisation they are the same transactions.

import { Devnet, type DevnetAccount, type OwnedNote } from '@wallet-companion/devnet';
import type { BuiltTransaction } from '@wallet-companion/devnet/chain';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { nullifierToHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { deriveViewingKeys, mnemonicToSeed, type ViewingKeys } from '@wallet-companion/zcash/keys';
import { POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { ACCOUNTS, invoiceAddress, PARAMETERS } from './invoices.ts';

export const PHRASE = `${'abandon '.repeat(23)}art`;
/** Of each kind. A block that is to have one more has none. */
const MOST_PAYMENTS = 12;
const PAID = 1_000_000;
const SENT_ON = 400_000;
/** Covers what is sent on and the fee, and leaves change. */
const LEAST_SPENT = 500_000n;

export interface PaidNote {
  readonly account: number;
  readonly owned: OwnedNote;
}

export interface KnownTransaction {
  readonly txid: string;
  readonly built: BuiltTransaction;
  /** Those of the wallet. */
  readonly notes: readonly PaidNote[];
}

class Payments {
  readonly #maker = new Devnet({ params: PARAMETERS, seed: 'payments' });
  readonly #keys: readonly ViewingKeys[];
  readonly #accounts: readonly DevnetAccount[];
  readonly #stranger: string;
  readonly #paid = new Map<string, KnownTransaction>();
  readonly #spent = new Map<string, KnownTransaction>();
  readonly #nullifiers = new WeakMap<object, Map<number, string>>();

  constructor() {
    const seed = mnemonicToSeed(PHRASE, '');
    const keys = ACCOUNTS.map((account) => deriveViewingKeys(seed, PARAMETERS, account));
    this.#keys = keys;
    this.#accounts = keys.map((ours, account) => this.#maker.account(ours, account));
    const theirs = deriveViewingKeys(new Uint8Array(64).fill(7), PARAMETERS, 0);
    this.#stranger = firstAddress(theirs, PARAMETERS, 0n).unifiedAddress;
  }

  /** One account's. */
  keysOf(account: number): ViewingKeys {
    return this.#keys[account]!;
  }

  /** The first of its kind that is not there yet. */
  payment(account: number, kind: number, isThere: (txid: string) => boolean): KnownTransaction | undefined {
    const pool = POOLS[kind % POOLS.length]!;
    for (let n = 0; n < MOST_PAYMENTS; n++) {
      const payment = this.#payment(account, pool, n);
      if (!isThere(payment.txid)) return payment;
    }
    return undefined;
  }

  /** Undefined for a note too small. */
  spend({ account, owned }: PaidNote, position: number): KnownTransaction | undefined {
    if (owned.note.value < LEAST_SPENT) return undefined;
    const name = this.nullifier({ account, owned }, position);
    const made = this.#spent.get(name);
    if (made !== undefined) return made;
    const { pool } = owned.note;
    const nullifier = owned.note.nullifier(owned.key.nk!, position);
    const to: Pool = POOL[pool].withdrawOnlyFrom === undefined ? pool : 'ironwood';
    const built = this.#maker.spend(this.#accounts[account]!, {
      from: [{ ...owned, nullifier }],
      payments: [{ address: this.#stranger, pool: to, zatoshi: SENT_ON }],
    });
    const spending = this.#known(built);
    this.#spent.set(name, spending);
    return spending;
  }

  /** Hex; only Sapling's depend on the position. */
  nullifier({ owned: { note, key } }: PaidNote, position: number): string {
    const at = POOL[note.pool].hasRho ? 0 : position;
    const known = this.#nullifiers.get(note) ?? new Map<number, string>();
    this.#nullifiers.set(note, known);
    const hex = known.get(at) ?? nullifierToHex(note.nullifier(key.nk!, position));
    known.set(at, hex);
    return hex;
  }

  #payment(account: number, pool: Pool, n: number): KnownTransaction {
    const name = `${account}:${pool}:${n}`;
    const made = this.#paid.get(name);
    if (made !== undefined) return made;
    const zatoshi = PAID + 1_000 * n + 10 * POOLS.indexOf(pool) + account;
    const { unifiedAddress: address } = invoiceAddress(this.#keys[account]!, n);
    const payment = this.#known(this.#maker.pay([{ address, pool, zatoshi }]));
    this.#paid.set(name, payment);
    return payment;
  }

  #known(built: BuiltTransaction): KnownTransaction {
    const notes = ACCOUNTS.flatMap((account) =>
      this.#accounts[account]!.notesIn(built).map((owned) => ({ account, owned })),
    );
    return { txid: txIdToHex(built.txid), built, notes };
  }
}

let shared: Payments | undefined;

/** One for all schedules. */
export const payments = (): Payments => {
  shared ??= new Payments();
  return shared;
};
