// The versions of invoices.db. Version 1 is the first; add a step here and the version rises with it (docs/storage.md).

import type { RandomBytes } from '@wallet-companion/disk/sealing';
import type { DatabaseStep } from '@wallet-companion/disk/sqlite';

/** What a step needs to open and seal rows. */
export interface InvoiceFileKeys {
  readonly masterKey: Uint8Array;
  readonly randomBytes: RandomBytes;
}

export type InvoiceFileStep = DatabaseStep<InvoiceFileKeys>;

export const INVOICE_FILE_STEPS: readonly InvoiceFileStep[] = [];
