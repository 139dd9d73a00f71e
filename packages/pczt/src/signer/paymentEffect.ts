// What a PCZT takes from an account, computed from the PCZT alone and from the keys of those who own it: a signer with an allowance
// compares this with its policy.
//
// The sum is of what leaves, never of what is spent: every output to others counts, and the fee, whatever the spends are said to be
// worth. Outputs are bound by their commitments and the fee by the value balances, and signatures cover both.

import { type TxIdHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { BIP44_PURPOSE, harden, type IncomingKey } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { inspectPczt } from '../pczt/inspect.ts';
import type { InspectedOutput, Inspection, Place } from '../pczt/inspection.ts';
import type { Pczt } from '../pczt/pczt.ts';
import { refuse } from '../pczt/refusal.ts';
import { itemAt } from '../pczt/returned/at.ts';
import { contradictionIn, differenceText, foreignSpendIn } from './checkPayment.ts';

export interface PaymentEffect {
  /** As it is displayed. It covers everything below. */
  readonly txid: TxIdHex;
  /** The one whose notes or inputs are spent (ZIP 32). */
  readonly account: number;
  /** Each output but change, also to other addresses of the account. */
  readonly payments: readonly {
    /** The receiver that is paid, alone and encoded for the network. */
    readonly address: string;
    /** In zatoshi. */
    readonly amount: bigint;
  }[];
  /** In zatoshi. */
  readonly fee: bigint;
  /** Where value is spent from or goes to, in the order of the PCZT. */
  readonly places: readonly Place[];
}

/**
 * `keys`: of every account that may pay. Throws `PcztRefusal` where something cannot be computed, where notes of others or of
 * two accounts are spent, or nothing is.
 */
export function effectOf(
  pczt: Pczt,
  { params, keys }: { readonly params: NetworkParameters; readonly keys: readonly IncomingKey[] },
): PaymentEffect {
  const inspection = inspectPczt(pczt, { params, ownKeys: keys });
  const difference = contradictionIn(inspection) ?? foreignSpendIn(inspection);
  if (difference !== undefined) refuse('inconsistent', difference.field, differenceText(difference));
  const { txid, fee, outputs } = inspection;
  if (txid === undefined) refuse('missing', '', 'its txid cannot be computed');
  const account = accountOf(pczt, inspection, params);
  return {
    txid: txIdToHex(txid),
    account,
    payments: outputs.filter((output) => leaves(output, account)).map(paymentOf),
    fee,
    places: placesOf(inspection),
  };
}

/** Only the internal key makes change; it is found among the keys, whatever the PCZT says. */
const leaves = (output: InspectedOutput, account: number): boolean =>
  !output.isVerified ||
  (output.amount !== 0n && !(output.owner === 'internal' && output.account === account));

function paymentOf({ place, index, address, amount, isVerified }: InspectedOutput) {
  const { field } = itemAt(place, index, 'output');
  if (!isVerified || amount === undefined) refuse('missing', field, 'what it pays cannot be computed');
  if (address === undefined) refuse('unsupported', field, 'it pays a script that no address stands for');
  return { address, amount };
}

function accountOf({ transparent }: Pczt, { spends }: Inspection, { coinType }: NetworkParameters): number {
  const accounts = new Set<number | undefined>();
  for (const { place, isPadding, account } of spends)
    if (place !== 'transparent' && !isPadding) accounts.add(account);
  const [purpose, coin] = [BIP44_PURPOSE, coinType].map(harden);
  for (const { bip32Derivation } of transparent.inputs)
    for (const {
      derivationPath: [first, second, third = 0],
    } of bip32Derivation.values())
      accounts.add(first === purpose && second === coin ? third - harden(0) : undefined);
  const [account, ...others] = accounts;
  if (account === undefined) refuse('inconsistent', '', 'it spends nothing of an account that pays here');
  if (others.length > 0) refuse('unsupported', '', 'it spends from more than one account');
  return account;
}

/** A spend may be said to be worth nothing, which its pool's balance then contradicts. */
function placesOf({ spends, outputs, becomesPublic }: Inspection): Place[] {
  const moved = [
    ...spends.filter(({ isPadding }) => !isPadding),
    ...outputs.filter(({ amount }) => amount !== 0n),
  ].map(({ place }) => place);
  const balanced = becomesPublic.valueBalances.filter(({ amount }) => amount !== 0n).map(({ pool }) => pool);
  return [...new Set([...moved, ...balanced])];
}
