// Invoices whose addresses are those that the made-up payments go to, and what they must say: walked through payment by
// payment, as somebody would who knows the chain.

import { firstAddress } from '@wallet-companion/zcash/addresses';
import type { ViewingKeys } from '@wallet-companion/zcash/keys';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { INVOICE_INDEX } from '../../../../src/actors/wallet/noteStore/book/noteTables.ts';
import type { StoredInvoice } from '../../../../src/actors/wallet/ports/invoice.ts';
import type { CompanionEvent } from '../../../../src/protocol/events.ts';
import type { Output } from '../../../../src/protocol/operations.ts';
import type { WalletHarness } from '../../../helpers/walletHarness.ts';

export const PARAMETERS = regtestParameters();
export const ACCOUNTS = [0, 1] as const;

type Invoice = Output<'invoices.get'>;
type Birthdays = ReadonlyMap<number, number>;
type ListedNote = Output<'notes.list'>['notes'][number];

/** Each account has them: open, paid by one payment, paid by several, cancelled; every other one ends while the chain is short. */
const PER_ACCOUNT = 4;
/** The time of a block in the lower part of most chains, which begin in 2011. */
const SOON = (1_296_688_602 + 75 * 25) * 1000;
const NEVER = Date.UTC(2100, 0, 1);
const AMOUNTS = [null, 1_000_000, 2_500_000, 1_000_000];

const indexOf = (number: number): bigint => INVOICE_INDEX + BigInt(number % PER_ACCOUNT) * 1000n;

export const invoiceAddress = (keys: ViewingKeys, number: number) =>
  firstAddress(keys, PARAMETERS, indexOf(number));

/** As they are put into the file of every wallet. */
export const invoiceRows = (keysOf: (account: number) => ViewingKeys): StoredInvoice[] =>
  ACCOUNTS.flatMap((account) =>
    AMOUNTS.map((amount, number): StoredInvoice => {
      const { unifiedAddress, diversifierIndex } = invoiceAddress(keysOf(account), number);
      const sequence = account * PER_ACCOUNT + number + 1;
      return {
        id: sequence.toString(16).padStart(32, '0'),
        account,
        diversifierIndex: String(diversifierIndex),
        address: unifiedAddress,
        uri: `zcash:${unifiedAddress}`,
        amount,
        reference: null,
        label: null,
        memo: null,
        metadata: null,
        confirmations: 1 + 2 * number,
        createdAt: 0,
        expiresAt: number % 2 === account ? SOON : NEVER,
        cancelledAt: number === 3 ? SOON : null,
        announced: {
          sequence,
          at: 0,
          state: 'new',
          fingerprint: '',
          received: 0,
          unmined: 0,
          peak: 0,
          top: 0,
          heights: [],
        },
      };
    }),
  );

/** A shop that books what is announced: each number once, in order, over restarts. */
export class Till {
  #read = 0;
  /** The highest block ever scanned: on a shorter chain, after a rescan, nothing is known to be taken back. */
  #highest = 0;
  #last = ACCOUNTS.length * PER_ACCOUNT;
  readonly #announced = new Map<string, Invoice>();
  readonly #most = new Map<string, number>();

  read(events: readonly CompanionEvent[]): void {
    for (const { event, data } of events.slice(this.#read)) {
      if (event === 'sync.progress') this.#highest = Math.max(this.#highest, data.committed_height);
      if (event !== 'invoice.changed') continue;
      if (data.sequence !== this.#last + 1) throw new Error(`change ${data.sequence} after ${this.#last}`);
      this.#last = data.sequence;
      this.#announced.set(data.invoice_id, data);
      const most = this.#most.get(data.invoice_id) ?? 0;
      this.#most.set(data.invoice_id, Math.max(most, data.received_zatoshi));
    }
    this.#read = events.length;
  }

  restarted(): void {
    this.#read = 0;
  }

  /** Throws with what is wrong. `timeOf`: the seconds of a note's block, where the wallet is complete. */
  async check(
    { call }: Pick<WalletHarness, 'call'>,
    timeOf: ((note: ListedNote) => number | undefined) | undefined,
    top: number | null,
    birthdays: Birthdays,
  ): Promise<void> {
    const { notes } = await call('notes.list', { limit: 1_000 });
    const { invoices } = await call('invoices.list');
    if (invoices.length !== ACCOUNTS.length * PER_ACCOUNT) throw new Error('invoices are missing');
    for (const invoice of invoices) {
      const own = notes.filter(
        ({ account, diversifier_index: index }) =>
          account === invoice.account && index === invoice.diversifier_index,
      );
      const sum = own.reduce((total, note) => total + note.value_zatoshi, 0);
      if (invoice.received_zatoshi !== sum)
        throw new Error(`an invoice has received ${invoice.received_zatoshi}, not ${sum}`);
      if (timeOf === undefined || top === null) continue;
      const timed = own.map((note) => {
        const time = timeOf(note);
        if (time === undefined) throw new Error('paid with a note that is not there');
        return { value: note.value_zatoshi, height: note.height, time };
      });
      const is = wordsOf(invoice);
      const most =
        (top < this.#highest && isFine(invoice)) || this.#isBelow(invoice, birthdays)
          ? 0
          : (this.#most.get(invoice.invoice_id) ?? 0);
      const should = expectedOf(invoice, timed, most, top);
      if (is !== should) throw new Error(`invoice ${invoice.invoice_id} is ${is}, not ${should}`);
    }
  }

  /** A payment was announced below the birthday, where no rescan looks: whether that was taken back is not known. */
  #isBelow({ invoice_id: id, account, payments }: Invoice, birthdays: Birthdays): boolean {
    const seen = new Set(payments.map(({ height }) => height));
    const announced = this.#announced.get(id)?.payments ?? [];
    return announced.some(
      ({ height }) => height !== null && height < (birthdays.get(account) ?? Infinity) && !seen.has(height),
    );
  }

  /** At rest: what was announced last is how each stands. */
  async settle({ call }: Pick<WalletHarness, 'call'>, birthdays: Birthdays): Promise<void> {
    for (const invoice of (await call('invoices.list')).invoices) {
      if (this.#isBelow(invoice, birthdays)) continue;
      const announced = this.#announced.get(invoice.invoice_id);
      const [is, was] = [invoice, announced].map((one) =>
        [one?.state, one?.exception, one?.received_zatoshi].join(),
      );
      if (is !== was) throw new Error(`an invoice is ${is}, but was announced as ${was}`);
    }
  }
}

const isFine = ({ exception }: Invoice): boolean => exception !== 'reversed';

const wordsOf = ({ state, exception, confirmations, payments }: Invoice): string =>
  [state, exception ?? 'fine', confirmations, payments.filter(({ height }) => height !== null).length].join(
    ' ',
  );

interface Timed {
  readonly value: number;
  readonly height: number;
  readonly time: number;
}

function expectedOf(invoice: Invoice, notes: readonly Timed[], most: number, top: number): string {
  const end = Date.parse(invoice.cancelled_at ?? invoice.expires_at);
  const need = invoice.amount_zatoshi;
  const isShort = end === SOON;
  const byHeight = notes.toSorted((a, b) => a.height - b.height);
  let [punctual, late, reachedAt] = [0, 0, 0];
  for (const { value, height, time } of byHeight) {
    if (time * 1000 > end) {
      late += value;
      continue;
    }
    if (punctual < (need ?? 1) && punctual + value >= (need ?? 1)) reachedAt = height;
    punctual += value;
  }
  const unmined = invoice.unmined_zatoshi ?? 0;
  const depth = (height: number | undefined) => (height === undefined ? 0 : top + 1 - height);
  const isPaid = reachedAt > 0;
  let state = unmined > 0 ? 'seen' : 'new';
  if (isShort) state = invoice.cancelled_at === null ? 'expired' : 'cancelled';
  if (isPaid) state = depth(reachedAt) < invoice.required_confirmations ? 'paid' : 'confirmed';
  const counted = punctual + (isPaid ? late + unmined : isShort ? 0 : unmined);
  let exception = 'fine';
  if (need !== null && counted > 0 && counted < need) exception = 'partial';
  if (late > 0) exception = 'late';
  if (need !== null && counted > need) exception = 'overpaid';
  if (punctual + late < most) exception = 'reversed';
  return [state, exception, depth(isPaid ? reachedAt : byHeight.at(-1)?.height), notes.length].join(' ');
}
