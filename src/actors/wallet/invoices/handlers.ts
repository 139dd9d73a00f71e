// Invoices of the open wallet.

import { timeTextOrNull } from '@wallet-companion/base/values';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import { type CallingGrant, mayHave } from '../../../protocol/grants.ts';
import type { FeatureHandlers, Input, Output } from '../../../protocol/operations.ts';
import { isStale } from '../../../protocol/prices.ts';
import { pageOf, refuseOtherCursor } from '../noteStore/book/chainOrder.ts';
import { isOf } from '../noteViews/scanReach.ts';
import { confirmationTop } from '../noteViews/views.ts';
import { qrImage } from '../paymentUri/requestUri.ts';
import type { StoredInvoice } from '../ports/invoice.ts';
import type { Session } from '../session/session.ts';
import { dayHandlers } from './days.ts';
import { INVOICE_ORDER, noInvoice } from './invoiceBook.ts';
import { asksForSame, newInvoice, priced, requestedMoney, requestedZec } from './invoiceRequest.ts';
import type { InvoicesContext } from './invoices.ts';
import { evaluate, type InvoiceView, invoiceView } from './invoiceView.ts';

/** All of them are in memory while the wallet is open. */
const MAX_INVOICES = 250_000;
/** One of several must not take all the room. */
const MAX_OF_GRANT = 100_000;
const DEFAULT_PAGE = 100;

export function invoiceHandlers(context: InvoicesContext): FeatureHandlers<'invoices'> {
  const { sessions, invoices } = context;
  return {
    'invoices.create': (input, { grant }) => create(context, input, grant),
    ...dayHandlers(context),
    'prices.get': () => latestPrices(context),
    'invoices.get': async ({ invoice_id: id, wait_seconds: seconds = 0, after }, caller) => {
      const session = sessions.read(caller);
      const { announced } = invoices.bookOf(session).get(id);
      await invoices.waitFor(session, id, after ?? announced.sequence, seconds);
      return view(context, session, invoices.bookOf(session).get(id));
    },
    'invoices.list': (input, caller) => {
      if (input.since !== undefined && input.cursor !== undefined)
        throw badField('cursor', 'cannot be given beside since');
      refuseOtherCursor(input);
      const session = sessions.read(caller, input.account);
      return list(context, session, input, caller.grant);
    },
    'invoices.cancel': ({ invoice_id: id }) => {
      const session = sessions.use();
      return cancel(context, session, invoices.bookOf(session).get(id));
    },
    'invoices.qr': ({ invoice_id: id, format }) => {
      const picture = qrImage(invoices.bookOf(sessions.use()).get(id).uri, format);
      if (picture !== undefined) return picture;
      throw new CompanionError(
        'INVALID_REQUEST',
        'The request is too long for a QR code: make an invoice with a shorter memo or label.',
      );
    },
  };
}

/** Throws `NOT_FOUND`: another grant's invoice is as one that does not exist. */
export function requireOwnInvoice(context: InvoicesContext, id: string, grant: CallingGrant): void {
  const row = context.invoices.bookOf(context.sessions.open()).get(id);
  if (!shownTo(grant)(row)) throw noInvoice();
}

/** What others number is nothing to a grant that does not see it. */
const shownTo =
  (grant: CallingGrant | undefined) =>
  ({ grant: madeBy }: Pick<StoredInvoice, 'grant'>): boolean =>
    mayHave('invoice', grant, madeBy);

async function create(
  context: InvoicesContext,
  input: Input<'invoices.create'>,
  grant: CallingGrant | undefined,
): Promise<InvoiceView> {
  const money = requestedMoney(input);
  const zec = money === undefined ? requestedZec(input) : null;
  const known = madeBefore(context, input, grant);
  if (known !== undefined) return known;
  const requested =
    money === undefined
      ? { amount: zec }
      : await priced(context.environment, money, input.accept_stale_rate === true);
  // Another call may have made it while the price was asked for.
  const meanwhile = money === undefined ? undefined : madeBefore(context, input, grant);
  if (meanwhile !== undefined) return meanwhile;
  const session = context.sessions.use(input.account);
  const book = context.invoices.bookOf(session);
  if (grant !== undefined && book.ofGrant(grant.id) >= MAX_OF_GRANT)
    throw new CompanionError(
      'GRANT_LIMIT',
      `A grant makes ${MAX_OF_GRANT} invoices at most; ask the owner for another one.`,
    );
  if (book.size >= MAX_INVOICES)
    throw new CompanionError(
      'INVALID_REQUEST',
      `A wallet has room for ${MAX_INVOICES} invoices; make another wallet.`,
    );
  const { openDay } = book;
  const made = {
    ...newInvoice(context, session, input, requested),
    ...(grant && { grant: grant.id }),
    ...(openDay && { day: openDay.number }),
  };
  return context.invoices.put(session, made);
}

/** The invoice with this reference and content. Throws `REFERENCE_IN_USE` where the content is another. */
function madeBefore(
  context: InvoicesContext,
  input: Input<'invoices.create'>,
  grant: CallingGrant | undefined,
): InvoiceView | undefined {
  const session = context.sessions.use(input.account);
  const { reference } = input;
  if (reference === undefined) return undefined;
  const known = context.invoices.bookOf(session).withReference(reference).find(shownTo(grant));
  if (known === undefined) return undefined;
  if (asksForSame(known, input)) return view(context, session, known);
  throw new CompanionError(
    'REFERENCE_IN_USE',
    'There is an invoice with this reference and another content. Take another reference, or cancel that invoice and number the new one differently.',
  );
}

async function latestPrices({
  environment: { clock, configFile, prices },
}: InvoicesContext): Promise<Output<'prices.get'>> {
  const { quote, problem = null } = (await prices?.state()) ?? {};
  const { price_source: source, price_max_age_minutes: maxAge } = configFile.get();
  return {
    is_configured: source !== null,
    source: quote?.source ?? null,
    time: timeTextOrNull(quote?.time ?? null),
    is_stale: quote !== undefined && isStale(quote.time, clock.now(), maxAge),
    max_age_minutes: maxAge,
    prices: Object.entries(quote?.prices ?? {}).map(([currency, price]) => ({ currency, price })),
    problem,
  };
}

function list(
  context: InvoicesContext,
  session: Session,
  input: Input<'invoices.list'>,
  grant: CallingGrant | undefined,
): Output<'invoices.list'> {
  const book = context.invoices.bookOf(session);
  const snapshot = context.invoices.snapshot(session);
  const isShown = shownTo(grant);
  const isWanted = (row: StoredInvoice): boolean =>
    isOf(input.account, row) &&
    isShown(row) &&
    (input.reference === undefined || row.reference === input.reference) &&
    (input.state === undefined || evaluate(row, snapshot).state.state === input.state);
  const shown = (rows: readonly StoredInvoice[]) =>
    rows.map((row) => invoiceView(evaluate(row, snapshot), snapshot));
  // How often the others changed is told to nobody who does not see them.
  const sequence = isShown({})
    ? book.sequence
    : (book.changedAfter(0).findLast(isShown)?.announced.sequence ?? 0);
  const numbering = { sequence, series: book.series, own_grant_id: grant?.id ?? null };
  if (input.since === undefined) {
    const { page, nextCursor } = pageOf(book.rows, INVOICE_ORDER, isWanted, input);
    return {
      invoices: shown(page),
      next_cursor: nextCursor,
      has_more: nextCursor !== null,
      ...numbering,
    };
  }
  const changed = book.changedAfter(input.since).filter(isWanted);
  const { limit = DEFAULT_PAGE } = input;
  return {
    invoices: shown(changed.slice(0, limit)),
    next_cursor: null,
    has_more: changed.length > limit,
    ...numbering,
  };
}

function cancel(context: InvoicesContext, session: Session, row: StoredInvoice): InvoiceView {
  const { invoices, environment } = context;
  const snapshot = invoices.snapshot(session);
  const evaluation = evaluate(row, snapshot);
  const { state } = evaluation.state;
  if (state === 'paid' || state === 'confirmed')
    throw new CompanionError('INVOICE_STATE', 'The invoice is paid: there is nothing left to cancel.');
  if (row.cancelledAt !== null) return invoiceView(evaluation, snapshot);
  const cancelledHeight = confirmationTop(session.noteStore);
  return invoices.put(session, { ...row, cancelledAt: environment.clock.now(), cancelledHeight });
}

function view({ invoices }: InvoicesContext, session: Session, row: StoredInvoice): InvoiceView {
  const snapshot = invoices.snapshot(session);
  return invoiceView(evaluate(row, snapshot), snapshot);
}
