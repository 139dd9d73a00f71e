// The operations for bookkeeping: history, exports and past balances.

import { blockTimeText } from '@wallet-companion/base/values';
import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type * as z from 'zod';
import { dayIn } from '../../../books/days.ts';
import type { DatevFrame } from '../../../books/format.ts';
import { badField, type CompanionError } from '../../../protocol/errors.ts';
import { statement } from '../../../protocol/operations/statement.ts';
import type { FeatureHandlers, Input, Output } from '../../../protocol/operations.ts';
import type { InvoiceBook } from '../invoices/invoiceBook.ts';
import type { RefundNames } from '../invoices/invoices.ts';
import type { LabelOf } from '../noteViews/receivedView.ts';
import { confirmations, confirmationTop } from '../noteViews/views.ts';
import { refusing } from '../payments/request.ts';
import { caveatOf, seesSpends } from '../session/caveats.ts';
import { paidAt } from '../session/paidAt.ts';
import type { Session } from '../session/session.ts';
import type { WalletContext } from '../wallet/walletContext.ts';
import { fundsAt } from './balanceAt.ts';
import { BlockTimes } from './blockTimes.ts';
import { exportPage, refuseOtherExportCursor } from './exportPage.ts';
import { gainsIn } from './gains.ts';
import { type Period, periodOf, periodOfDate } from './instant.ts';
import { changeIn, type RowNames } from './ledgerRows.ts';
import { statementCheck, statementOf } from './statement.ts';
import { currencyOf, dayRatesOf, valuesWarning, type Worth, worthBy } from './worth.ts';

const UNCERTAIN_WARNING =
  'The block source could not be asked whether there were further blocks by that date, so this is the balance after the last one that was scanned.';

export const bookHandlers = (context: WalletContext): FeatureHandlers<'books'> => ({
  'transactions.export': async (input) => {
    refuseOtherExportCursor(input);
    const period = periodOf(input);
    const currency = currencyOf(input);
    const datev = input.format === 'datev' ? datevFrame(period, context) : undefined;
    const times = new BlockTimes(context, context.sessions.use(input.account).noteStore);
    const span = await times.spanOf(period);
    const rates = await dayRatesOf(context.environment);
    // The session may have ended during the requests to the source.
    const session = context.sessions.use(input.account);
    const invoices = context.invoices.readable(session);
    const refunds = context.invoices.refunds(session);
    const books = {
      noteStore: session.noteStore,
      names: {
        ...namesFor(session, { invoices, refunds }, input, context.params),
        ...worthBy(invoices, rates, currency, period.zone),
      },
      caveat: caveatOf(session),
      datev,
    };
    const page = exportPage(books, input, { ...period, ...span }, context.environment.clock.now());
    const warning = valuesWarning(invoices, rates);
    return warning === undefined ? page : { ...page, warning };
  },
  'balance.at': (input) => balanceAt(context, input),
  'statement.get': (input) => statementOf(context, input),
  'statement.gains': (input) => gainsIn(context, input),
  'statement.check': ({ statement, account }) => statementCheck(context, readStatement(statement), account),
});

/** `INVALID_REQUEST` without the adviser's settings, and for a period that is not within one year. */
function datevFrame({ zone, from, to }: Period, { environment }: WalletContext): DatevFrame {
  const { datev: settings } = environment.configFile.get();
  const created = Math.floor(environment.clock.now() / 1000);
  if (settings === null)
    throw badField(
      'format',
      'needs `datev` in config.json: the numbers of adviser and client, and the accounts',
    );
  const isOneYear = from !== undefined && to !== undefined && yearIn(zone, from) === yearIn(zone, to);
  if (!isOneYear) throw badField('year', 'is needed for datev, or from and to within one year');
  return { settings, from, to, created };
}

const yearIn = (zone: string, seconds: number): string => dayIn(zone, seconds).slice(0, 4);

/** Throws `INVALID_REQUEST` for anything but a statement. */
function readStatement(base64: string): z.infer<typeof statement> {
  const refusal = badField('statement', 'is no statement as `statement get` gives it');
  let read: z.infer<typeof statement>;
  try {
    read = statement.parse(JSON.parse(new TextDecoder().decode(Buffer.from(base64, 'base64'))));
  } catch {
    throw refusal;
  }
  if (read.start_height > read.end_height + 1) throw refusal;
  return read;
}

function namesFor(
  session: Session,
  { invoices, refunds }: { readonly invoices: InvoiceBook | undefined; readonly refunds: RefundNames },
  { label, address, direction }: Input<'transactions.export'>,
  params: NetworkParameters,
): Omit<RowNames, keyof Worth> {
  const top = confirmationTop(session.noteStore);
  const labelOf: LabelOf = (note) => session.labelOf(note);
  const at = address === undefined ? undefined : refusing('address', () => paidAt(session, address, params));
  return {
    labelOf,
    recipientOf: (output) => session.addressBook.recipientOf(output),
    referenceOf: (note) => invoices?.payableBy(note)?.reference ?? null,
    refundOf: (txid) => refunds.get(txid),
    confirmations: (height) => confirmations(top, height),
    verifiedAt: (height) => session.noteStore.verifiedAt(height),
    seesSpends: seesSpends(session),
    isWanted: (movement) => {
      const change = changeIn(movement);
      return (
        (direction === undefined || (direction === 'received' ? change > 0 : change < 0)) &&
        (label === undefined || movement.made.some((note) => labelOf(note) === label)) &&
        (at === undefined || movement.made.some(at.isNote) || movement.sent.some(at.isOutput))
      );
    },
  };
}

async function balanceAt(
  context: WalletContext,
  { height: given, date, account }: Input<'balance.at'>,
): Promise<Output<'balance.at'>> {
  if ((given === undefined) === (date === undefined)) throw eitherOr();
  const period = date === undefined ? undefined : periodOfDate(date);
  const { sessions } = context;
  const times = new BlockTimes(context, sessions.use(account).noteStore);
  if (period !== undefined) times.requireBegun(period);
  const found =
    period === undefined ? { height: given ?? 0, isCertain: true } : await times.endOf(period, 'heights');
  const block = await times.at(found.height);
  // The session may have ended during the request to the source.
  const session = sessions.use(account);
  const held = fundsAt(session.noteStore, found.height, account);
  return {
    height: found.height,
    hash: block === null ? null : blockHashToHex(block.hash),
    time: block === null ? null : blockTimeText(block.time),
    ...held,
    complete: held.complete && found.isCertain,
    ...(found.isCertain ? {} : { warning: UNCERTAIN_WARNING }),
  };
}

const eitherOr = (): CompanionError =>
  badField('height', 'or height is needed, and not both', 'Give either height or date.');
