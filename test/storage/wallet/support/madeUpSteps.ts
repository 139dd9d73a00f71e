// Steps that no program has: what a real one would have to do, for the tests of what runs them.

import { createHash } from 'node:crypto';
import { asciiBytes, concatBytes } from '@wallet-companion/base/bytes';
import { derivePasswordKey, deriveSubkey, seal, unseal } from '@wallet-companion/disk/sealing';
import { wrongPassword } from '../../../../src/protocol/errors.ts';
import type { WalletFileStep } from '../../../../src/storage/wallet/migrations/steps.ts';
import {
  encodeContainer,
  encodePrefix,
  keySlotContext,
  parseContainer,
  SECTION_NAMES,
  sectionContext,
} from '../../../../src/storage/wallet/walletFormat.ts';

/** Seals the file anew under the next version; everything in it stays. */
export const resealing = (from: number): WalletFileStep => ({
  from,
  to: from + 1,
  migrate: async (bytes, { password, randomBytes }) => {
    const old = parseContainer(bytes, from);
    const passwordKey = await derivePasswordKey(password, old.salt, old.kdf);
    const masterKey = unseal(passwordKey, old.wrappedKey, keySlotContext(old));
    if (masterKey === undefined) throw wrongPassword();
    const prefix = encodePrefix(old.header, from + 1);
    const resealed = (section: 'secrets' | 'book'): Uint8Array => {
      const key = deriveSubkey(masterKey, `wallet/${SECTION_NAMES[section]}/1`);
      const plain = unseal(key, old[section], sectionContext(old.prefix, section))!;
      return seal(key, plain, sectionContext(prefix, section), randomBytes);
    };
    const slot = { ...old, prefix };
    return encodeContainer({
      ...slot,
      wrappedKey: seal(passwordKey, masterKey, keySlotContext(slot), randomBytes),
      secrets: resealed('secrets'),
      book: resealed('book'),
    });
  },
});

/** Writes a file that nobody can open. */
export const spoiling = (from: number): WalletFileStep => ({
  from,
  to: from + 1,
  migrate: async (bytes, keys) => {
    const container = parseContainer(await resealing(from).migrate(bytes, keys), from + 1);
    const book = createHash('sha512').update(container.book).digest();
    return encodeContainer({ ...container, book: concatBytes(asciiBytes('spoiled'), book) });
  },
});
