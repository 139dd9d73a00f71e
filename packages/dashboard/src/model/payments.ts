// A prepared payment in words, and the actions that are possible in its state.

import type { CompanionError, Output } from '@wallet-companion/client';
import { payTexts } from '../texts/pay.ts';
import type { Formats } from './amounts.ts';
import { waitingText } from './funds.ts';
import { Objection } from './problems.ts';

export type Payment = Output<'payments.get'>;
export type Prepared = Output<'payments.prepare'>;
export type Inspected = Output<'pczt.inspect'>;
type Shown = Payment['becomes_public'][number];
/** To show own addresses is what shielding is: nobody is asked about it. */
export type Consent = Exclude<Shown['consent'], 'transparent_senders'>;

const CONSENTS: readonly Consent[] = ['crossing_pools', 'transparent_recipients', 'unusual_fee'];

/** The consents that a refusal names; all of them where it names none that the page knows. */
export function consentsNamed({ consents = [] }: CompanionError): readonly Consent[] {
  const named = CONSENTS.filter((name) => consents.includes(name));
  return named.length > 0 ? named : CONSENTS;
}

/** From the form to the last confirmation. */
export const STEPS = ['fill', 'check', 'sign', 'send', 'follow'] as const;

/** So many are behind it; undefined: it is over without having paid. `isChecked`: somebody has read what was prepared. */
export function stepOf(payment: Payment | undefined, isChecked: boolean): number | undefined {
  if (payment === undefined) return 0;
  const { status, missing } = payment;
  if (status === 'prepared' || status === 'complete') return isChecked ? (missing.length > 0 ? 2 : 3) : 1;
  if (status === 'confirmed') return STEPS.length;
  return status === 'sent' || status === 'in_mempool' || status === 'mined' ? 4 : undefined;
}

/** It was sent, and paid somebody in a shielded pool. */
export const hasReceipt = (payment: Payment): boolean =>
  (stepOf(payment, true) ?? 0) > STEPS.indexOf('send') &&
  payment.payments.some(({ pool }) => pool !== 'transparent');

export interface Possible {
  readonly signing: boolean;
  readonly proving: boolean;
  readonly sending: boolean;
  readonly discarding: boolean;
}

export function possible({ status, missing, last_sent: sent }: Payment): Possible {
  const isOpen = status === 'prepared' || status === 'complete';
  return {
    signing: isOpen && missing.some(({ signatures, signer_keys: keys }) => signatures > 0 || keys),
    proving: isOpen && missing.some(({ proofs }) => proofs),
    // A payment without a confirmed arrival may be sent again.
    sending: (isOpen && missing.length === 0) || status === 'sent',
    discarding: isOpen || (status === 'lost_note' && sent === null),
  };
}

export const NOTHING_BUT_DISCARDING: Possible = {
  signing: false,
  proving: false,
  sending: false,
  discarding: true,
};

/** What the wallet has when it is paid, while that lies ahead; undefined where the balance has it already, or is unknown. */
export function leftAfter(payment: Payment, total: number | undefined): number | undefined {
  const step = stepOf(payment, true);
  const isAhead = step !== undefined && payment.mined_height === null;
  if (!isAhead || total === undefined) return undefined;
  return isShielding(payment)
    ? total + movedZatoshi(payment)
    : total - movedZatoshi(payment) - payment.fee_zatoshi;
}

export const isShielding = ({ inputs }: Payment): boolean => inputs.length > 0;

/** What it shields, with how many outputs each address has of it. */
export function shieldedTexts({ inputs }: Payment, formats: Formats): readonly string[] {
  const addresses = [...new Set(inputs.map(({ address }) => address))];
  return addresses.map((address) => {
    const own = inputs.filter((input) => input.address === address);
    const sum = own.reduce((all, { value_zatoshi: value }) => all + value, 0);
    return payTexts().shielded(formats.amountText(sum), formats.counted(own.length, 'output'), address);
  });
}

/** What is missing before it can be sent, by pool. */
export function missingText(payment: Payment, formats: Formats): readonly string[] {
  if (!possible(payment).discarding) return [];
  const texts = payTexts();
  return payment.missing.map(({ pool, signatures, proofs, signer_keys: keys }) => {
    const parts = [
      ...(signatures === 0 ? [] : [formats.counted(signatures, 'signature')]),
      ...(proofs ? [texts.proofs] : []),
      ...(keys ? [texts.signerKey] : []),
    ];
    return texts.missingIn(pool, parts.join(', '));
  });
}

/** `since` as the companion writes it, `now` in milliseconds. */
export function provingText(since: string, now: number, formats: Formats): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / 1000));
  return payTexts().proving(formats.clock(seconds));
}

export function shownText(
  { consent, pool, address, amount_zatoshi: zatoshi }: Shown,
  formats: Formats,
): string {
  const amount = formats.amountText(Math.abs(zatoshi));
  const texts = payTexts();
  switch (consent) {
    case 'crossing_pools':
      return (zatoshi < 0 ? texts.enters : texts.leaves)(amount, pool ?? texts.shieldedPools);
    case 'transparent_recipients':
      return texts.goTo(amount, address ?? texts.transparentAddress);
    case 'transparent_senders':
      return texts.comeFrom(amount, address ?? texts.transparentAddress);
    default:
      return texts.unusualFee(amount);
  }
}

function sentText({ last_sent: sent }: Payment): string | undefined {
  if (sent === null) return undefined;
  const texts = payTexts();
  const words = sent.detail === null || sent.outcome === 'accepted' ? '' : texts.itSaid(sent.detail);
  return texts.sentBy[sent.source][sent.outcome] + words;
}

/** What an allowance signer waits for before it signs. */
export function signerWaitsText({ waits_for: waits }: Payment, formats: Formats): string | undefined {
  if (waits === null) return undefined;
  const texts = payTexts();
  return waits.until === null ? texts.waitsForYes : texts.waitsUntil(formats.moment(waits.until));
}

/** What comes next, in a few words. */
export const statusText = (payment: Payment, formats: Formats): string =>
  signerWaitsText(payment, formats) ?? payTexts().status[payment.status];

/** A caller may have asked for more than the rule: the companion says when a payment is confirmed. */
export const paymentWaits = ({ status, confirmations }: Payment, least: number): string | undefined =>
  status === 'mined' ? waitingText(confirmations, true, Math.max(least, confirmations + 1)) : undefined;

/** How it stands, as names and texts. */
export function stateRows(
  payment: Payment,
  leastConfirmations: number,
  formats: Formats,
): readonly (readonly [string, string])[] {
  const { mined_height: mined, confirmations, expires_at: until, last_height: last } = payment;
  const sent = sentText(payment);
  const texts = payTexts();
  const rows: (readonly [string, string])[] = [];
  if (mined !== null)
    rows.push([
      texts.mined,
      texts.minedIn(
        formats.count(mined),
        paymentWaits(payment, leastConfirmations) ?? formats.counted(confirmations, 'confirmation'),
      ),
    ]);
  else if (until !== null)
    rows.push([texts.minedUntil, texts.untilBlock(formats.count(last), formats.moment(until))]);
  if (sent !== undefined) rows.push([texts.sent, sent]);
  const waits = signerWaitsText(payment, formats);
  if (waits !== undefined) rows.push([texts.signer, texts.asksAgain(waits)]);
  return rows;
}

/** Where everything is sent or shielded: the funds that did not fit into one transaction; undefined: nothing is left. */
export function leftText({ left }: Pick<Prepared, 'left'>, formats: Formats): string | undefined {
  if (left === null || left.payments === 0) return undefined;
  const payments = formats.counted(left.payments, 'morePayment');
  return payTexts().left(formats.amountText(left.zatoshi), payments);
}

/** What is paid, or shielded. */
export const movedZatoshi = (payment: Payment): number =>
  isShielding(payment)
    ? (payment.change?.amount_zatoshi ?? 0)
    : payment.payments.reduce((sum, { amount_zatoshi: zatoshi }) => sum + zatoshi, 0);

type Combined = Output<'payments.combine'>;

/** Throws where nothing new came back. */
export function takenText(
  { signatures_added: signatures, proofs_added: proofs, missing }: Combined,
  formats: Formats,
): string {
  const texts = payTexts();
  if (signatures + proofs > 0)
    return texts.taken(formats.counted(signatures, 'signature'), formats.counted(proofs, 'proof'));
  throw new Objection(missing.some((one) => one.signatures > 0) ? texts.unsigned : texts.known);
}

/** The PCZT in base64, from a file of its bytes or of base64 text. Undefined for any other file. */
export function pcztText(bytes: Uint8Array): string | undefined {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  if (text.startsWith('PCZT')) return btoa(text);
  const packed = text.replaceAll(/\s/g, '');
  return /^[A-Za-z0-9+/]{8,}={0,2}$/.test(packed) ? packed : undefined;
}
