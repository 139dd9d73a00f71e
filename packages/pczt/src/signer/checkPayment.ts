// Whether a PCZT does what its payment was asked to do, and no more, computed from the PCZT alone and from the keys of the
// account that would sign it: a signer that believed what is written beside it would sign anything.

import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { type FullViewingKeys, incomingKeys } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { parseMemo } from '@wallet-companion/zcash/notes';
import { type PlannedChange, splitChange } from '../pczt/change.ts';
import { inspectPczt } from '../pczt/inspect.ts';
import type { InspectedOutput, Inspection, Place, WarningCode } from '../pczt/inspection.ts';
import type { Pczt } from '../pczt/pczt.ts';
import { itemAt } from '../pczt/returned/at.ts';
import { isSameValue } from '../pczt/sameValue.ts';

/** What a payment was asked to do, as people were shown it. */
export interface PaymentTerms {
  /** As it is displayed. */
  readonly txid: string;
  readonly account: number;
  readonly payments: readonly {
    readonly place: Place;
    /** As it was typed. */
    readonly address: string;
    readonly zatoshi: number;
    /** 512 bytes; undefined for transparent recipients. */
    readonly memo: Uint8Array | undefined;
  }[];
  readonly change: PlannedChange | undefined;
  readonly fee: number;
  readonly expiryHeight: number;
}

const DIFFERENCES = {
  transaction: 'it is another transaction than the one that was shown',
  contradiction: 'its parts contradict each other',
  spend: "it spends what is not the account's",
  recipient: 'it pays somebody, an amount or a memo that was not asked for',
  payment: 'it leaves out what was to be paid',
  change: 'its change is not what was shown',
  fee: 'its fee is another one',
  expiry: 'it is valid until another block',
  lockTime: 'it is locked',
} as const;

export interface PaymentDifference {
  readonly kind: keyof typeof DIFFERENCES;
  /** Such as `ironwood.actions[0].output`; empty for the whole PCZT. */
  readonly field: string;
}

/** What follows "The payment was not signed: ". */
export const differenceText = ({ kind }: PaymentDifference): string => DIFFERENCES[kind];

/** About what others may do with it, and what is compared below. */
const NO_CONTRADICTION: readonly WarningCode[] = [
  'unknownProprietary',
  'neverExpires',
  'lockedUntil',
  'feeHigh',
  'feeLow',
];

/** Undefined where there is none. Throws `PcztRefusal` as `inspectPczt`. */
export function differenceFrom(
  pczt: Pczt,
  terms: PaymentTerms,
  { params, keys }: { readonly params: NetworkParameters; readonly keys: FullViewingKeys },
): PaymentDifference | undefined {
  const inspection = inspectPczt(pczt, { params, ownKeys: incomingKeys(keys, terms.account) });
  return (
    contradictionIn(inspection) ??
    wholeDifference(inspection, terms) ??
    foreignSpendIn(inspection) ??
    outputDifference(inspection.outputs, terms)
  );
}

export function contradictionIn({ warnings }: Inspection): PaymentDifference | undefined {
  const found = warnings.find(({ code }) => !NO_CONTRADICTION.includes(code));
  return found && { kind: 'contradiction', field: found.field };
}

function wholeDifference(
  { txid, fee, expiryHeight, lockTime }: Inspection,
  terms: PaymentTerms,
): PaymentDifference | undefined {
  if (txid === undefined || txIdToHex(txid) !== terms.txid) return { kind: 'transaction', field: '' };
  if (fee !== BigInt(terms.fee)) return { kind: 'fee', field: '' };
  if (expiryHeight !== terms.expiryHeight) return { kind: 'expiry', field: 'global.expiryHeight' };
  if (lockTime !== 0) return { kind: 'lockTime', field: 'global.fallbackLockTime' };
  return undefined;
}

/** The keys of transparent inputs are checked when they are signed. */
export function foreignSpendIn({ spends }: Inspection): PaymentDifference | undefined {
  const foreign = spends.find(
    ({ place, isPadding, owner, isVerified }) =>
      place !== 'transparent' && !isPadding && (owner === undefined || !isVerified),
  );
  return foreign && { kind: 'spend', field: itemAt(foreign.place, foreign.index, 'spend').field };
}

function outputDifference(
  outputs: readonly InspectedOutput[],
  { payments, change }: PaymentTerms,
): PaymentDifference | undefined {
  const unpaid = [...payments];
  // Change of 0 cannot be told from padding.
  const unreturned = change === undefined ? [] : splitChange(change).filter(Boolean).map(BigInt);
  for (const output of outputs) {
    const { field } = itemAt(output.place, output.index, 'output');
    const at = unpaid.findIndex((payment) => pays(output, payment));
    if (!output.isVerified) return { kind: 'recipient', field };
    if (at >= 0) unpaid.splice(at, 1);
    else if (output.role === 'padding') continue;
    else if (output.role !== 'change' || output.owner !== 'internal' || !isSilent(output))
      return { kind: 'recipient', field };
    else if (output.place !== change?.pool || !takeFrom(unreturned, output.amount!))
      return { kind: 'change', field };
  }
  if (unpaid.length > 0) return { kind: 'payment', field: '' };
  return unreturned.length === 0 ? undefined : { kind: 'change', field: '' };
}

function takeFrom(values: bigint[], value: bigint): boolean {
  const at = values.indexOf(value);
  if (at >= 0) values.splice(at, 1);
  return at >= 0 || value === 0n;
}

const pays = (output: InspectedOutput, { place, address, zatoshi, memo }: PaymentTerms['payments'][number]) =>
  output.place === place &&
  output.userAddress === address &&
  output.amount === BigInt(zatoshi) &&
  isSameValue(output.memo, memo && parseMemo(memo));

const isSilent = ({ memo, userAddress }: InspectedOutput): boolean =>
  userAddress === undefined && memo?.kind === 'none';
