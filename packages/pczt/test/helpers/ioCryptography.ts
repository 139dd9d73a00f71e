// What the IO Finalizer asks of curves and signatures, on the curves themselves; a dummy's signature is given.
import { concatBytes, equalBytes, FormatError } from '@wallet-companion/base/bytes';
import {
  affineJubjub,
  affinePallas,
  decodeInteger32,
  ExtendedAccumulator,
  encodeInteger32,
  encodeJubjub,
  encodePallas,
  JacobianAccumulator,
  JUBJUB_ORDER,
  ORCHARD_SPEND_AUTH_BASE,
  ORCHARD_VALUE_BASE,
  ORCHARD_VALUE_RANDOMNESS_BASE,
  PALLAS_SCALAR_ORDER,
  SAPLING_VALUE_BASE,
  SAPLING_VALUE_RANDOMNESS_BASE,
  toNiels,
  tryDecodeJubjub,
  tryDecodePallas,
} from '@wallet-companion/zcash/curves';
import { deriveOrchardKeys } from '@wallet-companion/zcash/keys';
import { isActionPool, POOL, type Pool } from '@wallet-companion/zcash/pools';
import type { DummySpend } from '@wallet-companion/zcash/signing';
import type { IoCryptography } from '../../src/pczt/ioFinalizer.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';

const orderOf = (pool: Pool): bigint =>
  POOL[pool].protocol === 'sapling' ? JUBJUB_ORDER : PALLAS_SCALAR_ORDER;

function isSaplingKey({ sapling }: Pczt, bsk: Uint8Array): boolean {
  const sum = new ExtendedAccumulator();
  for (const { cv } of sapling.spends) sum.add(toNiels(tryDecodeJubjub(cv)!));
  for (const { cv } of sapling.outputs) sum.add(toNiels(tryDecodeJubjub(cv)!), -1);
  SAPLING_VALUE_BASE.addTo(sum, (JUBJUB_ORDER - (sapling.valueSum % JUBJUB_ORDER)) % JUBJUB_ORDER);
  const key = encodeJubjub(SAPLING_VALUE_RANDOMNESS_BASE.multiply(decodeInteger32(bsk)));
  return equalBytes(encodeJubjub(affineJubjub(sum)), key);
}

function isActionKey({ actions, valueSum }: Pczt['orchard'], bsk: Uint8Array): boolean {
  const sum = new JacobianAccumulator();
  for (const { cvNet } of actions) {
    const { x, y } = tryDecodePallas(cvNet!)!;
    sum.add(x, y);
  }
  ORCHARD_VALUE_BASE.addTo(sum, (PALLAS_SCALAR_ORDER - valueSum) % PALLAS_SCALAR_ORDER);
  const key = ORCHARD_VALUE_RANDOMNESS_BASE.multiply(decodeInteger32(bsk))!;
  return equalBytes(encodePallas(affinePallas(sum)!), encodePallas(key));
}

export interface SeenByCryptography {
  readonly sighashed: Pczt[];
  readonly signed: DummySpend[];
}

/** `sign` gives the signature of a dummy whose key fits its rk. */
export function ioCryptography(
  sighash: Uint8Array,
  sign: (rk: Uint8Array) => Uint8Array,
): IoCryptography & SeenByCryptography {
  const sighashed: Pczt[] = [];
  const signed: DummySpend[] = [];
  return {
    sighashed,
    signed,
    bindingSigningKey(pool, added, subtracted) {
      let key = 0n;
      for (const rcv of added) key += decodeInteger32(rcv);
      for (const rcv of subtracted) key += orderOf(pool) - decodeInteger32(rcv);
      return encodeInteger32(key % orderOf(pool));
    },
    isBindingSigningKey: (pczt, pool, bsk) =>
      isActionPool(pool) ? isActionKey(pczt[pool], bsk) : isSaplingKey(pczt, bsk),
    sighash(pczt) {
      sighashed.push(pczt);
      return sighash;
    },
    signDummy(_pool, spend, given) {
      if (!equalBytes(given, sighash)) throw new Error('another sighash');
      const { ask } = deriveOrchardKeys(spend.key);
      const rsk = (ask + decodeInteger32(spend.alpha)) % PALLAS_SCALAR_ORDER;
      const rk = encodePallas(ORCHARD_SPEND_AUTH_BASE.multiply(rsk)!);
      if (!equalBytes(rk, spend.rk)) throw new FormatError('the key is not that of the spend');
      signed.push({ ...spend, key: concatBytes(spend.key) });
      spend.key.fill(0);
      return sign(rk);
    },
  };
}
