// The history of a wallet in the formats that books are kept in.

export { dayIn, isTimeZone, nextDay, startOfDay } from '../books/days.ts';
export type { BooksFormat, Closing, Frame, Opening } from '../books/format.ts';
export { harmless, visible } from '../books/harmless.ts';
export { imbalance, type Ledger, type Line, type Movement, movementsOf } from '../books/ledger.ts';
export { type Statement, type StatementAmounts, statementCsv, statementHtml } from '../books/statement.ts';
export { FORMATS, type FormatName, writeBooks } from '../books/write.ts';
