// What a customer reads at the counter about an invoice. The words follow from the invoice alone.

import type { Output } from '@wallet-companion/client';
import { awaitsMark, checkoutStatus, TONES, type Tone } from '@wallet-companion/client/checkout';
import type { TillTexts } from '../texts/till.ts';

export type Invoice = Output<'invoices.get'>;

export interface TillLook {
  readonly tone: Tone;
  readonly headline: string;
  /** Each with an amount or a number behind it, or alone. */
  readonly lines: readonly (readonly [text: string, value?: { zatoshi: number } | string])[];
  /** What the code on the screen asks for; null: no code, nothing more is expected. Undefined: the payer chooses. */
  readonly due: number | null | undefined;
}

export function tillLook(invoice: Invoice, texts: TillTexts): TillLook {
  const { exception, amount_zatoshi: amount, required_confirmations: required } = invoice;
  const { kind, arrived, due } = checkoutStatus(invoice);
  const more: TillLook['lines'] =
    exception === 'reversed'
      ? [[texts.reversed]]
      : exception === 'late'
        ? [[texts.late, { zatoshi: arrived }]]
        : exception === 'overpaid' && amount !== null
          ? [[texts.overpaid, { zatoshi: arrived - amount }]]
          : [];
  const depth: TillLook['lines'] = [
    [texts.confirmations, `${Math.min(invoice.confirmations, required)} / ${required}`],
    ...(invoice.verified_with === null ? [[texts.alone] as const] : []),
  ];
  const then: TillLook['lines'] = {
    open: [],
    part: [[texts.stillDue, { zatoshi: due ?? 0 }]] as const,
    seen: [[awaitsMark(invoice) ? texts.check : texts.seenMore]] as const,
    paid: depth,
    confirmed: depth,
    expired: [],
    cancelled: [],
  }[kind];
  const headline = kind === 'open' ? texts.scan : texts[kind];
  return { tone: TONES[kind], headline, lines: [...more, ...then], due };
}

type Refund = Invoice['refunds'][number];

const REFUND_STATES: Readonly<Record<Refund['status'], keyof TillTexts['refundStates']>> = {
  prepared: 'open',
  complete: 'open',
  sent: 'sent',
  in_mempool: 'sent',
  mined: 'done',
  confirmed: 'done',
  expired: 'over',
  conflicted: 'over',
  lost_note: 'over',
  discarded: 'over',
};

export const refundState = ({ status }: Pick<Refund, 'status'>): keyof TillTexts['refundStates'] =>
  REFUND_STATES[status];

/** The invoices with a part of an order's number, each once, in their order. */
export function matching(invoices: readonly Invoice[], wanted: string): readonly Invoice[] {
  const part = wanted.toLowerCase();
  const found = invoices.filter(({ reference }) => reference?.toLowerCase().includes(part));
  return [...new Map(found.map((invoice) => [invoice.invoice_id, invoice])).values()];
}
