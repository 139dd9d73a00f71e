// What a customer reads at the counter about an invoice, in three languages. The words follow from the invoice alone; the
// rest of the dashboard is in English.

import type { Output } from '@wallet-companion/client';
import { awaitsMark, checkoutStatus, TONES, type Tone, textsFor } from '@wallet-companion/client/checkout';

export type Invoice = Output<'invoices.get'>;

const EN = {
  lang: 'en',
  title: 'Till',
  amount: 'Amount',
  amountHelp: 'In ZEC.',
  currency: 'Currency',
  rate: 'One ZEC is',
  at: 'at',
  noPrices: 'There are no prices:',
  stale: 'The price is old: one ZEC was',
  useStale: 'Use this price',
  notAnAmount: 'This is not an amount. Write it like',
  order: 'Order number',
  orderHelp: 'If you have one: the same number never makes two invoices.',
  show: 'Show the code',
  next: 'Next customer',
  cancel: 'Cancel the invoice',
  code: 'QR code of the payment request',
  scan: 'Scan this with your wallet',
  left: 'Time left',
  seen: 'Payment on its way',
  seenMore: 'It is complete once it is in a block, usually within two minutes.',
  check: 'It is in a block, and counts once your node has confirmed that.',
  alone: 'No node has confirmed it: a compact server alone reports it.',
  part: 'Part of it has arrived',
  stillDue: 'Still due:',
  paid: 'Paid',
  confirmed: 'Paid and confirmed',
  confirmations: 'Confirmations:',
  overpaid: 'More was paid than asked for:',
  expired: 'The time is over',
  cancelled: 'Cancelled',
  late: 'A payment came too late:',
  reversed: 'A payment was taken back by the network. Wait, or ask for it again.',
  latest: 'Latest invoices',
  none: 'No invoice yet. Type an amount and show the code to the customer.',
  states: {
    new: 'open',
    seen: 'on its way',
    paid: 'paid',
    confirmed: 'confirmed',
    expired: 'expired',
    cancelled: 'cancelled',
  },
  notFollowed: 'New payments are not seen by themselves: new blocks are not followed.',
  follow: 'Follow new blocks',
  refund: 'Refund',
  refundStates: { open: 'not sent yet', sent: 'on its way', done: 'refunded', over: 'not carried out' },
};

export type TillTexts = typeof EN;

const DE: TillTexts = {
  lang: 'de',
  title: 'Kasse',
  amount: 'Betrag',
  amountHelp: 'Betrag in ZEC.',
  currency: 'Währung',
  rate: 'Ein ZEC kostet',
  at: 'um',
  noPrices: 'Es gibt keine Kurse:',
  stale: 'Der Kurs ist alt: Ein ZEC kostete',
  useStale: 'Diesen Kurs verwenden',
  notAnAmount: 'Das ist kein Betrag. Bitte so schreiben:',
  order: 'Bestellnummer',
  orderHelp: 'Falls es eine gibt: Dieselbe Nummer ergibt nie zwei Rechnungen.',
  show: 'Code zeigen',
  next: 'Nächster Kunde',
  cancel: 'Rechnung stornieren',
  code: 'QR-Code der Zahlungsaufforderung',
  scan: 'Mit der Wallet scannen',
  left: 'Verbleibende Zeit',
  seen: 'Zahlung unterwegs',
  seenMore: 'Sie ist vollständig, sobald sie in einem Block steht, meist nach weniger als zwei Minuten.',
  check: 'Sie steht in einem Block und gilt, sobald Ihr Knoten das bestätigt.',
  alone: 'Kein Knoten hat sie bestätigt: Ein kompakter Server allein meldet sie.',
  part: 'Ein Teil ist da',
  stillDue: 'Noch offen:',
  paid: 'Bezahlt',
  confirmed: 'Bezahlt und bestätigt',
  confirmations: 'Bestätigungen:',
  overpaid: 'Es wurde mehr bezahlt als verlangt:',
  expired: 'Die Zeit ist abgelaufen',
  cancelled: 'Storniert',
  late: 'Eine Zahlung kam zu spät:',
  reversed: 'Das Netz hat eine Zahlung zurückgenommen. Bitte warten oder neu verlangen.',
  latest: 'Letzte Rechnungen',
  none: 'Noch keine Rechnung. Betrag eingeben und dem Kunden den Code zeigen.',
  states: {
    new: 'offen',
    seen: 'unterwegs',
    paid: 'bezahlt',
    confirmed: 'bestätigt',
    expired: 'abgelaufen',
    cancelled: 'storniert',
  },
  notFollowed: 'Neue Zahlungen erscheinen nicht von selbst: Neuen Blöcken wird nicht gefolgt.',
  follow: 'Neuen Blöcken folgen',
  refund: 'Erstattung',
  refundStates: { open: 'nicht gesendet', sent: 'unterwegs', done: 'erstattet', over: 'nicht ausgeführt' },
};

const ES: TillTexts = {
  lang: 'es',
  title: 'Caja',
  amount: 'Importe',
  amountHelp: 'En ZEC.',
  currency: 'Moneda',
  rate: 'Un ZEC vale',
  at: 'a las',
  noPrices: 'No hay precios:',
  stale: 'El precio es antiguo: un ZEC valía',
  useStale: 'Usar este precio',
  notAnAmount: 'Esto no es un importe. Escríbalo así:',
  order: 'Número de pedido',
  orderHelp: 'Si lo hay: el mismo número nunca da dos facturas.',
  show: 'Mostrar el código',
  next: 'Siguiente cliente',
  cancel: 'Anular la factura',
  code: 'Código QR de la solicitud de pago',
  scan: 'Escanéelo con su monedero',
  left: 'Tiempo restante',
  seen: 'Pago en camino',
  seenMore: 'Estará completo cuando esté en un bloque, normalmente en menos de dos minutos.',
  check: 'Está en un bloque, y cuenta cuando su nodo lo confirme.',
  alone: 'Ningún nodo lo ha confirmado: solo lo dice un servidor compacto.',
  part: 'Ha llegado una parte',
  stillDue: 'Falta por pagar:',
  paid: 'Pagado',
  confirmed: 'Pagado y confirmado',
  confirmations: 'Confirmaciones:',
  overpaid: 'Se ha pagado más de lo pedido:',
  expired: 'Se acabó el tiempo',
  cancelled: 'Anulado',
  late: 'Un pago llegó tarde:',
  reversed: 'La red ha revertido un pago. Espere o pídalo de nuevo.',
  latest: 'Últimas facturas',
  none: 'Aún no hay facturas. Escriba un importe y muestre el código al cliente.',
  states: {
    new: 'abierta',
    seen: 'en camino',
    paid: 'pagada',
    confirmed: 'confirmada',
    expired: 'caducada',
    cancelled: 'anulada',
  },
  notFollowed: 'Los pagos nuevos no aparecen solos: no se siguen los bloques nuevos.',
  follow: 'Seguir los bloques nuevos',
  refund: 'Reembolso',
  refundStates: { open: 'sin enviar', sent: 'en camino', done: 'reembolsado', over: 'no realizado' },
};

export const tillTexts = (languages: readonly string[]): TillTexts => textsFor(languages, [EN, DE, ES]);

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
