// What the proof of a bundle of actions is of: the public inputs of each action.

import { equalBytes } from '@wallet-companion/base/bytes';
import { decodePoints, type VestaKernel } from '@wallet-companion/kernel/vesta';
import { decodeInteger32 } from '@wallet-companion/zcash/curves';
import type { Statement } from './equation.ts';

export interface ProvenActions {
  readonly actions: readonly {
    readonly cv: Uint8Array;
    readonly nullifier: Uint8Array;
    readonly rk: Uint8Array;
    readonly cmx: Uint8Array;
  }[];
  readonly flags: number;
  readonly anchor: Uint8Array;
  /** Whether an action may pay another address than the one that it spends from; circuits before NU6.3 know no other rule. */
  readonly allowsCrossAddress: boolean;
}

const SPENDS = 0b01;
const OUTPUTS = 0b10;
const IDENTITY = new Uint8Array(32);

/** Undefined where bytes of an action are no point. Only a value commitment may be the identity, whose coordinates are 0. */
export function statementOf(
  kernel: VestaKernel,
  { actions, flags, anchor, allowsCrossAddress }: ProvenActions,
): Statement | undefined {
  const coordinates = (encoded: Uint8Array): readonly [bigint, bigint] | undefined => {
    const point = decodePoints(kernel, 'pallas', encoded);
    return point && [decodeInteger32(point), decodeInteger32(point, 32)];
  };
  const statement: bigint[][] = [];
  for (const { cv, nullifier, rk, cmx } of actions) {
    const commitment = equalBytes(cv, IDENTITY) ? [0n, 0n] : coordinates(cv);
    const key = coordinates(rk);
    if (commitment === undefined || key === undefined) return undefined;
    statement.push([
      decodeInteger32(anchor),
      ...commitment,
      decodeInteger32(nullifier),
      ...key,
      decodeInteger32(cmx),
      (flags & SPENDS) === 0 ? 0n : 1n,
      (flags & OUTPUTS) === 0 ? 0n : 1n,
      allowsCrossAddress ? 0n : 1n,
    ]);
  }
  return statement;
}
