// Until when a transaction can be mined. The expiry height is signed, so it is final once dummies have signatures: it must
// leave enough time to sign on a device.
import type { Height } from '@wallet-companion/base/values';
import { blocksIn } from '@wallet-companion/zcash/blockTimes';
import { type NetworkParameters, UPGRADES } from '@wallet-companion/zcash/network';
import { FIRST_TIME_LOCK } from '../pczt/checkPczt.ts';
import { refuseSpending } from './refusal.ts';

/** 50 minutes (40 blocks of 75 seconds, 120 of 25), as in other wallets; another value would identify the wallet. */
const LIFETIME_SECONDS = 3000;
/** A person cannot sign and send within fewer blocks. */
const LEAST_BLOCKS = 3;

export interface ExpiryTerms {
  /** The last height at which the transaction can be mined, upgrades aside. */
  readonly expiryHeight: Height;
  /** Signatures are valid under one upgrade, so the transaction cannot be mined after the next one activates. */
  readonly lastHeight: Height;
}

export interface ExpirySituation {
  readonly params: NetworkParameters;
  readonly targetHeight: Height;
  /** The announced first block under rules that this program does not know. */
  readonly unknownUpgrade?: Height | undefined;
}

/** Below this height, a prepared transaction could hardly be signed and sent in time. */
export const earliestExpiry = (targetHeight: Height): Height => targetHeight + LEAST_BLOCKS;

/** `latest`: the height at which an address expires. */
export function expiryTerms(
  { params, targetHeight, unknownUpgrade }: ExpirySituation,
  wanted: Height | undefined,
  latest: Height = Number.POSITIVE_INFINITY,
): ExpiryTerms {
  const { activation } = params;
  const earliest = earliestExpiry(targetHeight);
  const usual = targetHeight + blocksIn(LIFETIME_SECONDS, activation, targetHeight);
  const expiryHeight = wanted ?? Math.min(usual, latest);
  // 0 would mean never: an abandoned payment could still be mined years later.
  if (!Number.isSafeInteger(expiryHeight) || expiryHeight < 1)
    refuseSpending({ kind: 'expiry', fault: 'range', earliest });
  if (expiryHeight < earliest) refuseSpending({ kind: 'expiry', fault: 'tooNear', earliest });
  if (expiryHeight >= FIRST_TIME_LOCK && latest >= FIRST_TIME_LOCK)
    refuseSpending({ kind: 'expiry', fault: 'noHeight', latest: FIRST_TIME_LOCK - 1 });
  if (expiryHeight > latest) refuseSpending({ kind: 'expiry', fault: 'tooLate', latest });
  if (unknownUpgrade !== undefined && unknownUpgrade <= earliest)
    refuseSpending({ kind: 'unknownUpgrade', height: unknownUpgrade });
  const upgrades = [unknownUpgrade, ...UPGRADES.map(({ key }) => activation[key])].map(
    (height) => height ?? Number.POSITIVE_INFINITY,
  );
  const nextUpgrade = Math.min(...upgrades.filter((height) => height > targetHeight));
  if (nextUpgrade <= earliest) refuseSpending({ kind: 'upgradeNear', height: nextUpgrade });
  return { expiryHeight, lastHeight: Math.min(expiryHeight, nextUpgrade - 1) };
}
