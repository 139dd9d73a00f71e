// What the checkout says, in three languages. `{...}` is filled in; a shop may replace any of it.

const EN = {
  lang: 'en',
  unit: 'ZEC',
  open: 'Scan the code with your wallet',
  code: 'QR code of the payment request',
  link: 'Open in a wallet',
  copy: 'Copy the address',
  copied: 'The address is copied',
  time: 'Time left: {time}',
  part: 'Part of it has arrived',
  sums: '{received} of {amount} received, {left} left',
  seen: 'Payment seen',
  wait: 'It counts once it is in a block, usually within two minutes.',
  check: "It is in a block, and counts once the shop's own node has confirmed that.",
  paid: 'Paid',
  confirmed: 'Paid and confirmed',
  depth: '{n} of {m} confirmations',
  expired: 'The time is over',
  cancelled: 'Cancelled',
  stop: 'Do not pay to this address any more.',
  ask: 'Please ask the shop.',
  overpaid: 'More was paid than asked for: {more}',
  late: 'A payment came too late: {received}.',
  reversed: 'The network took a payment back. It often comes again by itself: do not pay twice.',
  offline: 'No connection to the shop. It is tried again.',
};

export type CheckoutTexts = typeof EN;

const DE: CheckoutTexts = {
  lang: 'de',
  unit: 'ZEC',
  open: 'Den Code mit der Wallet scannen',
  code: 'QR-Code der Zahlungsaufforderung',
  link: 'In einer Wallet öffnen',
  copy: 'Adresse kopieren',
  copied: 'Die Adresse ist kopiert',
  time: 'Verbleibende Zeit: {time}',
  part: 'Ein Teil ist da',
  sums: '{received} von {amount} erhalten, {left} offen',
  seen: 'Zahlung gesehen',
  wait: 'Sie gilt, sobald sie in einem Block steht, meist nach weniger als zwei Minuten.',
  check: 'Sie steht in einem Block und gilt, sobald der eigene Knoten des Geschäfts das bestätigt.',
  paid: 'Bezahlt',
  confirmed: 'Bezahlt und bestätigt',
  depth: '{n} von {m} Bestätigungen',
  expired: 'Die Zeit ist abgelaufen',
  cancelled: 'Storniert',
  stop: 'Bitte nicht mehr an diese Adresse zahlen.',
  ask: 'Bitte beim Geschäft nachfragen.',
  overpaid: 'Es wurde mehr bezahlt als verlangt: {more}',
  late: 'Eine Zahlung kam zu spät: {received}.',
  reversed:
    'Das Netz hat eine Zahlung zurückgenommen. Oft kommt sie von selbst wieder: nicht zweimal zahlen.',
  offline: 'Keine Verbindung zum Geschäft. Es wird weiter versucht.',
};

const ES: CheckoutTexts = {
  lang: 'es',
  unit: 'ZEC',
  open: 'Escanee el código con su monedero',
  code: 'Código QR de la solicitud de pago',
  link: 'Abrir en un monedero',
  copy: 'Copiar la dirección',
  copied: 'Dirección copiada',
  time: 'Tiempo restante: {time}',
  part: 'Ha llegado una parte',
  sums: 'Recibido {received} de {amount}, falta {left}',
  seen: 'Pago visto',
  wait: 'Cuenta cuando está en un bloque, normalmente en menos de dos minutos.',
  check: 'Está en un bloque, y cuenta cuando el nodo de la tienda lo confirme.',
  paid: 'Pagado',
  confirmed: 'Pagado y confirmado',
  depth: '{n} de {m} confirmaciones',
  expired: 'Se acabó el tiempo',
  cancelled: 'Anulado',
  stop: 'No pague más a esta dirección.',
  ask: 'Pregunte a la tienda.',
  overpaid: 'Se ha pagado más de lo pedido: {more}',
  late: 'Un pago llegó tarde: {received}.',
  reversed: 'La red ha revertido un pago. A menudo vuelve por sí solo: no pague dos veces.',
  offline: 'Sin conexión con la tienda. Se intenta de nuevo.',
};

/** The texts in the first of the reader's languages that there is; the first ones where there is none. */
export const textsFor = <T extends { readonly lang: string }>(
  languages: readonly string[],
  known: readonly [T, ...T[]],
): T => languages.flatMap((tag) => known.find(({ lang }) => tag.split('-')[0] === lang) ?? [])[0] ?? known[0];

export const checkoutTexts = (languages: readonly string[]): CheckoutTexts =>
  textsFor(languages, [EN, DE, ES]);
