// Recipients of a prepared payment that are easily taken for others: a person looks at the ends of an address, if at all.

import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { Output } from '../../../protocol/operations.ts';
import type { StoredPayment } from '../ports/payment.ts';
import { ownPlaces } from '../session/paidAt.ts';
import type { Session } from '../session/session.ts';

type Warnings = Output<'payments.prepare'>['warnings'];

export function recipientWarnings(
  session: Session,
  { payments }: Pick<StoredPayment, 'payments'>,
  params: NetworkParameters,
): Warnings {
  const own = session.ownAddresses();
  return [...new Set(payments.map(({ address }) => address))].flatMap((address): Warnings[number][] => {
    const text =
      ownPlaces(session, address, params).length > 0
        ? 'is an address of this wallet itself'
        : session.addressBook.doubtAbout(address, own);
    return text === undefined ? [] : [{ address, text }];
  });
}
