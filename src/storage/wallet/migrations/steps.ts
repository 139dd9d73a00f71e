// The versions of the wallet file. Version 1 is the first; add a step here and the version rises with it
// (docs/storage.md). Magic, version and facts at the start and the checksum at the end stay where they are, because
// they are read without the password.

import type { FileStep } from '../../files/migrations.ts';
import type { RandomBytes } from '../../sealing/sealing.ts';

/** The version is covered by the seals, so a step has to open the file and seal it again; a wrong password throws. */
export interface WalletFileKeys {
  readonly password: Uint8Array;
  readonly randomBytes: RandomBytes;
}

export type WalletFileStep = FileStep<WalletFileKeys>;

export const WALLET_FILE_STEPS: readonly WalletFileStep[] = [];
