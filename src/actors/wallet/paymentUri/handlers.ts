// Payment requests (ZIP 321): made for addresses of the open wallet, or read when they come from elsewhere.

import { wipe } from '@wallet-companion/base/bytes';
import { padMemo } from '@wallet-companion/zcash/notes';
import { parsePaymentUri, recipientKind } from '@wallet-companion/zcash/zip321';
import { badField } from '../../../protocol/errors.ts';
import type { FeatureHandlers, Input, Output } from '../../../protocol/operations.ts';
import { addressOf } from '../keys/handlers.ts';
import { type MemoView, memoBytesView } from '../noteViews/receivedView.ts';
import { amountOf, refusing } from '../payments/request.ts';
import type { SessionContext } from '../session/sessions.ts';
import { qrImage, requestUri } from './requestUri.ts';

export const paymentUriHandlers = (context: SessionContext): FeatureHandlers<'paymentUri'> => ({
  'payment_uri.create': (input) => create(context, input),
  'payment_uri.qr': ({ format, ...requested }) => {
    const picture = qrImage(create(context, requested).uri, format);
    if (picture !== undefined) return picture;
    const message = 'makes the request too long for a QR code; shorten memo, label or message';
    throw badField('message', message, `The text ${message}.`);
  },
  'payment_uri.parse': ({ uri }) => {
    const payments = refusing('uri', () => parsePaymentUri(uri, context.params));
    return {
      payments: payments.map(({ address, zatoshi, memo, label, message }) => ({
        address,
        zatoshi: zatoshi ?? null,
        memo: memo === undefined ? null : takenView(memo),
        label: label ?? null,
        message: message ?? null,
      })),
    };
  },
});

function create(context: SessionContext, input: Input<'payment_uri.create'>): Output<'payment_uri.create'> {
  checkAddress(context, input);
  const zatoshi = amountOf(input);
  const { account, diversifier_index, memo, label, message } = input;
  const uriOf = (address: string): string =>
    refusing(input.amount === undefined ? 'zatoshi' : 'amount', () =>
      requestUri({ address, zatoshi, memo, label, message }, context.params),
    );
  if (input.address !== undefined) uriOf(input.address);
  // Needed even where another address is given: the answer shows the wallet's state, so it needs a session.
  const own = addressOf(context, { account, diversifier_index });
  const address = input.address ?? own.unified_address;
  return { uri: uriOf(address), address };
}

/** Bad input is reported before the state of the wallet. */
function checkAddress(
  { params }: SessionContext,
  { address, account, diversifier_index: index, memo }: Input<'payment_uri.create'>,
): void {
  if (address === undefined) return;
  if (account !== undefined || index !== undefined)
    throw badField('address', 'cannot be given beside account or diversifier_index');
  const kind = refusing('address', () => recipientKind(address, params));
  if (kind === 'transparent' && memo !== undefined)
    throw badField('memo', 'cannot be sent to a transparent address');
}

function takenView(memo: Uint8Array): MemoView | null {
  const whole = padMemo(memo);
  wipe(memo);
  return memoBytesView(whole);
}
