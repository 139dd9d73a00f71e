// What a proposal starts from, and what it is, for every kind of request that prepares a payment.

import type { Height } from '@wallet-companion/base/values';
import type { ChainTip, Upstream } from '@wallet-companion/chain/ports';
import type { Proposal as ProposalOf } from '@wallet-companion/pczt/spending';
import type { FullViewingKeys } from '@wallet-companion/zcash/keys';
import type { Session } from '../session/session.ts';
import type { WalletNote } from './spendableNotes.ts';

export type Proposal = ProposalOf<WalletNote>;

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
