// What a shop asks for, as a new row: with an address that no other invoice and no address operation ever gets.

import { isDeepStrictEqual } from 'node:util';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { badField } from '../../../protocol/errors.ts';
import type { Input } from '../../../protocol/operations.ts';
import { INVOICE_INDEX } from '../noteStore/book/noteTables.ts';
import { confirmationTop, scannedTime } from '../noteViews/views.ts';
import { amountOf } from '../payments/request.ts';
import { requestUri } from '../paymentUri/requestUri.ts';
import type { StoredInvoice } from '../ports/invoice.ts';
import type { Session } from '../session/session.ts';
import type { SessionContext } from '../session/sessions.ts';
import { neverAnnounced } from './invoiceChange.ts';

const DEFAULT_SECONDS = 900;
const USUAL_CONFIRMATIONS = 10;
const INDEX_BYTES = 11;

type Request = Input<'invoices.create'>;

/** Null: the payer chooses. Throws `INVALID_REQUEST`. */
export function requestedAmount({ amount, amount_zatoshi: zatoshi }: Request): number | null {
  if (amount !== undefined && zatoshi !== undefined)
    throw badField('amount', 'cannot be given beside amount_zatoshi');
  const requested = amountOf({ amount, zatoshi }) ?? null;
  if (requested === 0) throw badField('amount', 'must be more than nothing');
  return requested;
}

/** Throws `NOT_FOUND` for an account that is not there. */
export function newInvoice(
  { environment, params }: Pick<SessionContext, 'environment' | 'params'>,
  session: Session,
  request: Request,
): StoredInvoice {
  const { account = 0, reference = null, label = null, memo = null, metadata = null } = request;
  const { randomBytes, clock, configFile } = environment;
  const amount = requestedAmount(request);
  // A clock that is behind the chain would make every payment late.
  const now = Math.max(clock.now(), (scannedTime(session.noteStore) ?? 0) * 1000);
  // Drawn, not counted: a wallet that is restored from its phrase does not know what was handed out, and never repeats it.
  const drawn = BigInt(`0x${bytesToHex(randomBytes(INDEX_BYTES))}`) | INVOICE_INDEX;
  const address = firstAddress(session.account(account).keys, params, drawn);
  const requireVerified = request.require_verified ?? configFile.isSet('node_url');
  const isSmall = amount !== null && amount < configFile.get().invoice_one_confirmation_below;
  return {
    id: bytesToHex(randomBytes(16)),
    account,
    diversifierIndex: address.diversifierIndex.toString(),
    address: address.unifiedAddress,
    uri: requestUri(
      {
        address: address.unifiedAddress,
        zatoshi: amount ?? undefined,
        memo: request.memo,
        label: request.label,
        message: undefined,
      },
      params,
    ),
    amount,
    reference,
    label,
    memo,
    metadata,
    confirmations: request.confirmations ?? (isSmall ? 1 : USUAL_CONFIRMATIONS),
    ...(requireVerified && { requireVerified }),
    createdAt: now,
    expiresAt: now + (request.expires_in_seconds ?? DEFAULT_SECONDS) * 1000,
    cancelledAt: null,
    announced: neverAnnounced(now, confirmationTop(session.noteStore)),
  };
}

/** Whether the request is the one that the invoice was made from. What it leaves out may have been anything by default. */
export function asksForSame(row: StoredInvoice, request: Request): boolean {
  const { account = 0, label = null, memo = null, metadata = null } = request;
  return (
    row.account === account &&
    row.amount === requestedAmount(request) &&
    row.label === label &&
    row.memo === memo &&
    isDeepStrictEqual(row.metadata, metadata === null ? null : JSON.parse(JSON.stringify(metadata))) &&
    row.confirmations === (request.confirmations ?? row.confirmations) &&
    (row.requireVerified ?? false) === (request.require_verified ?? row.requireVerified ?? false) &&
    row.expiresAt - row.createdAt === (request.expires_in_seconds ?? DEFAULT_SECONDS) * 1000
  );
}
