// Homomorphic value commitments and the keys of binding signatures: protocol specification §5.4.8.3, §4.13 and §4.14.

import { FormatError } from '@wallet-companion/base/bytes';
import type { FixedBase } from '../curves/fixedBase.ts';
import { encodeInteger32 } from '../curves/integers.ts';
import type { RepresentedGroup } from '../curves/representedGroup.ts';
import { MAX_MONEY } from '../network.ts';
import { decodePoint, decodeScalar } from './redDsa.ts';

/** Commitments, trapdoors and keys are 32 bytes each. FormatError for other bytes. */
export interface ValueCommitments {
  /** `cv` of a value, which is negative where an action's output exceeds its spend. */
  commit(value: bigint, trapdoor: Uint8Array): Uint8Array;
  /** `bsk`: the sum of the trapdoors `added` minus the sum of `subtracted`. */
  bindingSigningKey(added: readonly Uint8Array[], subtracted: readonly Uint8Array[]): Uint8Array;
  /** `bvk` of the commitments, minus that of the value that leaves the pool. */
  bindingValidatingKey(
    added: readonly Uint8Array[],
    subtracted: readonly Uint8Array[],
    valueBalance: bigint,
  ): Uint8Array;
}

export function createValueCommitments<Sum>(
  group: RepresentedGroup<Sum>,
  valueBase: FixedBase<unknown, Sum, unknown>,
  trapdoorBase: FixedBase<unknown, Sum, unknown>,
): ValueCommitments {
  const addValue = (sum: Sum, value: bigint): void => {
    if (value < -MAX_MONEY || value > MAX_MONEY) throw new FormatError('a value is out of range');
    valueBase.addTo(sum, value < 0n ? group.order + value : value);
  };
  return {
    commit(value, trapdoor) {
      const sum = group.identity();
      addValue(sum, value);
      trapdoorBase.addTo(sum, decodeScalar(group, trapdoor, 'trapdoor'));
      return group.encode(sum);
    },
    bindingSigningKey(added, subtracted) {
      let key = 0n;
      for (const trapdoor of added) key += decodeScalar(group, trapdoor, 'trapdoor');
      for (const trapdoor of subtracted) key += group.order - decodeScalar(group, trapdoor, 'trapdoor');
      return encodeInteger32(key % group.order);
    },
    bindingValidatingKey(added, subtracted, valueBalance) {
      const sum = group.identity();
      addValue(sum, -valueBalance);
      for (const cv of added) group.add(sum, decodePoint(group, cv, 'value commitment'), 1);
      for (const cv of subtracted) group.add(sum, decodePoint(group, cv, 'value commitment'), -1);
      return group.encode(sum);
    },
  };
}
