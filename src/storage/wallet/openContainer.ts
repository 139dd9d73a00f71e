// Opens the parts of a wallet file with its password, from the bytes alone: the thread that signs has no files.

import { derivePasswordKey, deriveSubkey, unseal } from '@wallet-companion/disk/sealing';
import type { WalletSecrets } from '../../actors/wallet/ports/walletFile.ts';
import { wrongPassword } from '../../protocol/errors.ts';
import {
  keySlotContext,
  parseContainer,
  parseSecrets,
  SECTION_NAMES,
  type Section,
  sectionContext,
  type WalletContainer,
  walletCorrupt,
} from './walletFormat.ts';

/** The caller wipes the master key. Throws `WRONG_PASSWORD`. */
export async function unwrapMasterKey(container: WalletContainer, password: Uint8Array): Promise<Uint8Array> {
  const { salt, kdf, wrappedKey } = container;
  const passwordKey = await derivePasswordKey(password, salt, kdf);
  try {
    const masterKey = unseal(passwordKey, wrappedKey, keySlotContext(container));
    if (masterKey === undefined) throw wrongPassword();
    return masterKey;
  } finally {
    passwordKey.fill(0);
  }
}

export const sectionKey = (masterKey: Uint8Array, section: Section): Uint8Array =>
  deriveSubkey(masterKey, `wallet/${SECTION_NAMES[section]}/1`);

/** The caller wipes it. */
export function openSection(container: WalletContainer, masterKey: Uint8Array, section: Section): Uint8Array {
  const key = sectionKey(masterKey, section);
  try {
    const plain = unseal(key, container[section], sectionContext(container.prefix, section));
    if (plain === undefined) throw walletCorrupt(`its ${SECTION_NAMES[section]} section does not open`);
    return plain;
  } finally {
    key.fill(0);
  }
}

/** Runs `use` with the secrets in the bytes of a wallet file, and wipes them. Throws `WRONG_PASSWORD`, `WALLET_CORRUPT`. */
export async function withSecretsOf<T>(
  { bytes, version }: { readonly bytes: Uint8Array; readonly version: number },
  password: Uint8Array,
  use: (secrets: WalletSecrets) => T,
): Promise<T> {
  const container = parseContainer(bytes, version);
  const masterKey = await unwrapMasterKey(container, password);
  let plain: Uint8Array | undefined;
  try {
    plain = openSection(container, masterKey, 'secrets');
    return use(parseSecrets(plain));
  } finally {
    plain?.fill(0);
    masterKey.fill(0);
  }
}
