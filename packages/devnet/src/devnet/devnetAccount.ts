// An account that the devnet knows by its viewing keys. It can spend its notes: the nullifiers need only viewing keys,
// and the proofs and signatures that need more are filler on a devnet.

import type { Height } from '@wallet-companion/base/values';
import type { ShieldedReceivers } from '@wallet-companion/zcash/addresses';
import {
  type IncomingKey,
  incomingKeys,
  type OutgoingKey,
  orchardAddressAt,
  outgoingKeys,
  saplingAddressAt,
  type ViewingKeys,
} from '@wallet-companion/zcash/keys';
import type { NetworkParameters, Scope, TxVersion } from '@wallet-companion/zcash/network';
import { MEMO_SIZE } from '@wallet-companion/zcash/notes';
import {
  isWithdrawOnly,
  POOL,
  type Pool,
  poolsAt,
  type ShieldedProtocol,
} from '@wallet-companion/zcash/pools';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import type { BuiltTransaction } from './builtTransaction.ts';
import type { ChainView } from './chainView.ts';
import { type OwnedNote, OwnedNotes } from './ownedNotes.ts';
import { encodeMemo, type Payment, planPayment } from './payment.ts';
import { type PlannedOutput, type TransactionPlan, usualFee } from './transactionPlan.ts';

export interface SpendOrder {
  /** Spends the largest notes of a pool until they suffice, or exactly these notes. */
  readonly from: Pool | readonly OwnedNote[];
  readonly payments: readonly Payment[];
  /** Default: the pool of the first spent note, but Ironwood for an Orchard note once Orchard only pays out. */
  readonly changePool?: Pool;
  readonly version?: TxVersion;
}

export class DevnetAccount {
  readonly #incoming: readonly IncomingKey[];
  readonly #outgoing: readonly OutgoingKey[];
  readonly #params: NetworkParameters;
  readonly #owned: OwnedNotes;

  /** `index`: the account number in reports about its notes. */
  constructor(keys: ViewingKeys, index: number, { params, blocks }: Pick<ChainView, 'params' | 'blocks'>) {
    this.#incoming = incomingKeys(keys, index);
    this.#outgoing = outgoingKeys(keys, index);
    this.#params = params;
    this.#owned = new OwnedNotes(blocks, this.#incoming, params);
  }

  /** The receivers of the account's change. */
  get internalReceivers(): Required<ShieldedReceivers> {
    return { sapling: this.#changeRecipient('sapling'), orchard: this.#changeRecipient('orchard') };
  }

  /** All notes on the best chain, spent ones included. */
  notes(): OwnedNote[] {
    return this.#owned.mined();
  }

  /** Notes of a transaction that may not be mined yet. */
  notesIn(transaction: BuiltTransaction): OwnedNote[] {
    return this.#owned.in(transaction);
  }

  unspent(pool?: Pool): OwnedNote[] {
    return this.notes().filter(({ note, spent }) => !spent && (pool === undefined || note.pool === pool));
  }

  /** Zatoshi of the unspent mined notes. */
  balance(pool?: Pool): bigint {
    return total(this.unspent(pool));
  }

  /** Throws RangeError when the notes do not cover payments and fee. */
  planSpend(order: SpendOrder, height: Height, usualVersion: TxVersion): TransactionPlan {
    const { from, payments, version = usualVersion } = order;
    const outputs = payments.map((payment) =>
      planPayment(payment, this.#params, this.#outgoingKey(payment.pool, 'external')),
    );
    const paid = outputs.reduce((sum, output) => sum + output.value, 0n);
    const candidates = typeof from === 'string' ? largestFirst(this.unspent(from)) : from;
    for (let count = typeof from === 'string' ? 1 : from.length; count <= candidates.length; count++) {
      const notes = candidates.slice(0, count);
      const changePool = order.changePool ?? this.#usualChangePool(notes[0]!.note.pool, height);
      const companions = this.#companions(notes, height);
      const plan = (change: bigint): TransactionPlan => ({
        height,
        version,
        outputs: [...outputs, this.#change(changePool, change), ...companions],
        spends: notes.map(plannedSpend),
        payer: 'none',
        otherOutputs: EMPTY_TREES,
        coinbase: undefined,
      });
      const change = total(notes) - paid - usualFee(plan(0n), this.#params);
      if (change >= 0n) return plan(change);
    }
    throw new RangeError('the notes do not cover the payments and the fee');
  }

  #usualChangePool(pool: Pool, height: Height): Pool {
    const { activation } = this.#params;
    if (!isWithdrawOnly(pool, activation, height)) return pool;
    const { protocol } = POOL[pool];
    const open = poolsAt(activation, height).filter((other) => !isWithdrawOnly(other, activation, height));
    return open.findLast((other) => POOL[other].protocol === protocol) ?? pool;
  }

  /**
   * Every spend of a pool that only pays out (Orchard from NU6.3) comes with a zero-value output to the spent note's
   * own address (ZIP 229). Wallets make only change decryptable; the other outputs are filler like any padding.
   */
  #companions(notes: readonly OwnedNote[], height: Height): PlannedOutput[] {
    const { activation } = this.#params;
    return notes
      .filter(({ note, key }) => isWithdrawOnly(note.pool, activation, height) && key.scope === 'internal')
      .map(({ note: { pool, recipient } }) => ({
        pool,
        recipient,
        value: 0n,
        memo: new Uint8Array(MEMO_SIZE),
        outgoingKey: undefined,
        flaw: undefined,
      }));
  }

  #change(pool: Pool, value: bigint): PlannedOutput {
    return {
      pool,
      recipient: this.#changeRecipient(pool),
      value,
      memo: encodeMemo(undefined),
      outgoingKey: this.#outgoingKey(pool, 'internal'),
      flaw: undefined,
    };
  }

  /** The internal address of the lowest index that has one. */
  #changeRecipient(pool: Pool): Uint8Array {
    const key = this.#incoming.find((k) => k.protocol === POOL[pool].protocol && k.scope === 'internal');
    if (!key) throw new RangeError(`the account has no internal key for ${pool} change`);
    return LOWEST_ADDRESS[key.protocol](key);
  }

  #outgoingKey(pool: Pool, scope: Scope): Uint8Array | undefined {
    const key = this.#outgoing.find((k) => k.protocol === POOL[pool].protocol && k.scope === scope);
    return key?.ovk;
  }
}

const LOWEST_ADDRESS: Readonly<Record<ShieldedProtocol, (key: IncomingKey) => Uint8Array>> = {
  sapling: lowestSaplingAddress,
  orchard: (key) => orchardAddressAt(key, 0n),
};

function lowestSaplingAddress(key: IncomingKey): Uint8Array {
  for (let index = 0n; ; index++) {
    const address = saplingAddressAt(key, index);
    if (address) return address;
  }
}

const total = (notes: readonly OwnedNote[]): bigint => notes.reduce((sum, { note }) => sum + note.value, 0n);

const largestFirst = (notes: readonly OwnedNote[]): OwnedNote[] =>
  notes.toSorted((a, b) => (a.note.value < b.note.value ? 1 : a.note.value > b.note.value ? -1 : 0));

function plannedSpend({ note, nullifier }: OwnedNote): TransactionPlan['spends'][number] {
  if (!nullifier) throw new RangeError('a Sapling note can be spent once it is mined');
  return { pool: note.pool, nullifier, value: note.value };
}
