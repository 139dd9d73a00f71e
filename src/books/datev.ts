// DATEV's Buchungsstapel (EXTF 700, format version 13): bookings in euros at the rates that orders kept, for an adviser's accounts. The
// form is that of DATEV's developer pages; no checker of theirs was run.

import { toMinorUnits, zecColumn } from '@wallet-companion/base/values';
import { dayIn, timeIn } from './days.ts';
import type { BooksFormat, DatevFrame, DatevSettings, Frame } from './format.ts';
import { visible } from './harmless.ts';
import { joinTexts, type Line, memoText } from './ledger.ts';

const DATEV_CURRENCY = 'EUR';
/** A file has at most 99,999 bookings; a transaction of three pools makes six. */
export const MAX_DATEV_TRANSACTIONS = 16_666;

const LINE_END = '\r\n';
const MAX_DOCUMENT = 36;
const MAX_TEXT = 60;
const MAX_CONTENT = 210;

/** `n` numbered pairs of columns. */
const pairs = (n: number, kind: string, content: string): string[] =>
  Array.from({ length: n }, (_, i) => [`${kind} ${i + 1}`, `${content} ${i + 1}`]).flat();

const COLUMNS: readonly string[] = [
  ...'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto'.split(
    ';',
  ),
  ...'Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext'.split(
    ';',
  ),
  ...'Postensperre;Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink'.split(';'),
  ...pairs(8, 'Beleginfo - Art', 'Beleginfo - Inhalt'),
  ...'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung)'.split(';'),
  ...'EU-Steuersatz (Bestimmung);Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L'.split(';'),
  ...'BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung'.split(';'),
  ...pairs(20, 'Zusatzinformation - Art', 'Zusatzinformation- Inhalt'),
  ...'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp'.split(';'),
  ...'Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen)'.split(';'),
  ...'Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz'.split(
    ';',
  ),
  ...'Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername;Beteiligtennummer'.split(
    ';',
  ),
  ...'Identifikationsnummer;Zeichnernummer;Postensperre bis;Bezeichnung SoBil-Sachverhalt'.split(';'),
  ...'Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit'.split(
    ';',
  ),
  ...'Generalumkehr (GU);Steuersatz;Land;Abrechnungsreferenz;BVV-Position'.split(';'),
  ...'EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto'.split(';'),
];

/** Columns (from 1) whose empty cell is a bare nothing: numbers, dates and locks. All others are texts, in quotes. */
const BARE = new Set([
  1, 4, 5, 7, 8, 10, 13, 15, 17, 18, 19, 39, 41, 43, 44, 45, 46, 47, 88, 89, 90, 92, 93, 94, 97, 99, 100, 101,
  104, 106, 108, 111, 113, 114, 115, 116, 117, 119, 122, 124, 125,
]);

const text = (value: string): string => `"${value.replaceAll('"', '""')}"`;

/** What Windows-1252 can write, on one line; a spreadsheet that opens the file must find no formula. */
const plain = (value: string, most: number): string =>
  visible(value)
    .replace(/^[=+\-@\s]+/u, '')
    .replaceAll(/[^\x20-\x7e\xa1-\xff]/gu, '?')
    .slice(0, most);

const documentNumber = (value: string): string =>
  value.replaceAll(/[^A-Za-z0-9_$&%*+/-]/g, '').slice(0, MAX_DOCUMENT);

const compact = (time: string): string => time.replaceAll(/\D/g, '');

const dayOf = (zone: string, seconds: number): string => dayIn(zone, seconds).replaceAll('-', '');

const requireFrame = ({ datev }: Frame): DatevFrame => {
  if (datev === undefined) throw new TypeError('books of DATEV need its settings');
  return datev;
};

function head(frame: Frame): string {
  const { settings, from, to, created } = requireFrame(frame);
  const { adviser, client, accounts } = settings;
  const at = compact(timeIn(frame.zone, created).slice(0, 19));
  const first = dayOf(frame.zone, from);
  const fields = [
    ...['"EXTF"', '700', '21', '"Buchungsstapel"', '13', `${at}000`, '', '"WC"', '""', '""'],
    ...[String(adviser), String(client), `${first.slice(0, 4)}0101`, String(accounts.zec.length)],
    ...[first, dayOf(frame.zone, to), text(`Zcash ${first.slice(0, 4)}`), '""', '1', '0', '0', '"EUR"'],
    ...['', '""', '', '', '""', '', '', '""', '""'],
  ];
  return fields.join(';') + LINE_END + COLUMNS.join(';') + LINE_END;
}

const cents = (value: string): number => Math.abs(Number(toMinorUnits(value)));

interface Booking {
  readonly cents: number;
  /** Seen from the account of the ZEC. */
  readonly side: 'S' | 'H';
  readonly against: string;
  readonly about: string;
}

/** None where the line has no rate in euros, or is worth less than a cent. */
function bookingsOf(line: Line, { accounts }: DatevSettings): Booking[] {
  const { fiat } = line;
  if (fiat?.currency !== DATEV_CURRENCY) return [];
  const value = cents(fiat.value);
  const isPaid = fiat.value.startsWith('-');
  const fee = isPaid ? Math.min(value, cents(fiat.fee || '0')) : 0;
  const who = joinTexts([...line.counterparties, ...line.labels, memoText(line)]);
  const bookings: Booking[] = [
    isPaid
      ? { cents: value - fee, side: 'H', against: accounts.expenses, about: who }
      : { cents: value, side: 'S', against: accounts.income, about: who },
    { cents: fee, side: 'H', against: accounts.fees, about: 'Netzwerkgebühr' },
  ];
  return bookings.filter((booking) => booking.cents > 0);
}

/** Whether a line changed something and the file has nothing of it. */
export const isLeftOut = (line: Line, settings: DatevSettings): boolean =>
  line.received_zatoshi + (line.sent_zatoshi ?? 0) > 0 && bookingsOf(line, settings).length === 0;

function row(line: Line, booking: Booking, { zone, datev }: Frame): string {
  const { settings, from, to } = datev!;
  const seconds = Math.floor(Date.parse(line.time) / 1000);
  // Where block times run back across its border, the first transactions of a period have times before it.
  const day = dayIn(zone, Math.min(Math.max(seconds, from), to));
  const cells = COLUMNS.map((_, i): string => (BARE.has(i + 1) ? '' : '""'));
  const set = (column: number, value: string): void => {
    cells[column - 1] = value;
  };
  const add = (place: number, kind: string, content: string): void => {
    set(46 + 2 * place, text(kind));
    set(47 + 2 * place, text(plain(content, MAX_CONTENT)));
  };
  set(1, `${Math.floor(booking.cents / 100)},${String(booking.cents % 100).padStart(2, '0')}`);
  set(2, text(booking.side));
  set(3, text(DATEV_CURRENCY));
  set(7, settings.accounts.zec);
  set(8, booking.against);
  set(10, day.slice(8, 10) + day.slice(5, 7));
  set(11, text(documentNumber(line.references[0] ?? '') || line.txid.slice(0, MAX_DOCUMENT)));
  set(14, text(plain(booking.about, MAX_TEXT) || 'Zcash'));
  add(1, 'ZEC', zecColumn(line.received_zatoshi - (line.sent_zatoshi ?? 0)));
  add(2, 'Kurs EUR je ZEC', line.fiat!.price);
  add(3, 'Kurs von', `${line.fiat!.price_time} ${line.fiat!.price_source}`);
  add(4, 'Transaktion', line.txid);
  set(114, '0');
  return cells.join(';') + LINE_END;
}

export const datev: BooksFormat = {
  head,
  body: (lines, frame) => {
    const { settings } = requireFrame(frame);
    return lines
      .flatMap((line) => bookingsOf(line, settings).map((booking) => row(line, booking, frame)))
      .join('');
  },
  foot: () => '',
};

/** Windows-1252, of which the file uses what it shares with Latin-1. */
export const datevBytes = (written: string): Buffer => Buffer.from(written, 'latin1');
