// What the signing thread does, in two steps: the password opens the account's spending keys, and these sign one PCZT that was
// found to do what its payment was asked to do.

import { randomBytes } from 'node:crypto';
import { FormatError } from '@wallet-companion/base/bytes';
import { decodePczt, PcztRefusal } from '@wallet-companion/pczt/pczt';
import {
  deriveSigningKeys,
  differenceFrom,
  differenceText,
  proofKeysFor,
  type SigningKeys,
  signPczt,
  wipeSigningKeys,
} from '@wallet-companion/pczt/signer';
import { deriveViewingKeys, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import type { OwnSignatures, OwnSigningRequest } from '../actors/wallet/ports/signing.ts';
import type { WalletSecrets } from '../actors/wallet/ports/walletFile.ts';
import { CompanionError } from '../protocol/errors.ts';
import { withSecretsOf } from '../storage/wallet/openContainer.ts';

export type KeyRequest = Pick<OwnSigningRequest, 'walletFile' | 'password' | 'params'> & {
  readonly account: number;
};

export type SignRequest = Pick<OwnSigningRequest, 'pczt' | 'terms' | 'params'>;

/** The caller wipes the keys. */
export async function openSigningKeys({
  walletFile,
  password,
  params,
  account,
}: KeyRequest): Promise<SigningKeys> {
  try {
    return await withSecretsOf(walletFile, password, (secrets) => {
      const seed = seedOf(secrets);
      try {
        return deriveSigningKeys(seed, params, account);
      } finally {
        seed.fill(0);
      }
    });
  } finally {
    password.fill(0);
  }
}

/** The caller wipes it. Throws `NO_SIGNER` for a watch-only wallet. */
export function seedOf({ mnemonic, bip39Passphrase }: WalletSecrets): Uint8Array {
  if (mnemonic === null) throw new CompanionError('NO_SIGNER', 'The wallet has no phrase to sign with.');
  const decoder = new TextDecoder();
  return mnemonicToSeed(decoder.decode(mnemonic), decoder.decode(bip39Passphrase));
}

/** Throws `PCZT_CHANGED` where the PCZT does something else. Wipes the keys. */
export function signPayment({ pczt: bytes, terms, params }: SignRequest, keys: SigningKeys): OwnSignatures {
  try {
    const { pczt } = decodePczt(bytes);
    const viewingKeys = deriveViewingKeys(keys.seed, params, keys.account);
    const difference = differenceFrom(pczt, terms, { params, keys: viewingKeys });
    if (difference !== undefined) throw notAsShown(differenceText(difference), difference.field);
    const proofKeys = proofKeysFor(pczt, keys);
    return {
      signatures: signPczt(pczt, keys, (length) => Uint8Array.from(randomBytes(length))),
      proofKeys: proofKeys.map(({ index, ak, nsk }) => ({ index, ak: ak.slice(), nsk: nsk.slice() })),
    };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw notAsShown(error.message, error instanceof PcztRefusal ? error.field : '');
  } finally {
    wipeSigningKeys(keys);
  }
}

const notAsShown = (why: string, field: string): CompanionError =>
  new CompanionError(
    'PCZT_CHANGED',
    `The payment was not signed: ${why}. Discard it, and prepare another one; if that happens again, do not pay with this computer.`,
    { errors: [{ path: field || 'pczt', message: why }] },
  );
