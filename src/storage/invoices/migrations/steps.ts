// The versions of invoices.db; add a step here and the version rises with it (docs/storage.md).

import type { RandomBytes } from '@wallet-companion/disk/sealing';
import type { DatabaseStep } from '@wallet-companion/disk/sqlite';

/** What a step needs to open and seal rows. */
export interface InvoiceFileKeys {
  readonly masterKey: Uint8Array;
  readonly randomBytes: RandomBytes;
}

export type InvoiceFileStep = DatabaseStep<InvoiceFileKeys>;

/** Version 2 has rows of business days among the invoices: a program that knows version 1 alone would take them for invoices. */
export const INVOICE_FILE_STEPS: readonly InvoiceFileStep[] = [{ from: 1, to: 2, migrate: () => undefined }];
