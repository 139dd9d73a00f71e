// Until when a transaction can be mined. It is signed, so it cannot be changed once dummies have signatures: whoever signs on
// a device must get the time that it takes.
import type { Height } from '../../values/height.ts';
import { blocksIn } from '../blockSpacing.ts';
import { type NetworkParameters, UPGRADES } from '../network.ts';
import { FIRST_TIME_LOCK } from '../pczt/checkPczt.ts';
import { refuseSpending } from './refusal.ts';

/** 50 minutes (40 blocks of 75 seconds, 120 of 25), as other wallets have it; another lifetime would tell the wallet apart. */
const LIFETIME_SECONDS = 3000;
/** In fewer blocks nobody can sign and send. */
const LEAST_BLOCKS = 3;

export interface ExpiryTerms {
  /** The last height at which it can be mined, but for upgrades. */
  readonly expiryHeight: Height;
  /** Signatures are for the rules of one upgrade, so it cannot be mined after the next has come. */
  readonly lastHeight: Height;
}

export interface ExpirySituation {
  readonly params: NetworkParameters;
  readonly targetHeight: Height;
  /** The first block under rules that are not known here, where one is announced. */
  readonly unknownUpgrade?: Height | undefined;
}

/** Below it, what was prepared could hardly be signed and sent. */
export const earliestExpiry = (targetHeight: Height): Height => targetHeight + LEAST_BLOCKS;

/** `latest`: where an address says that it ends. */
export function expiryTerms(
  { params, targetHeight, unknownUpgrade }: ExpirySituation,
  wanted: Height | undefined,
  latest: Height = Number.POSITIVE_INFINITY,
): ExpiryTerms {
  const { activation } = params;
  const earliest = earliestExpiry(targetHeight);
  const usual = targetHeight + blocksIn(LIFETIME_SECONDS, activation, targetHeight);
  const expiryHeight = wanted ?? Math.min(usual, latest);
  // 0 would mean never: a payment that was given up could still be mined years later.
  if (!Number.isSafeInteger(expiryHeight) || expiryHeight < 1 || expiryHeight >= FIRST_TIME_LOCK)
    refuseSpending({ kind: 'expiry', fault: 'range', earliest });
  if (expiryHeight < earliest) refuseSpending({ kind: 'expiry', fault: 'tooNear', earliest });
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
