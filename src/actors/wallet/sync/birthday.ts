// Where the scan of a new wallet starts. A birthday too low costs hours of scanning, one too high hides money: a new
// wallet starts a little below the tip, or without an answer at a height that is known to be past.

import { dayText, type Height } from '@wallet-companion/base/values';
import { highestTip } from '@wallet-companion/zcash/blocks';
import { blockBefore, blockTimes } from '@wallet-companion/zcash/blockTimes';
import { type ActivationHeights, type NetworkParameters, UPGRADES } from '@wallet-companion/zcash/network';
import { badField, type CompanionError } from '../../../protocol/errors.ts';
import { birthday as dateField } from '../../../protocol/fields.ts';
import { BIRTHDAY_BELOW_TIP } from '../../../protocol/syncRange.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import { blockSource } from '../source/blockSource.ts';

/** Neither creating a wallet nor an estimate must hang on a server that does not answer. */
const TIP_PATIENCE_MS = 5_000;

export interface Birthday {
  readonly birthdayHeight: Height;
  readonly warning?: string;
}

/** What the owner knows about keys that are not new. */
export interface RequestedBirthday {
  readonly birthday_height?: Height | undefined;
  readonly birthday?: string | undefined;
}

const DAY_SECONDS = 86_400;
/** No clock is more than this ahead of UTC: the owner's day may have begun so much earlier. */
const EARLIEST_ZONE_SECONDS = 14 * 3_600;
/** A date counts as close to the newest block of the table up to so long after it. */
const CLOSE_SECONDS = 14 * DAY_SECONDS - EARLIEST_ZONE_SECONDS;

/** The birthday of keys that are not new, which only the owner knows. Throws `INVALID_REQUEST`. */
export function knownBirthday(
  params: NetworkParameters,
  requested: RequestedBirthday,
  now: number,
): Birthday {
  return (
    requestedBirthday(params, requested, now) ?? {
      birthdayHeight: params.activation.sapling,
      warning: 'No birthday or birthday_height was given, so the whole chain since Sapling will be scanned.',
    }
  );
}

/** Undefined where none was requested. `now`: milliseconds. Throws `INVALID_REQUEST`. */
export function requestedBirthday(
  params: NetworkParameters,
  { birthday, birthday_height: height }: RequestedBirthday,
  now: number,
): Birthday | undefined {
  const { sapling } = params.activation;
  if (birthday === undefined) {
    if (height === undefined) return undefined;
    const hasDates = blockTimes(params.network) !== undefined;
    refuseTooHigh(
      params,
      height,
      now,
      (date) => `give ${hasDates ? `birthday ${date}` : 'a height'} instead`,
    );
    return { birthdayHeight: Math.max(sapling, height) };
  }
  if (height !== undefined)
    throw refused('Give either birthday or birthday_height, not both.', 'is one too many');
  return birthdayOn(params, birthday, now / 1_000);
}

/** A height that no block can have by now, or that reads as a date where blocks have no schedule: nothing would ever be found. */
function refuseTooHigh(
  params: NetworkParameters,
  height: Height,
  now: number,
  cure: (date: string) => string,
): void {
  const [, ...parts] = /^(20\d\d)(\d\d)(\d\d)$/.exec(String(height)) ?? [];
  const date = parts.join('-');
  const isDate = dateField.safeParse(date).success;
  const highest = highestTip(params, now / 1_000);
  if (highest === undefined ? !isDate : height <= highest) return;
  const above = 'is higher than any block that there can be by now';
  throw badField('birthday_height', isDate ? `${above}. ${height} reads as a date: ${cure(date)}` : above);
}

function birthdayOn({ network, activation }: NetworkParameters, date: string, now: number): Birthday {
  const times = blockTimes(network);
  const newest = times?.at(-1);
  if (times === undefined || newest === undefined) {
    throw refused(
      `Dates of blocks are known only for the main network, and this wallet would be on "${network}": give birthday_height instead.`,
      'cannot be told on this network',
    );
  }
  // Date parses a year, a month and a day alike, as its first moment in UTC.
  const begins = Date.parse(date) / 1_000 - EARLIEST_ZONE_SECONDS;
  if (begins > Math.max(now, newest.time)) {
    throw refused(
      'The birthday lies in the future: give the date when this wallet was made.',
      'lies in the future',
    );
  }
  const before = blockBefore(times, begins);
  if (before === undefined || before.height < activation.sapling) {
    return {
      birthdayHeight: activation.sapling,
      warning: `On ${date} there were no Sapling funds yet, so the whole chain since Sapling will be scanned.`,
    };
  }
  if (begins - newest.time <= CLOSE_SECONDS) return { birthdayHeight: before.height };
  return {
    birthdayHeight: before.height,
    warning: `The newest block whose date is known here, ${before.height}, is of ${dayText(before.time)}: everything since then will be scanned. birthday_height can name a newer one.`,
  };
}

const refused = (detail: string, message: string): CompanionError => badField('birthday', message, detail);

const latestPassed = (activation: ActivationHeights): number =>
  Math.max(...UPGRADES.filter(({ passed }) => passed).map(({ key }) => activation[key] ?? 0));

/** Undefined where it takes longer. */
export async function soon<T>(
  { clock }: Pick<WalletEnvironment, 'clock'>,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  let cancel: () => void = () => undefined;
  const patience = new Promise<undefined>((resolve) => {
    cancel = clock.after(TIP_PATIENCE_MS, () => resolve(undefined));
  });
  return Promise.race([ask(), patience]).finally(cancel);
}

/** The birthday of a new wallet. `requested` wins, raised to Sapling activation: nothing below it is shielded. */
export async function defaultBirthday(
  environment: WalletEnvironment,
  params: NetworkParameters,
  requested: number | undefined,
): Promise<Birthday> {
  const { activation, network } = params;
  const { chain, clock, logFault } = environment;
  if (requested !== undefined) {
    refuseTooHigh(params, requested, clock.now(), () => 'a new wallet needs no birthday, so leave it out');
    return { birthdayHeight: Math.max(activation.sapling, requested) };
  }
  const tip = await soon(environment, async () => {
    const source = await blockSource(environment);
    return chain.tip({ source });
  }).catch((error: unknown) => {
    logFault('wallet.birthday', error);
    return undefined;
  });
  // A store that answers in the server's place may be old.
  if (tip !== undefined && tip.offline === undefined)
    return { birthdayHeight: Math.max(activation.sapling, tip.height - BIRTHDAY_BELOW_TIP) };
  // The newest upgrade that is certainly past; on regtest the chain's start.
  const checkpoint = network === 'regtest' ? activation.sapling : latestPassed(activation);
  return {
    birthdayHeight: Math.max(activation.sapling, checkpoint),
    warning:
      'The source of blocks gave no usable answer, so the birthday is an older checkpoint and the first sync takes longer.',
  };
}
