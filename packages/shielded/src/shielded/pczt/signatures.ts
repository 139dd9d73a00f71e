// Where a PCZT meets signatures (src/shielded/transaction): what the IO Finalizer signs with, and the Extractor.

import { isBindingSigningKey } from '../transaction/bindingKeys.ts';
import { signDummySpend } from '../transaction/dummySpends.ts';
import { type Extraction, extractTransaction } from '../transaction/extract.ts';
import { cryptographyOf } from '../transaction/poolCryptography.ts';
import type { RandomBytes } from '../transaction/redDsa.ts';
import { shieldedSighash } from '../transaction/sighash.ts';
import type { IoCryptography } from './ioFinalizer.ts';
import type { Pczt } from './pczt.ts';
import { authorizationOfPczt, effectsOfPczt } from './transactionParts.ts';

export const ioCryptography = (randomBytes: RandomBytes): IoCryptography => ({
  bindingSigningKey: (pool, added, subtracted) =>
    cryptographyOf(pool).values.bindingSigningKey(added, subtracted),
  isBindingSigningKey: (pczt, pool, bsk) => isBindingSigningKey(effectsOfPczt(pczt), pool, bsk),
  sighash: (pczt) => shieldedSighash(effectsOfPczt(pczt)),
  signDummy: (pool, spend, sighash) => signDummySpend(pool, spend, sighash, randomBytes),
});

/**
 * The transaction, every signature and sum of it checked; what is missing or wrong otherwise. Proofs are the node's to
 * check. PcztRefusal or FormatError for what no transaction can have.
 */
export const extractPczt = (pczt: Pczt, randomBytes: RandomBytes): Extraction =>
  extractTransaction(effectsOfPczt(pczt), authorizationOfPczt(pczt), randomBytes);
