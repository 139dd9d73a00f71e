// What a payment is warned of or refused for before anything is built or reserved: the limits of the device that signs, a prover that
// is missing, and recipients that are easily taken for others.

import { oldestEncoding } from '@wallet-companion/pczt/pczt';
import { createPczt, formOf, type OwnNote, type Proposal, rulesAt } from '@wallet-companion/pczt/spending';
import { type NetworkParameters, UPGRADES } from '@wallet-companion/zcash/network';
import { parseMemo } from '@wallet-companion/zcash/notes';
import { type Pool, perPool } from '@wallet-companion/zcash/pools';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Output } from '../../../protocol/operations.ts';
import { NO_SAPLING_PROOFS } from '../../../protocol/pcztPrograms.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { Prover } from '../ports/signing.ts';
import type { SigningDevice } from '../ports/walletFile.ts';
import { ownPlaces } from '../session/paidAt.ts';
import type { Session } from '../session/session.ts';
import { type DeviceFault, type DevicePayment, deviceDoubts, deviceFaults } from './deviceLimits.ts';

interface Signer {
  readonly device: SigningDevice | undefined;
  /** The path in the seed is known. */
  readonly hasPath: boolean;
  /** The caller wants what the device does not sign, too. */
  readonly tryAnyway: boolean;
}

/** Sentences about what the signer may refuse. Throws `DEVICE_LIMIT` for what it surely does. */
export function checkDevice(
  proposal: Proposal<OwnNote>,
  params: NetworkParameters,
  { device, hasPath, tryAnyway }: Signer,
): string[] {
  const payment = devicePayment(proposal, params, hasPath);
  const faults = deviceFaults(device, payment);
  if (faults.length > 0 && !tryAnyway) throw deviceLimit(faults);
  return [...faults.map(({ text }) => text), ...deviceDoubts(device, payment)];
}

function devicePayment(
  { spends, inputs, payments, change, targetHeight, expiryHeight }: Proposal<OwnNote>,
  params: NetworkParameters,
  hasPath: boolean,
): DevicePayment {
  const rules = rulesAt(params, targetHeight);
  const created = createPczt(params, targetHeight, expiryHeight);
  const pays = payments.map(({ place }) => place);
  const form = formOf(spends, payments, change);
  const actionsOf = (pool: Pool): number => {
    const filled = rules.filled(pool, form[pool]);
    return Math.max(filled.spends, filled.outputs);
  };
  return {
    spends: spends.map(({ pool }) => pool),
    transparentInputs: inputs.length,
    pays,
    hasOtherMemo: payments.some(({ memo }) => memo !== undefined && !isPrintable(memo)),
    changePool: change?.pool,
    signsZeroValue: change !== undefined && !rules.payable.includes(change.pool),
    actions: perPool(actionsOf),
    encoding: oldestEncoding(created),
    upgrade: UPGRADES.find(({ branchId }) => branchId === created.global.consensusBranchId)!.key,
    hasPath,
  };
}

const isPrintable = (memo: Uint8Array): boolean => {
  const content = parseMemo(memo);
  return content.kind === 'none' || (content.kind === 'text' && /^[\x20-\x7e]*$/.test(content.text));
};

const deviceLimit = (faults: readonly DeviceFault[]): CompanionError =>
  new CompanionError(
    'DEVICE_LIMIT',
    `${faults.map(({ text }) => text).join(' ')} This is what its sources say: to prepare it all the same, set try_anyway.`,
    { errors: faults.map(({ field, text }) => ({ path: field, message: text })) },
  );

// Whether anything here can prove a proposed payment, found out before its notes are reserved: Sapling's proofs need parameters
// that are no part of the program.

/** Sentences about proofs that have to be made elsewhere. Throws `NO_PROVER` unless the caller wants the payment all the same. */
export async function checkProver(
  { valueBalances }: Pick<Proposal<OwnNote>, 'valueBalances'>,
  prover: Prover,
  tryAnyway: boolean,
): Promise<string[]> {
  if (valueBalances.sapling === undefined || (await prover.provesSapling())) return [];
  if (tryAnyway) return [NO_SAPLING_PROOFS];
  throw new CompanionError(
    'NO_PROVER',
    `The payment needs Sapling proofs. ${NO_SAPLING_PROOFS} To have it proved elsewhere, set try_anyway.`,
  );
}

// Recipients of a prepared payment that are easily taken for others: a person looks at the ends of an address, if at all.

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
