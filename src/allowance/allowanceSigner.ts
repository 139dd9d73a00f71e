// Signs payments within its policy. It believes nothing that it is told: what a payment does is computed from the PCZT, and what was
// paid before is in its own journal.

import { SerialQueue } from '@wallet-companion/base/async';
import { FormatError } from '@wallet-companion/base/bytes';
import { type BareProofKey, type BareSignature, decodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import {
  deriveSigningKeys,
  effectOf,
  type PaymentEffect,
  proofKeysFor,
  type SigningKeys,
  signPczt,
  wipeSigningKeys,
} from '@wallet-companion/pczt/signer';
import { deriveViewingKeys, type IncomingKey, incomingKeys } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { type Journal, type JournalPayment, noSuchPayment } from './journal.ts';
import { type Policy, receiversOf, refusalOf, totalsOf } from './policy.ts';
import type { SteadyClock } from './steadyClock.ts';

/** What a payment waits for that is allowed otherwise. */
export type WaitsFor =
  /** `until`: milliseconds since 1970. */
  { readonly kind: 'delay'; readonly until: number } | { readonly kind: 'confirmation' };

export type SignerAnswer =
  | {
      readonly kind: 'signed';
      readonly signatures: readonly BareSignature[];
      readonly proofKeys: readonly BareProofKey[];
    }
  | { readonly kind: 'waits'; readonly for: WaitsFor }
  /** `why`: the end of a sentence. */
  | { readonly kind: 'refused'; readonly why: string };

export interface AllowanceOptions {
  /** 64 bytes, copied. */
  readonly seed: Uint8Array;
  readonly params: NetworkParameters;
  readonly policy: Policy;
  readonly journal: Journal;
  /** By `now` it is counted, and as of `latest` recorded. */
  readonly clock: Pick<SteadyClock, 'now' | 'latest'>;
  readonly randomBytes: RandomBytes;
  /** A payment waits until a person has confirmed it. */
  readonly onUnconfirmed: (payment: JournalPayment) => void;
}

export class AllowanceSigner {
  readonly #options: Omit<AllowanceOptions, 'seed'>;
  readonly #receivers: ReadonlySet<string> | undefined;
  #signing: readonly SigningKeys[];
  readonly #incoming: readonly IncomingKey[];
  readonly #turns = new SerialQueue();

  constructor({ seed, ...options }: AllowanceOptions) {
    const { policy, params } = options;
    this.#options = options;
    this.#receivers = receiversOf(policy, params);
    this.#incoming = policy.accounts.flatMap((account) =>
      incomingKeys(deriveViewingKeys(seed, params, account), account),
    );
    this.#signing = policy.accounts.map((account) => deriveSigningKeys(seed, params, account));
  }

  /** Signs what is allowed. Rejects with `STORAGE_FAILED`, and then nothing was signed. */
  answer(pczt: Uint8Array): Promise<SignerAnswer> {
    return this.#turns.run(async () => {
      const answer = await this.#answer(pczt);
      if (answer.kind === 'refused') this.#options.journal.noteRefusal(answer.why, this.#options.clock.now());
      return answer;
    });
  }

  /** A person has typed yes. Rejects with `NOT_FOUND`, `STORAGE_FAILED`. */
  confirm(txid: string): Promise<void> {
    return this.#move(txid, 'confirmed');
  }

  /** A waiting payment is never signed. Rejects with `NOT_FOUND`, `STORAGE_FAILED`. */
  cancel(txid: string): Promise<void> {
    return this.#move(txid, 'cancelled');
  }

  /** No signature is made after it. */
  close(): void {
    this.#signing.forEach(wipeSigningKeys);
    this.#signing = [];
  }

  async #answer(bytes: Uint8Array): Promise<SignerAnswer> {
    try {
      const { pczt } = decodePczt(bytes);
      const { params } = this.#options;
      const effect = effectOf(pczt, { params, keys: this.#incoming });
      return await this.#evaluated(pczt, effect);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return { kind: 'refused', why: error.message };
    }
  }

  async #evaluated(pczt: Pczt, effect: PaymentEffect): Promise<SignerAnswer> {
    const { journal, policy, clock } = this.#options;
    const time = clock.now();
    const known = journal.find(effect.txid);
    if (known !== undefined && !isSamePayment(known, recordOf(effect, known.state, time)))
      return { kind: 'refused', why: 'it takes another amount than when it was first seen' };
    // It counts already, and its first signatures are out.
    if (known?.state === 'signed') return this.#signed(pczt, effect);
    if (known?.state === 'cancelled') return { kind: 'refused', why: 'it was cancelled at the signer' };
    const why =
      refusalOf(effect, policy, this.#receivers, journal.spent(time)) ?? journal.fullness('signed', time);
    if (why !== undefined) return { kind: 'refused', why };
    const waits = this.#waitsFor(effect, known, time);
    if (waits !== undefined) return this.#waiting(effect, known, waits, time);
    const answer = this.#signed(pczt, effect);
    await journal.put(recordOf(effect, 'signed', clock.latest()), time);
    return answer;
  }

  /** The person is asked first: the delay goes on meanwhile. */
  #waitsFor(effect: PaymentEffect, known: JournalPayment | undefined, time: number): WaitsFor | undefined {
    const { clock, policy } = this.#options;
    const { delay, confirm } = policy;
    const { total } = totalsOf(effect);
    if (confirm !== null && total > confirm.above_zatoshi && known?.state !== 'confirmed')
      return { kind: 'confirmation' };
    const until =
      delay !== null && total > delay.above_zatoshi
        ? (known?.at ?? clock.latest()) + delay.seconds * 1000
        : time;
    return until > time ? { kind: 'delay', until } : undefined;
  }

  async #waiting(
    effect: PaymentEffect,
    known: JournalPayment | undefined,
    waits: WaitsFor,
    time: number,
  ): Promise<SignerAnswer> {
    if (known !== undefined) return { kind: 'waits', for: waits };
    const { journal, clock, onUnconfirmed } = this.#options;
    const why = journal.fullness('waiting', time);
    if (why !== undefined) return { kind: 'refused', why };
    const payment = recordOf(effect, 'waiting', clock.latest());
    await journal.put(payment, time);
    if (waits.kind === 'confirmation') onUnconfirmed(payment);
    return { kind: 'waits', for: waits };
  }

  #signed(pczt: Pczt, { account }: PaymentEffect): SignerAnswer {
    const keys = this.#signing.find((one) => one.account === account);
    if (keys === undefined) return { kind: 'refused', why: 'the account is not one that may pay' };
    const proofKeys = proofKeysFor(pczt, keys);
    return { kind: 'signed', signatures: signPczt(pczt, keys, this.#options.randomBytes), proofKeys };
  }

  #move(txid: string, state: 'confirmed' | 'cancelled'): Promise<void> {
    return this.#turns.run(async () => {
      const { journal, clock } = this.#options;
      const known = journal.find(txid);
      if (known?.state !== 'waiting' && !(known?.state === 'confirmed' && state === 'cancelled'))
        throw noSuchPayment();
      const at = state === 'confirmed' ? known.at : clock.latest();
      await journal.put({ ...known, state, at }, clock.now());
    });
  }
}

/** The txid covers what is paid, but not what transparent inputs are said to be worth, and so not the fee. */
const isSamePayment = (known: JournalPayment, now: JournalPayment): boolean =>
  known.total === now.total && known.fee === now.fee && known.account === now.account;

const recordOf = (effect: PaymentEffect, state: JournalPayment['state'], at: number): JournalPayment => ({
  txid: effect.txid,
  account: effect.account,
  payments: effect.payments.map(({ address, amount }) => ({ address, zatoshi: Number(amount) })),
  ...totalsOf(effect),
  state,
  at,
});
