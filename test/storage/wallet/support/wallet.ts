import { randomBytes } from 'node:crypto';
import type {
  AccountBook,
  SealedBesides,
  WalletFile,
  WalletHeader,
} from '../../../../src/actors/wallet/ports/walletFile.ts';
import { createWalletFile } from '../../../../src/storage/wallet/walletFile.ts';
import { CHEAP_KDF } from '../../../helpers/cheapKdf.ts';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const PASSWORD = bytes('correct horse battery staple');
export const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
export const PASSPHRASE = 'a passphrase of its own';

export const HEADER: WalletHeader = {
  network: 'main',
  birthdayHeight: 2_000_000,
  createdAt: '2026-01-02T03:04:05Z',
  watchOnly: false,
};

export const BOOK: AccountBook = {
  accounts: [
    { index: 0, birthdayHeight: 2_000_000, viewingKey: 'uview1accountzero' },
    { index: 7, birthdayHeight: 2_500_000, viewingKey: 'uview1accountseven' },
  ],
  nextDiversifierIndex: { 0: '1', 7: '309485009821345068724781055' },
};

/** For a change of password where there is a wallet file alone. */
export const NOTHING_ELSE: SealedBesides = { prepare: async () => undefined, abandon: () => undefined };

/** Fresh copies, because a wallet wipes what it is given to keep. */
export const secrets = () => ({ mnemonic: bytes(MNEMONIC), bip39Passphrase: bytes(PASSPHRASE) });

export function cheapWalletFile(dataDir: string): WalletFile {
  return createWalletFile({
    dataDir,
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    kdf: CHEAP_KDF,
  });
}
