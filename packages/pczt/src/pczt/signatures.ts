// Connects PCZTs with signatures (zcash/transaction), for the IO Finalizer and the Extractor.

import type { RandomBytes } from '@wallet-companion/zcash/signing';
import {
  cryptographyOf,
  type Extraction,
  extractTransaction,
  isBindingSigningKey,
  shieldedSighash,
  signDummySpend,
} from '@wallet-companion/zcash/signing';
import { isSignedInput } from './inputSignatures.ts';
import type { IoCryptography } from './ioFinalizer.ts';
import type { Pczt } from './pczt.ts';
import { finalizeInput } from './spendFinalizer.ts';
import { authorizationOfPczt, effectsOfPczt } from './transactionParts.ts';

/**
 * The cryptography that `finalizeIo` takes. `randomBytes` must be a secure source: it makes the nonces of dummies'
 * signatures.
 */
export const ioCryptography = (randomBytes: RandomBytes): IoCryptography => ({
  bindingSigningKey: (pool, added, subtracted) =>
    cryptographyOf(pool).values.bindingSigningKey(added, subtracted),
  isBindingSigningKey: (pczt, pool, bsk) => isBindingSigningKey(effectsOfPczt(pczt), pool, bsk),
  sighash: (pczt) => shieldedSighash(effectsOfPczt(pczt)),
  signDummy: (pool, spend, sighash) => signDummySpend(pool, spend, sighash, randomBytes),
});

/**
 * Returns the transaction, with every signature and sum checked, or the missing and wrong pieces. The node checks
 * proofs. PcztRefusal or FormatError for contents that no transaction can have.
 */
export const extractPczt = (pczt: Pczt, randomBytes: RandomBytes): Extraction =>
  extractTransaction(effectsOfPczt(pczt), authorizationOfPczt(withScripts(pczt)), randomBytes);

/** Inputs that are not signed yet stay without. */
function withScripts({ transparent, ...pczt }: Pczt): Pczt {
  const inputs = transparent.inputs.map((input) => (isSignedInput(input) ? finalizeInput(input) : input));
  return { ...pczt, transparent: { ...transparent, inputs } };
}
