// The versions of the wallet file. Version 1 is the first; add a step here and the version rises with it
// (docs/storage.md). Magic, version and facts at the start and the checksum at the end stay where they are, because
// they are read without the password.

import type { FileStep } from '@wallet-companion/disk/files';
import type { RandomBytes } from '@wallet-companion/disk/sealing';

/** The version is covered by the seals, so a step has to open the file and seal it again; a wrong password throws. */
export interface WalletFileKeys {
  readonly password: Uint8Array;
  readonly randomBytes: RandomBytes;
}

export type WalletFileStep = FileStep<WalletFileKeys>;

export const WALLET_FILE_STEPS: readonly WalletFileStep[] = [];
