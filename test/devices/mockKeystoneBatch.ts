// A Keystone that is given a batch: what its firmware refuses, and the bare signatures that it answers with. No device was at
// hand.

import { batchResultUr, signBatchOf, type Ur } from '@wallet-companion/devices/ur';
import {
  type BatchSignature,
  decodeSignBatch,
  encodeBatchSignatures,
  type Pczt,
} from '@wallet-companion/pczt/pczt';
import { effectsOfPczt } from '@wallet-companion/pczt/pcztRoles';
import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { seedFingerprint } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { cryptographyOf, shieldedSighash } from '@wallet-companion/zcash/signing';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';

const HARDENED = 0x8000_0000;
const MOST_PCZTS = 40;
const MOST_BYTES = 512 * 1024;

export interface BatchDevice {
  readonly seed: Uint8Array;
  readonly params: NetworkParameters;
  readonly firmware?: readonly [number, number, number];
}

export function keystoneBatchAnswer(request: Ur, device: BatchDevice): Ur {
  const { data, requestId } = signBatchOf(request);
  if (data.length > MOST_BYTES) throw new Error('the batch is too large');
  const pczts = decodeSignBatch(data);
  if (pczts.length === 0 || pczts.length > MOST_PCZTS)
    throw new Error('the batch has too many PCZTs, or none');
  const { firmware = [3, 0, 2] } = device;
  return batchResultUr({
    data: encodeBatchSignatures(pczts.map((pczt) => signaturesFor(pczt, device))),
    requestId,
    firmwareVersion: Uint8Array.from(firmware),
  });
}

function signaturesFor(pczt: Pczt, { seed, params }: BatchDevice): BatchSignature[] {
  if (pczt.transparent.inputs.length > 0) throw new Error('transparent inputs are not supported');
  if (pczt.sapling.spends.length + pczt.sapling.outputs.length > 0)
    throw new Error('Sapling is not supported');
  const sighash = shieldedSighash(effectsOfPczt(pczt));
  const own = seedFingerprint(seed);
  const randomBytes = seededBytes(11);
  return (['orchard', 'ironwood'] as const).flatMap((pool) =>
    pczt[pool].actions.flatMap(({ spend }, index): BatchSignature[] => {
      if (spend.spendAuthSig !== undefined) throw new Error(`the batch must not contain ${pool} signatures`);
      const { zip32Derivation: derivation, alpha, rk } = spend;
      if (derivation === undefined || alpha === undefined) return [];
      const [purpose, coin, account = 0] = derivation.derivationPath.map((step) => step - HARDENED);
      if (!Buffer.from(derivation.seedFingerprint).equals(own) || purpose !== 32 || coin !== params.coinType)
        return [];
      const { spendAuth } = cryptographyOf(pool);
      const key = spendAuth.randomizedSigningKey(
        deriveSigningKeys(seed, params, account).spendAuth.orchard.ask,
        alpha,
      );
      if (!Buffer.from(spendAuth.validatingKey(key)).equals(rk)) throw new Error('rk is of another key');
      return [{ pool, index, signature: spendAuth.sign(key, sighash, randomBytes) }];
    }),
  );
}
