// Payment requests (ZIP 321) for addresses of the open wallet, and what one of somebody else asks for.

import type { NetworkParameters } from '@wallet-companion/shielded/network';
import { MEMO_SIZE } from '@wallet-companion/shielded/notes';
import { encodePaymentUri, parsePaymentUri, recipientKind } from '@wallet-companion/shielded/zip321';
import { badField, CompanionError } from '../../protocol/errors.ts';
import type { Input, Output } from '../../protocol/operations.ts';
import { qrBlocks } from '../../qr/qrBlocks.ts';
import { type QrMatrix, qrMatrix } from '../../qr/qrMatrix.ts';
import { qrPng } from '../../qr/qrPng.ts';
import { qrSvg } from '../../qr/qrSvg.ts';
import type { Accounts } from './accounts.ts';
import { memoBytesView } from './notes/memoView.ts';
import { amountOf, refusing } from './payments/givenAmount.ts';

type Format = Output<'payment_uri.qr'>['format'];

const IMAGES: Readonly<Record<Format, (matrix: QrMatrix) => string>> = {
  text: qrBlocks,
  svg: qrSvg,
  png: (matrix) => Buffer.from(qrPng(matrix)).toString('base64'),
};

export class PaymentRequests {
  readonly #params: NetworkParameters;
  readonly #accounts: Pick<Accounts, 'address'>;

  constructor(params: NetworkParameters, accounts: Pick<Accounts, 'address'>) {
    this.#params = params;
    this.#accounts = accounts;
  }

  create(input: Input<'payment_uri.create'>): Output<'payment_uri.create'> {
    this.#checkAddress(input);
    const zatoshi = amountOf(input);
    const { account, diversifier_index, memo, label, message } = input;
    // Even where another address is given: it tells the state of the wallet, as everything else does that needs a session.
    const own = this.#accounts.address({ account, diversifier_index });
    const address = input.address ?? own.unified_address;
    const payment = {
      address,
      ...(zatoshi === undefined ? {} : { zatoshi }),
      ...(memo === undefined ? {} : { memo: new TextEncoder().encode(memo) }),
      ...(label === undefined ? {} : { label }),
      ...(message === undefined ? {} : { message }),
    };
    return { uri: encodePaymentUri([payment], this.#params), address };
  }

  qr({ format = 'text', ...requested }: Input<'payment_uri.qr'>): Output<'payment_uri.qr'> {
    const { uri } = this.create(requested);
    const matrix = qrMatrix(uri);
    if (matrix === undefined) {
      const message = 'makes the request too long for a QR code; shorten memo, label or message';
      throw new CompanionError('INVALID_REQUEST', `The text ${message}.`, {
        errors: [{ path: 'message', message }],
      });
    }
    return { uri, format, width: matrix.length, image: IMAGES[format](matrix) };
  }

  parse({ uri }: Input<'payment_uri.parse'>): Output<'payment_uri.parse'> {
    const payments = refusing('uri', () => parsePaymentUri(uri, this.#params));
    return {
      payments: payments.map(({ address, zatoshi, memo, label, message }) => ({
        address,
        zatoshi: zatoshi ?? null,
        memo: memo === undefined ? null : memoBytesView(filledUp(memo)),
        label: label ?? null,
        message: message ?? null,
      })),
    };
  }

  /** Bad input comes before the state of the wallet. */
  #checkAddress({ address, account, diversifier_index: index, memo }: Input<'payment_uri.create'>): void {
    if (address === undefined) return;
    if (account !== undefined || index !== undefined)
      throw badField('address', 'cannot be given beside account or diversifier_index');
    const kind = refusing('address', () => recipientKind(address, this.#params));
    if (kind === 'transparent' && memo !== undefined)
      throw badField('memo', 'cannot be sent to a transparent address');
  }
}

const filledUp = (memo: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(MEMO_SIZE);
  bytes.set(memo);
  return bytes;
};
