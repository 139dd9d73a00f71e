// Texts of receipts for payments: making one, and what the check of one says.

import { inLanguages } from './language.ts';

const EN = {
  makeOne: 'Make a receipt',
  checkOne: 'Check a receipt',

  makeTitle: 'Receipt for this payment',
  makeHelp:
    'It tells the person you paid: I paid you, here. With it, everybody can read for ever whom the output pays, how much, and its memo; nothing else of your wallet.',
  notWho: 'A receipt does not prove who paid: everybody who was given it can show it.',
  label: 'Words for the reader',
  labelHelp: 'For example the number of the order; nothing proves them.',
  make: 'Make the receipt',
  made: 'The receipt is shown.',
  whole: (outputs: string, amount: string) =>
    `The whole payment: ${outputs}, ${amount}. Copy all receipts together, or only the one that you want to show.`,
  paidTo: 'Paid to',
  theReceipt: 'the receipt',
  allReceipts: 'all receipts',
  showCode: 'As QR code',
  code: 'QR code of the receipt',
  tooLong: 'It is too long for a QR code. Copy the text.',

  checkHelp:
    'Paste one receipt, or several below each other. The source of blocks is asked for the transaction, and so learns which one it is.',
  receipt: 'Receipt',
  unasked: 'Without asking a server',
  transaction: 'Whole transaction in hexadecimal',
  transactionHelp: 'Then nobody is asked, and whether it is in the chain is not looked at.',
  aloneTitle: 'Check of receipts for payments',
  aloneHelp:
    'Paste a receipt, and the transaction that it names. This page asks nobody and sends nothing: it computes, here, what the receipt opens.',
  aloneSource:
    'Ask a node of your choice for it: getrawtransaction with the id. Whether the transaction is in the chain, and how deep, is for you to look at there.',
  incomplete: 'Give the transaction with this id as well.',
  notHex: 'This is no transaction in hexadecimal, or not the whole of it.',
  check: 'Check',
  noReceipt: 'There is no receipt in it.',
  results: { valid: 'Right', pending: 'Not yet', invalid: 'Wrong', unchecked: 'Not checked' },
  right: 'The payment is in the chain as the receipt says.',
  rightUnasked: 'The transaction that you gave pays this. Whether it is in the chain was not looked at.',
  unreadable: 'This is no receipt, or one that is cut or changed. Ask for it again.',
  reasons: {
    not_found:
      'The transaction was not found. It may not have been sent yet, or have disappeared with a reorganisation: check again later.',
    not_mined: 'The transaction is sent and not in a block yet: check again later.',
    not_in_chain:
      'No block has the transaction any more: a reorganisation removed it. It may come into another block: check again later.',
    other_network: 'The receipt is for another network than that of this companion, which cannot look there.',
    other_transaction: 'The transaction that you gave is another one than the receipt names.',
    bad_signature: 'The signature does not fit: the receipt was changed after it was signed.',
    other_challenge: 'The receipt was made for the question of somebody else.',
    no_such_output: 'The transaction has no such output.',
    does_not_open: 'The key in the receipt does not open the output: the receipt was changed.',
  },
  words: 'Words of its maker, not proved',
  network: 'Network',
  signedBy: 'Signed with the key',
  sum: (amount: string) => `Proved together: ${amount}, each output once. There may be more payments.`,
};

export type ReceiptsTexts = typeof EN;

const DE: ReceiptsTexts = {
  makeOne: 'Beleg erstellen',
  checkOne: 'Einen Beleg prüfen',

  makeTitle: 'Beleg für diese Zahlung',
  makeHelp:
    'Er sagt dem, den Sie bezahlt haben: Hier habe ich Sie bezahlt. Wer ihn hat, kann für immer lesen, wen der Ausgang bezahlt, wie viel, und sein Memo; sonst nichts von Ihrer Wallet.',
  notWho: 'Ein Beleg beweist nicht, wer bezahlt hat: Jeder, der ihn bekommen hat, kann ihn zeigen.',
  label: 'Worte für den Leser',
  labelHelp: 'Zum Beispiel die Nummer der Bestellung; nichts beweist sie.',
  make: 'Den Beleg erstellen',
  made: 'Der Beleg wird gezeigt.',
  whole: (outputs, amount) =>
    `Die ganze Zahlung: ${outputs}, ${amount}. Kopieren Sie alle Belege zusammen, oder nur den, den Sie zeigen möchten.`,
  paidTo: 'Bezahlt an',
  theReceipt: 'den Beleg',
  allReceipts: 'alle Belege',
  showCode: 'Als QR-Code',
  code: 'QR-Code des Belegs',
  tooLong: 'Er ist zu lang für einen QR-Code. Kopieren Sie den Text.',

  checkHelp:
    'Fügen Sie einen Beleg ein, oder mehrere untereinander. Die Quelle der Blöcke wird nach der Transaktion gefragt und erfährt so, um welche es geht.',
  receipt: 'Beleg',
  unasked: 'Ohne einen Server zu fragen',
  transaction: 'Ganze Transaktion, hexadezimal',
  transactionHelp: 'Dann wird niemand gefragt, auch nicht, ob sie in der Kette ist.',
  aloneTitle: 'Prüfung von Zahlungsbelegen',
  aloneHelp:
    'Fügen Sie einen Beleg ein, und die Transaktion, die er nennt. Diese Seite fragt niemanden und sendet nichts: Sie rechnet hier aus, was der Beleg öffnet.',
  aloneSource:
    'Fragen Sie einen Knoten Ihrer Wahl danach: getrawtransaction mit der Kennung. Ob die Transaktion in der Kette ist, und wie tief, sehen Sie dort nach.',
  incomplete: 'Geben Sie auch die Transaktion mit dieser Kennung an.',
  notHex: 'Das ist keine Transaktion in hexadezimalen Ziffern, oder nicht die ganze.',
  check: 'Prüfen',
  noReceipt: 'Darin ist kein Beleg.',
  results: { valid: 'Richtig', pending: 'Noch nicht', invalid: 'Falsch', unchecked: 'Nicht geprüft' },
  right: 'Die Zahlung ist so in der Kette, wie der Beleg sagt.',
  rightUnasked: 'Die angegebene Transaktion bezahlt dies. Ob sie in der Kette ist, wurde nicht nachgesehen.',
  unreadable:
    'Das ist kein Beleg, oder er ist abgeschnitten oder verändert. Lassen Sie ihn sich noch einmal geben.',
  reasons: {
    not_found:
      'Die Transaktion wurde nicht gefunden. Vielleicht ist sie noch nicht gesendet, oder sie ist bei einer Reorganisation verschwunden: Prüfen Sie später noch einmal.',
    not_mined: 'Die Transaktion ist gesendet und noch in keinem Block: Prüfen Sie später noch einmal.',
    not_in_chain:
      'Kein Block hat die Transaktion mehr: Eine Reorganisation hat sie entfernt. Sie kann in einen anderen Block kommen: Prüfen Sie später noch einmal.',
    other_network:
      'Der Beleg ist für ein anderes Netz als das dieses Companion, der dort nicht nachsehen kann.',
    other_transaction: 'Die angegebene Transaktion ist eine andere, als der Beleg nennt.',
    bad_signature: 'Die Unterschrift passt nicht: Der Beleg wurde nach dem Unterschreiben verändert.',
    other_challenge: 'Der Beleg wurde auf die Frage eines anderen hin erstellt.',
    no_such_output: 'So einen Ausgang hat die Transaktion nicht.',
    does_not_open: 'Der Schlüssel im Beleg öffnet den Ausgang nicht: Der Beleg wurde verändert.',
  },
  words: 'Worte des Erstellers, nicht bewiesen',
  network: 'Netz',
  signedBy: 'Unterschrieben mit dem Schlüssel',
  sum: (amount) => `Zusammen bewiesen: ${amount}, jeder Ausgang einmal. Es kann mehr Zahlungen geben.`,
};

const ES: ReceiptsTexts = {
  makeOne: 'Hacer un comprobante',
  checkOne: 'Comprobar un comprobante',

  makeTitle: 'Comprobante de este pago',
  makeHelp:
    'Dice a quien usted pagó: aquí le pagué. Quien lo tenga podrá leer siempre a quién paga la salida, cuánto y su memo; nada más de su monedero.',
  notWho: 'Un comprobante no demuestra quién pagó: puede mostrarlo cualquiera que lo haya recibido.',
  label: 'Palabras para quien lo lea',
  labelHelp: 'Por ejemplo, el número del pedido; nada las demuestra.',
  make: 'Hacer el comprobante',
  made: 'Se muestra el comprobante.',
  whole: (outputs, amount) =>
    `El pago entero: ${outputs}, ${amount}. Copie todos los comprobantes juntos, o solo el que quiera mostrar.`,
  paidTo: 'Pagado a',
  theReceipt: 'el comprobante',
  allReceipts: 'todos los comprobantes',
  showCode: 'Como código QR',
  code: 'Código QR del comprobante',
  tooLong: 'Es demasiado largo para un código QR. Copie el texto.',

  checkHelp:
    'Pegue un comprobante, o varios uno debajo de otro. Se pide la transacción a la fuente de bloques, que así sabe cuál es.',
  receipt: 'Comprobante',
  unasked: 'Sin preguntar a un servidor',
  transaction: 'Transacción entera en hexadecimal',
  transactionHelp: 'Entonces no se pregunta a nadie, y no se mira si está en la cadena.',
  aloneTitle: 'Comprobación de comprobantes de pago',
  aloneHelp:
    'Pegue un comprobante y la transacción que nombra. Esta página no pregunta a nadie ni envía nada: calcula aquí lo que abre el comprobante.',
  aloneSource:
    'Pídala a un nodo de su elección: getrawtransaction con el identificador. Si la transacción está en la cadena, y a qué profundidad, mírelo usted allí.',
  incomplete: 'Indique también la transacción con este identificador.',
  notHex: 'Esto no es una transacción en hexadecimal, o no está entera.',
  check: 'Comprobar',
  noReceipt: 'No contiene ningún comprobante.',
  results: { valid: 'Correcto', pending: 'Todavía no', invalid: 'Incorrecto', unchecked: 'Sin comprobar' },
  right: 'El pago está en la cadena tal como dice el comprobante.',
  rightUnasked: 'La transacción indicada paga esto. No se ha mirado si está en la cadena.',
  unreadable: 'Esto no es un comprobante, o está cortado o cambiado. Pídalo de nuevo.',
  reasons: {
    not_found:
      'No se encontró la transacción. Puede que aún no se haya enviado, o que haya desaparecido con una reorganización: compruébelo más tarde.',
    not_mined: 'La transacción se ha enviado y aún no está en un bloque: compruébelo más tarde.',
    not_in_chain:
      'Ningún bloque tiene ya la transacción: la quitó una reorganización. Puede entrar en otro bloque: compruébelo más tarde.',
    other_network: 'El comprobante es de otra red que la de este Companion, que no puede mirar allí.',
    other_transaction: 'La transacción indicada no es la que nombra el comprobante.',
    bad_signature: 'La firma no coincide: el comprobante se cambió después de firmarlo.',
    other_challenge: 'El comprobante se hizo para la pregunta de otra persona.',
    no_such_output: 'La transacción no tiene esa salida.',
    does_not_open: 'La clave del comprobante no abre la salida: el comprobante se ha cambiado.',
  },
  words: 'Palabras de quien lo hizo, no demostradas',
  network: 'Red',
  signedBy: 'Firmado con la clave',
  sum: (amount) => `Demostrado en total: ${amount}, cada salida una vez. Puede haber más pagos.`,
};

export const receiptsTexts = inLanguages({ en: EN, de: DE, es: ES });
