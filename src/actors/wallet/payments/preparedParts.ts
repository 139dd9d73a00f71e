// Fills in what a request leaves open, and turns a built payment into its stored form.

import { bytesToHex } from '@wallet-companion/shielded/bytes';
import { txIdToHex } from '@wallet-companion/shielded/identifiers';
import {
  type BuiltPczt,
  type Confirmations,
  DEFAULT_CONFIRMATIONS,
  type Proposal,
} from '@wallet-companion/shielded/spending';
import { badField } from '../../../protocol/errors.ts';
import type { Input } from '../../../protocol/operations.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { AccountBook } from '../ports/storage.ts';
import type { WalletNote } from './spendableNotes.ts';

type PrepareInput = Input<'payments.prepare'>;

const DEFAULT_MAX_ACTIONS = 32;

export const maxActionsOf = ({ max_actions: max }: PrepareInput): number => max ?? DEFAULT_MAX_ACTIONS;

export function confirmationsOf({
  confirmations,
  change_confirmations: change,
}: PrepareInput): Confirmations {
  const received = confirmations ?? DEFAULT_CONFIRMATIONS.received;
  return { received, change: change ?? Math.min(DEFAULT_CONFIRMATIONS.change, received) };
}

export const optionsOf = (input: PrepareInput) => ({
  confirmations: confirmationsOf(input),
  ...(input.expiry_height === undefined ? {} : { expiryHeight: input.expiry_height }),
  ...(input.privacy === undefined ? {} : { consents: input.privacy }),
  ...(input.change === undefined ? {} : { changePolicy: input.change }),
  ...(input.pools === undefined ? {} : { sources: input.pools }),
  ...(input.everything === undefined ? {} : { everything: input.everything }),
  maxActions: maxActionsOf(input),
});

/** Fingerprint of the signing seed, as far as it is known. */
export function fingerprintFor(
  { seedFingerprint: own }: AccountBook,
  { seed_fingerprint: given }: PrepareInput,
): string | undefined {
  if (own !== undefined && given !== undefined && own !== given)
    throw badField('seed_fingerprint', "is not that of this wallet's recovery phrase");
  return own ?? given;
}

export const storedPayment = (
  given: Pick<StoredPayment, 'id' | 'account' | 'createdAt' | 'changeConfirmations'>,
  proposal: Proposal<WalletNote>,
  built: BuiltPczt,
): StoredPayment => ({
  ...given,
  txid: txIdToHex(built.txid),
  pczt: built.bytes,
  encoding: built.encoding,
  targetHeight: proposal.targetHeight,
  anchorHeight: proposal.anchorHeight,
  expiryHeight: proposal.expiryHeight,
  lastHeight: proposal.lastHeight,
  payments: proposal.payments.map(({ place, address, zatoshi, memo }) => ({
    place,
    address,
    zatoshi,
    memo: memo === undefined ? null : bytesToHex(memo),
  })),
  change: proposal.change ?? null,
  fee: proposal.fee,
  disclosures: proposal.disclosures,
  notes: proposal.spends.map(({ note: { pool, txid, outputIndex, value, height, position } }) => ({
    pool,
    txid,
    outputIndex,
    zatoshi: value,
    height,
    position,
  })),
  sent: null,
  discardedAt: null,
});
