// cv_net = [v_old - v_new] V + [rcv] R.
import { PALLAS_BASE, type PallasPoint } from '@wallet-companion/zcash/curves';
import { addCompletely, assignAddition } from './completeAddition.ts';
import { assignCellScalar, assignFullScalar, multiplyFixedBase, type WindowTable } from './fixedBase.ts';
import type { Regions } from './layout.ts';

export interface ValueBases {
  readonly value: WindowTable;
  readonly randomness: WindowTable;
}

/** Returns the commitment, which may be the identity. */
export function assignValueCommitment(
  regions: Regions,
  bases: ValueBases,
  value: bigint,
  rcv: bigint,
): PallasPoint {
  const isNegative = value < 0n;
  const magnitude = isNegative ? -value : value;
  regions.next('load private').set(9, 0, magnitude);
  regions.next('load private').set(9, 0, isNegative ? -1n : 1n);
  const short = multiplyFixedBase(bases.value, magnitude);
  assignCellScalar(regions, short, 'Short');
  const { x, y } = short.addition.sum;
  const signed = { x, y: PALLAS_BASE.reduce(isNegative ? -y : y) };
  const signedRegion = regions.next('Short fixed-base mul (most significant word)');
  assignAddition(signedRegion, 0, short.addition);
  signedRegion.set(1, 1, signed.y);
  const blind = multiplyFixedBase(bases.randomness, rcv);
  assignFullScalar(regions, blind);
  const total = addCompletely(signed, blind.addition.sum);
  assignAddition(regions.next('complete point addition'), 0, total);
  return total.sum;
}
