// How an invoice stands for who pays it, without words: what has arrived, what is still due, how much time is left. The
// checkout and the dashboard's till say it in their own words.

/** What a shop's server gives its page of an invoice: members of `invoices.get`, and the code for what is due. */
export interface CheckoutInvoice {
  readonly state: 'new' | 'seen' | 'paid' | 'confirmed' | 'expired' | 'cancelled';
  readonly exception: 'reversed' | 'overpaid' | 'late' | 'partial' | null;
  /** Null: the payer chooses. */
  readonly amount_zatoshi: number | null;
  readonly received_zatoshi: number;
  /** Null: unknown. */
  readonly unmined_zatoshi: number | null;
  readonly confirmations: number;
  readonly required_confirmations: number;
  /** Whether it counts once a node has given the blocks, and whether one has. */
  readonly require_verified?: boolean;
  readonly verified_with?: string | null;
  readonly address: string;
  readonly expires_at: string;
  /** The payment request for what is still due: of the invoice, or of `payment_uri.qr` for the rest. */
  readonly uri: string;
  /** Its code, as `invoices.qr` and `payment_uri.qr` give it in the format `svg`. Without it none is shown. */
  readonly qr?: string | null;
  /** Goes back as `after`. */
  readonly sequence?: number;
}

/** The members that decide. */
export type JudgedInvoice = Omit<CheckoutInvoice, 'address' | 'uri' | 'qr' | 'sequence'>;

/** All is in blocks that no node has given yet, and the invoice demands that. */
export const awaitsMark = ({
  state,
  require_verified: isDemanded,
  verified_with: mark,
  ...invoice
}: JudgedInvoice): boolean =>
  state === 'seen' &&
  isDemanded === true &&
  mark === null &&
  invoice.received_zatoshi >= (invoice.amount_zatoshi ?? 1);

export interface CheckoutStatus {
  /** `open`: nothing has arrived. `part`: some, and not all. `seen`: all, and not in a block yet. */
  readonly kind: 'open' | 'part' | 'seen' | 'paid' | 'confirmed' | 'expired' | 'cancelled';
  /** Zatoshi, mined or not. */
  readonly arrived: number;
  /** Zatoshi that are still asked for; null: nothing more. Undefined: as much as the payer likes. */
  readonly due: number | null | undefined;
}

/** `nowMs`: a page that was not told of the end of the time yet knows it by its clock. */
export function checkoutStatus(invoice: JudgedInvoice, nowMs = Number.NEGATIVE_INFINITY): CheckoutStatus {
  const { state, amount_zatoshi: amount } = invoice;
  const arrived = invoice.received_zatoshi + (invoice.unmined_zatoshi ?? 0);
  if (state !== 'new' && state !== 'seen') return { kind: state, arrived, due: null };
  const due = amount === null ? undefined : amount - arrived;
  if (arrived > 0 && (due === undefined || due <= 0)) return { kind: 'seen', arrived, due: null };
  if (nowMs >= Date.parse(invoice.expires_at)) return { kind: 'expired', arrived, due: null };
  return { kind: arrived > 0 ? 'part' : 'open', arrived, due };
}

export type Tone = 'open' | 'part' | 'good' | 'over';

/** `good`: the payer may go. */
export const TONES: Readonly<Record<CheckoutStatus['kind'], Tone>> = {
  open: 'open',
  part: 'part',
  seen: 'part',
  paid: 'good',
  confirmed: 'good',
  expired: 'over',
  cancelled: 'over',
};

/** `4:05`; nothing once it is over. */
export function timeLeft(expiresAt: string, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(expiresAt) - nowMs) / 1000));
  const minutes = Math.floor(seconds / 60);
  const clock = `${minutes % 60}:${String(seconds % 60).padStart(2, '0')}`;
  if (seconds === 0) return '';
  return minutes < 60 ? clock : `${Math.floor(minutes / 60)}:${clock.padStart(5, '0')}`;
}
