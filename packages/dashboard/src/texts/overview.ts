// Texts of the first page: the balance, its history, the latest transactions.

import { inLanguages } from './language.ts';

const EN = {
  balance: 'Balance',
  history: 'History',
  historyUnit: (unit: string) => `in ${unit}`,
  latest: 'Latest transactions',
  allTransactions: 'All transactions',
  details: 'Details',
  unknown: 'Unknown',
  waiting: (amount: string) => `${amount} of it still waits for confirmations. `,
  spendable: (amount: string) => `${amount} of it can be spent now. `,
  pool: 'Pool',
  notes: 'Notes',
  afterFirstScan: 'The line is drawn after the first scan.',
  withFirstTransaction: 'The line begins with the first transaction.',
  mayChange: 'Blocks are missing, so this may change. ',
  cut: (count: string) => `The latest ${count} transactions.`,

  notScanned: 'Nothing has been scanned yet. Scan to find out.',
  asOf: (block: string) => `As of block ${block}.`,
  unseen: (blocks: string) => `${blocks} not scanned yet: the balance may still change.`,
  allScanned: "Every block since the wallet's birthday has been scanned.",
  draining: (amount: string) =>
    `${amount} of it lies in Orchard, a pool that only drains: it can be spent, and whatever leaves it shows its amount to everybody.`,
  atOnce: (payments: string) => `${payments} can be made at once now.`,
  oneWord: "Part of it rests on a compact server's word alone: no node has confirmed those blocks.",

  unknownUpgrade: (block: string) =>
    `At block ${block} the network gets rules that this version does not know. Update the companion before: a payment that is not mined by then is void, and from then on none can be prepared.`,

  chartKeys: 'Balance over time. The arrow keys go from change to change. The same is in the table below.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  showAll: 'Show all',
  asTable: 'The same as a table',
  when: 'When',
  balanceAfter: 'Balance after it',
  atBlock: (time: string, block: string) => `${time}, block ${block}`,
};

export type OverviewTexts = typeof EN;

const DE: OverviewTexts = {
  balance: 'Guthaben',
  history: 'Entwicklung',
  historyUnit: (unit) => `in ${unit}`,
  latest: 'Letzte Transaktionen',
  allTransactions: 'Alle Transaktionen',
  details: 'Einzelheiten',
  unknown: 'Unbekannt',
  waiting: (amount) => `${amount} davon warten noch auf Bestätigungen. `,
  spendable: (amount) => `${amount} davon können jetzt ausgegeben werden. `,
  pool: 'Pool',
  notes: 'Noten',
  afterFirstScan: 'Die Linie wird nach dem ersten Scan gezeichnet.',
  withFirstTransaction: 'Die Linie beginnt mit der ersten Transaktion.',
  mayChange: 'Es fehlen Blöcke, dies kann sich also noch ändern. ',
  cut: (count) => `Die letzten ${count} Transaktionen.`,

  notScanned: 'Es wurde noch nichts gescannt. Starten Sie einen Scan.',
  asOf: (block) => `Stand von Block ${block}.`,
  unseen: (blocks) => `${blocks} noch nicht gescannt: Das Guthaben kann sich noch ändern.`,
  allScanned: 'Alle Blöcke seit dem Geburtstag der Wallet sind gescannt.',
  draining: (amount) =>
    `${amount} davon liegen in Orchard, einem Pool, der nur noch geleert wird: Sie lassen sich ausgeben, doch der Betrag, der ihn verlässt, ist für alle sichtbar.`,
  atOnce: (payments) => `${payments} auf einmal sind jetzt möglich.`,
  oneWord:
    'Ein Teil davon beruht allein auf den Angaben eines kompakten Servers: Kein Knoten hat diese Blöcke bestätigt.',

  unknownUpgrade: (block) =>
    `Mit Block ${block} erhält das Netz Regeln, die diese Version nicht kennt. Aktualisieren Sie den Companion vorher: Eine Zahlung, die bis dahin in keinem Block steht, verfällt, und danach lässt sich keine mehr vorbereiten.`,

  chartKeys:
    'Guthaben im Lauf der Zeit. Die Pfeiltasten gehen von Änderung zu Änderung. Die Tabelle darunter zeigt dasselbe.',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  showAll: 'Alles zeigen',
  asTable: 'Dasselbe als Tabelle',
  when: 'Wann',
  balanceAfter: 'Guthaben danach',
  atBlock: (time, block) => `${time}, Block ${block}`,
};

const ES: OverviewTexts = {
  balance: 'Saldo',
  history: 'Evolución',
  historyUnit: (unit) => `en ${unit}`,
  latest: 'Últimas transacciones',
  allTransactions: 'Todas las transacciones',
  details: 'Detalles',
  unknown: 'Desconocido',
  waiting: (amount) => `De ello, ${amount} esperan aún confirmaciones. `,
  spendable: (amount) => `De ello, ${amount} se pueden gastar ahora. `,
  pool: 'Pool',
  notes: 'Notas',
  afterFirstScan: 'La línea se dibuja después del primer escaneo.',
  withFirstTransaction: 'La línea empieza con la primera transacción.',
  mayChange: 'Faltan bloques, así que esto puede cambiar. ',
  cut: (count) => `Las últimas ${count} transacciones.`,

  notScanned: 'Aún no se ha escaneado nada. Inicie un escaneo para saberlo.',
  asOf: (block) => `A fecha del bloque ${block}.`,
  unseen: (blocks) => `${blocks} aún sin escanear: el saldo puede cambiar.`,
  allScanned: 'Se han escaneado todos los bloques desde el nacimiento del monedero.',
  draining: (amount) =>
    `De ello, ${amount} están en Orchard, un pool que solo se vacía: se pueden gastar, pero todo importe que sale de él queda a la vista de todos.`,
  atOnce: (payments) => `Ahora se pueden hacer a la vez: ${payments}.`,
  oneWord:
    'Una parte se basa solo en lo que dice un servidor compacto: ningún nodo ha confirmado esos bloques.',

  unknownUpgrade: (block) =>
    `En el bloque ${block} la red recibe reglas que esta versión no conoce. Actualice Companion antes: un pago que no esté en un bloque para entonces queda anulado, y a partir de ahí no se podrá preparar ninguno.`,

  chartKeys:
    'El saldo a lo largo del tiempo. Las flechas van de cambio en cambio. La tabla de abajo muestra lo mismo.',
  zoomIn: 'Ampliar',
  zoomOut: 'Reducir',
  showAll: 'Mostrar todo',
  asTable: 'Lo mismo en una tabla',
  when: 'Cuándo',
  balanceAfter: 'Saldo después',
  atBlock: (time, block) => `${time}, bloque ${block}`,
};

export const overviewTexts = inLanguages({ en: EN, de: DE, es: ES });
