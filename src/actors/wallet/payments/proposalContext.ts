// What the steps of a payment share; what a proposal starts from, and what it is, for every kind of request that prepares one.

import type { Height } from '@wallet-companion/base/values';
import type { ChainTip, Upstream } from '@wallet-companion/chain/ports';
import type { Proposal as ProposalOf } from '@wallet-companion/pczt/spending';
import type { FullViewingKeys } from '@wallet-companion/zcash/keys';
import type { MempoolWatch } from '../mempool/mempoolWatch.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import type { SessionContext } from '../session/sessions.ts';
import type { Broadcasting } from './broadcasting.ts';
import type { Reanchoring } from './reanchoring.ts';
import type { RefundRequest } from './request.ts';
import type { Returns } from './returned.ts';
import type { Signing } from './signing.ts';
import type { WalletNote } from './spendableNotes.ts';

export type Proposal = ProposalOf<WalletNote>;

export interface SpendingContext extends SessionContext, Reanchoring {
  readonly mempool: MempoolWatch;
  readonly returns: Returns;
  readonly signing: Signing;
  readonly broadcasting: Broadcasting;
  readonly refundRequest: RefundRequest;
  /** Invoices know their refunds, and payments no invoices. */
  readonly invoices: {
    readonly isRecorded: (session: Session, payment: StoredPayment) => boolean;
    /** What the invoice is called that a transaction refunds. */
    readonly refunds: (session: Session) => ReadonlyMap<string, string>;
  };
}

export interface ProposalContext {
  readonly session: Session;
  readonly account: number;
  readonly keys: FullViewingKeys;
  readonly upstream: Upstream;
  readonly tip: ChainTip;
  readonly scannedHeight: Height;
  /** Throws where the session's keys have changed. */
  readonly check: () => void;
}
