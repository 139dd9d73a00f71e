// Signs what an account spends in a PCZT: its notes in every pool, and its transparent inputs. The caller has checked what the
// PCZT does (checkPayment.ts); here only the keys are checked.
import { bytesToHex, equalBytes, wipe } from '@wallet-companion/base/bytes';
import { BIP44_PURPOSE, deriveTransparentKeyPair, harden } from '@wallet-companion/zcash/keys';
import { ACTION_POOLS, POOL, type Pool } from '@wallet-companion/zcash/pools';
import {
  cryptographyOf,
  type RandomBytes,
  shieldedSighash,
  signInput,
} from '@wallet-companion/zcash/signing';
import type { BareProofKey, BareSignature } from '../pczt/bareSignatures.ts';
import { isSignedInput } from '../pczt/inputSignatures.ts';
import type { SaplingSpend, TransparentInput } from '../pczt/layout.ts';
import { isAddressOf } from '../pczt/outputNote.ts';
import type { Pczt } from '../pczt/pczt.ts';
import { refuse } from '../pczt/refusal.ts';
import { itemAt } from '../pczt/returned/at.ts';
import { effectsOfPczt } from '../pczt/transactionParts.ts';
import type { SigningKeys } from './signingKeys.ts';

/** A signature for each spend that has none. PcztRefusal where one of them is not the account's. */
export function signPczt(pczt: Pczt, keys: SigningKeys, randomBytes: RandomBytes): BareSignature[] {
  const effects = effectsOfPczt(pczt);
  const signatures: BareSignature[] = [];
  pczt.transparent.inputs.forEach((input, index) => {
    if (isSignedInput(input)) return;
    const secret = secretOf(input, index, keys);
    try {
      signatures.push({
        pool: 'transparent',
        index,
        signature: signInput(effects, index, secret, randomBytes),
      });
    } finally {
      wipe(secret);
    }
  });
  const sighash = shieldedSighash(effects);
  const sign = (pool: Pool, index: number, spend: ShieldedSpend): void => {
    if (spend.spendAuthSig !== undefined) return;
    const { field } = itemAt(pool, index, 'spend');
    if (spend.alpha === undefined) refuse('missing', field, 'alpha is not there');
    const { ask, ak } = keys.spendAuth[POOL[pool].protocol];
    const { spendAuth } = cryptographyOf(pool);
    if (!equalBytes(spendAuth.randomizedValidatingKey(ak, spend.alpha), spend.rk)) notOurs(field);
    const rsk = spendAuth.randomizedSigningKey(ask, spend.alpha);
    try {
      signatures.push({ pool, index, signature: spendAuth.sign(rsk, sighash, randomBytes) });
    } finally {
      wipe(rsk);
    }
  };
  pczt.sapling.spends.forEach((spend, index) => {
    sign('sapling', index, spend);
  });
  for (const pool of ACTION_POOLS)
    pczt[pool].actions.forEach(({ spend }, index) => {
      sign(pool, index, spend);
    });
  return signatures;
}

/** The key with which somebody else proves a Sapling spend, for each that has neither. PcztRefusal as above. */
export const proofKeysFor = ({ sapling }: Pczt, { saplingProof }: SigningKeys): BareProofKey[] =>
  sapling.spends.flatMap(({ zkproof, proofGenerationKey, recipient }, index) => {
    if (zkproof !== undefined || proofGenerationKey !== undefined) return [];
    const key = recipient && saplingProof.find(({ ivk }) => isAddressOf('sapling', recipient, ivk));
    if (key === undefined) notOurs(itemAt('sapling', index, 'spend').field);
    return [{ index, ak: key.ak, nsk: key.nsk }];
  });

type ShieldedSpend = Pick<SaplingSpend, 'rk' | 'alpha' | 'spendAuthSig'>;

/** The key at m / 44' / coin' / account' / scope / index. */
function secretOf(
  { bip32Derivation }: TransparentInput,
  index: number,
  { seed, coinType, account }: SigningKeys,
): Uint8Array {
  const { field } = itemAt('transparent', index, 'spend');
  const [derived] = bip32Derivation;
  if (derived === undefined) refuse('missing', field, 'the path of its key is not there');
  const [name, { derivationPath: path }] = derived;
  const ofAccount = [BIP44_PURPOSE, coinType, account].map(harden);
  if (path.length !== ofAccount.length + 2 || ofAccount.some((step, i) => path[i] !== step)) notOurs(field);
  const { secret, publicKey } = deriveTransparentKeyPair(seed, path);
  if (bytesToHex(publicKey) === name) return secret;
  wipe(secret);
  return notOurs(field);
}

function notOurs(field: string): never {
  return refuse('inconsistent', field, "its key is not the account's");
}
