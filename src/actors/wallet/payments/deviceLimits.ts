// What each device signs, as its sources and pages say (docs/devices.md); no device was tried. A
// payment that it surely refuses is better refused before it is built and its notes are reserved.

import type { Encoding, Place } from '@wallet-companion/pczt/pczt';
import { UPGRADES, type Upgrade } from '@wallet-companion/zcash/network';
import { POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { Device } from '../../../protocol/fields.ts';
import type { SigningDevice } from '../ports/walletFile.ts';

interface DeviceLimits {
  readonly name: string;
  /** Pools whose notes it signs for. */
  readonly spends: Readonly<Record<Pool, boolean>>;
  readonly mostTransparentInputs: number;
  /** Where payments and change may go. */
  readonly pays: Readonly<Record<Place, boolean>>;
  /** In a pool, with padding. */
  readonly mostActions: number;
  readonly mostTransparentOutputs: number;
  /** Payments that it shows to the user. */
  readonly mostShieldedPayments: number;
  /** Notes of change that other wallets have had it sign. */
  readonly mostChangeNotes: number;
  /** Whether its software asks for signatures of notes without value: change kept in a pool that only loses funds has one. */
  readonly signsZeroValues: boolean;
  /** It finds its keys by the path in the seed alone. */
  readonly needsPath: boolean;
  /** The first release that reads the encoding of the PCZT. */
  readonly reads: Readonly<Record<Encoding, string>>;
  /** It was seen to sign for notes in Orchard that are paid, or whose change goes, into Ironwood. */
  readonly movesOrchard: boolean;
  /** The first release that shows a memo with more than printable ASCII, where earlier ones fail. */
  readonly showsOtherMemos?: string;
  /** The newest release that was read, and the last upgrade that it knows. */
  readonly newest: { readonly release: string; readonly upgrade: Upgrade };
  /** It shows its major version so much higher than it is. */
  readonly majorShownAbove: number;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

const LIMITS: Readonly<Record<Exclude<Device, 'other'>, DeviceLimits>> = {
  keystone: {
    name: 'Keystone',
    spends: { sapling: false, orchard: true, ironwood: true },
    mostTransparentInputs: NO_LIMIT,
    pays: { transparent: true, sapling: true, orchard: true, ironwood: true },
    mostActions: NO_LIMIT,
    mostTransparentOutputs: NO_LIMIT,
    mostShieldedPayments: NO_LIMIT,
    // The wallet of the reference's authors splits its change in four.
    mostChangeNotes: NO_LIMIT,
    signsZeroValues: true,
    needsPath: true,
    reads: { 1: '3.0.0', 2: '3.0.2' },
    movesOrchard: true,
    newest: { release: '3.0.2', upgrade: 'nu6_3' },
    majorShownAbove: 10,
  },
  ledger: {
    name: "Ledger's Zcash app",
    spends: { sapling: false, orchard: true, ironwood: true },
    // 32 from 3.9.3 on.
    mostTransparentInputs: 10,
    pays: { transparent: true, sapling: false, orchard: true, ironwood: true },
    mostActions: 32,
    mostTransparentOutputs: 10,
    mostShieldedPayments: 4,
    mostChangeNotes: 1,
    signsZeroValues: false,
    needsPath: false,
    // 3.9.0 computes the nullifiers of Ironwood in another way.
    reads: { 1: '3.9.0', 2: '3.9.1' },
    movesOrchard: false,
    showsOtherMemos: '3.9.4',
    newest: { release: '3.9.2', upgrade: 'nu6_3' },
    majorShownAbove: 0,
  },
};

/** The properties of a payment that devices limit. */
export interface DevicePayment {
  /** Pools of the spent notes. */
  readonly spends: readonly Pool[];
  readonly transparentInputs: number;
  readonly pays: readonly Place[];
  /** One of its memos is more than printable ASCII. */
  readonly hasOtherMemo: boolean;
  readonly changePool: Pool | undefined;
  /** The change needs a signature for a note without value. */
  readonly signsZeroValue: boolean;
  /** With padding. */
  readonly actions: Readonly<Record<Pool, number>>;
  readonly encoding: Encoding;
  readonly upgrade: Upgrade;
  /** The path in the seed is known. */
  readonly hasPath: boolean;
}

/** `field` of the request changes it. */
export interface DeviceFault {
  readonly field: string;
  readonly text: string;
}

const limitsOf = (device: SigningDevice | undefined): DeviceLimits | undefined =>
  device === undefined || device.kind === 'other' ? undefined : LIMITS[device.kind];

/** Into how many notes change may be split for the device. */
export const mostChangeNotes = (device: SigningDevice | undefined): number =>
  limitsOf(device)?.mostChangeNotes ?? NO_LIMIT;

/** What the device surely does not sign, in sentences. */
export function deviceFaults(device: SigningDevice | undefined, payment: DevicePayment): DeviceFault[] {
  const limits = limitsOf(device);
  return limits === undefined
    ? []
    : [...poolFaults(limits, payment), ...otherFaults(limits, device, payment)];
}

function poolFaults(
  { name, spends, pays, signsZeroValues }: DeviceLimits,
  payment: DevicePayment,
): DeviceFault[] {
  const faults: DeviceFault[] = [];
  const can = POOLS.filter((pool) => spends[pool]);
  for (const pool of POOLS.filter((one) => payment.spends.includes(one) && !spends[one]))
    faults.push({
      field: 'pools',
      text: `${name} signs for no notes in ${POOL[pool].name}. Spend others alone: pools ${can.join(', ')}.`,
    });
  for (const pool of POOLS.filter((one) => payment.pays.includes(one) && !pays[one]))
    faults.push({ field: 'address', text: `${name} signs no payment to a receiver in ${POOL[pool].name}.` });
  const { changePool } = payment;
  if (changePool === undefined) return faults;
  const change = `change in ${POOL[changePool].name}`;
  if (!pays[changePool])
    faults.push({ field: 'change', text: `${name} signs no ${change}. Have it moved: change moved.` });
  else if (payment.signsZeroValue && !signsZeroValues)
    faults.push({
      field: 'change',
      text: `With ${change} a note without value is signed for, which ${name} is not asked for. Have it moved: change moved.`,
    });
  return faults;
}

function otherFaults(
  limits: DeviceLimits,
  device: SigningDevice | undefined,
  payment: DevicePayment,
): DeviceFault[] {
  const { name, mostActions, mostTransparentInputs, mostTransparentOutputs, mostShieldedPayments } = limits;
  const faults: DeviceFault[] = [];
  const needs = limits.reads[payment.encoding];
  const version = device?.version;
  if (version !== undefined && isOlder(version, needs, limits))
    faults.push({
      field: 'device_version',
      text: `This payment is a PCZT in encoding ${payment.encoding}, which ${name} reads from version ${needs} on, and yours is ${version}. Update it, and say so with wallet.device.`,
    });
  for (const pool of POOLS.filter((one) => payment.actions[one] > mostActions))
    faults.push({
      field: 'max_actions',
      text: `The payment has ${payment.actions[pool]} actions in ${POOL[pool].name}; ${name} signs ${mostActions}. Send less, or lower max_actions.`,
    });
  const inputs = payment.transparentInputs;
  if (inputs > mostTransparentInputs)
    faults.push({
      field: 'max_inputs',
      text: `The payment takes ${inputs} transparent outputs; ${name} signs for ${mostTransparentInputs}. Set max_inputs to ${mostTransparentInputs}.`,
    });
  const open = payment.pays.filter((place) => place === 'transparent').length;
  if (open > mostTransparentOutputs)
    faults.push({
      field: 'recipients',
      text: `The payment has ${open} transparent recipients; ${name} signs ${mostTransparentOutputs}. Pay them in several payments.`,
    });
  const shielded = payment.pays.length - open;
  if (shielded > mostShieldedPayments)
    faults.push({
      field: 'recipients',
      text: `The payment has ${shielded} shielded recipients; ${name} shows ${mostShieldedPayments}. Pay them in several payments.`,
    });
  if ((limits.needsPath || inputs > 0) && !payment.hasPath)
    faults.push({
      field: 'account_index',
      text: `${name} finds its keys by the seed's fingerprint and the account's ZIP 32 number alone, which this wallet does not know. Give seed_fingerprint and account_index, here or to wallet.device.`,
    });
  return faults;
}

/** What it may refuse, in sentences: a newer version could sign it, or the version is not known. */
export function deviceDoubts(device: SigningDevice | undefined, payment: DevicePayment): string[] {
  const limits = limitsOf(device);
  const doubts: string[] = [];
  if (limits === undefined) {
    if (!payment.hasPath)
      doubts.push(
        "The signer's fingerprint of its seed and its ZIP 32 account are not known here (wallet.device keeps them): some signers do not find their keys without.",
      );
    return doubts;
  }
  const { name, newest, reads, movesOrchard, showsOtherMemos } = limits;
  const { version } = device!;
  if (rank(payment.upgrade) > rank(newest.upgrade)) doubts.push(unknownRules(limits, payment.upgrade));
  const needs = reads[payment.encoding];
  if (version === undefined && needs !== oldestRelease(limits))
    doubts.push(
      `${name} reads this PCZT (encoding ${payment.encoding}) from version ${needs} on; which one yours has is not known here.`,
    );
  const goesTo = [...payment.pays, payment.changePool];
  if (!movesOrchard && payment.spends.includes('orchard') && goesTo.includes('ironwood'))
    doubts.push(
      `Notes in Orchard are spent into Ironwood: another wallet with this device does not let that be, as ${name} did not sign it.`,
    );
  const isShown = showsOtherMemos === undefined || (version && !isOlder(version, showsOtherMemos, limits));
  if (payment.hasOtherMemo && !isShown)
    doubts.push(
      `A memo has more than printable ASCII letters: before version ${showsOtherMemos} ${name} fails when it is to show one.`,
    );
  return doubts;
}

/** The same about upgrades that the network has a height for: a warning when the device is named, before any payment. */
export function deviceOutlook(
  device: SigningDevice | undefined,
  isSet: (upgrade: Upgrade) => boolean,
): string | undefined {
  const limits = limitsOf(device);
  const missing = UPGRADES.find(({ key }) => limits && rank(key) > rank(limits.newest.upgrade) && isSet(key));
  return limits && missing && unknownRules(limits, missing.key);
}

const unknownRules = ({ name, newest }: DeviceLimits, upgrade: Upgrade): string => {
  const { name: rules } = UPGRADES[rank(upgrade)]!;
  return `${name} up to version ${newest.release}, the newest that was read, does not know the rules of ${rules} and should refuse each payment under them: it needs a newer version.`;
};

const rank = (upgrade: Upgrade): number => UPGRADES.findIndex(({ key }) => key === upgrade);

const oldestRelease = ({ reads }: DeviceLimits): string => reads[1];

const numbersIn = (version: string): number[] => version.split('.').map(Number);

/** Major, minor and patch in this order. */
function isOlder(version: string, release: string, { majorShownAbove }: DeviceLimits): boolean {
  const [major = 0, ...rest] = numbersIn(version);
  const isShown = majorShownAbove > 0 && major > majorShownAbove;
  const own = [isShown ? major - majorShownAbove : major, ...rest];
  const least = numbersIn(release);
  const at = own.findIndex((number, place) => number !== least[place]);
  return at !== -1 && own[at]! < least[at]!;
}
