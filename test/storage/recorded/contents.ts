// What is in the recorded files, how they are made with today's program, and where they lie.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { COMPACT_STORE_STEPS } from '@wallet-companion/chain/store';
import { latestVersion } from '@wallet-companion/disk/files';
import type { Config } from '../../../src/actors/wallet/ports/configFile.ts';
import type { NoteStoreChange } from '../../../src/actors/wallet/ports/noteDatabase.ts';
import type { AccountBook, WalletHeader } from '../../../src/actors/wallet/ports/walletFile.ts';
import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import { CONFIG_STEPS } from '../../../src/storage/config/migrations/steps.ts';
import { createInvoiceFiles } from '../../../src/storage/invoices/invoiceFile.ts';
import { INVOICE_FILE_STEPS } from '../../../src/storage/invoices/migrations/steps.ts';
import { NOTE_STORE_STEPS } from '../../../src/storage/notes/migrations/steps.ts';
import { createNoteDatabases } from '../../../src/storage/notes/noteDatabase.ts';
import { WALLET_FILE_STEPS } from '../../../src/storage/wallet/migrations/steps.ts';
import { createWalletFile } from '../../../src/storage/wallet/walletFile.ts';
import { madeUpInvoice } from '../../helpers/madeUpInvoice.ts';
import { madeUpKey, madeUpPayment } from '../../helpers/madeUpPayment.ts';
import { chain, place } from '../blocks/support/compact.ts';
import {
  block,
  journalEntry,
  kept,
  note,
  rescanEntry,
  sentOutput,
  state,
  transaction,
} from '../notes/support/noteDatabase.ts';
import { bytes } from '../wallet/support/wallet.ts';

interface Keys {
  readonly mnemonic: string;
  readonly accounts: readonly { readonly ufvk: string }[];
}
const keys: Keys = JSON.parse(
  fs.readFileSync('packages/zcash/test/fixtures/known-seed/main/keys.json', 'utf8'),
);

export const RECORDED_PASSWORD = bytes('the password of the recorded files');
export const RECORDED_MNEMONIC = keys.mnemonic;
export const RECORDED_PASSPHRASE = 'TREZOR';

export const RECORDED_HEADER: WalletHeader = {
  network: 'main',
  birthdayHeight: 2_000_000,
  createdAt: '2026-11-01T12:00:00Z',
  watchOnly: false,
};

export const RECORDED_BOOK: AccountBook = {
  accounts: keys.accounts.map(({ ufvk }, index) => ({ index, birthdayHeight: 2_000_000, viewingKey: ufvk })),
  nextDiversifierIndex: { 0: '3' },
  labels: [{ account: 0, diversifierIndex: '0', text: 'till' }],
  seedFingerprint: '5e'.repeat(32),
};

const range = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

export const RECORDED_KEPT = kept(4, 120);

export const RECORDED_COMMITS: readonly NoteStoreChange[] = [
  {
    state: state(120),
    putNotes: range(20, (i) => note(i)),
    putSentOutputs: range(4, sentOutput),
    putTransactions: range(20, transaction),
    putBlocks: range(8, (i) => block(113 + i)),
    sightings: range(10, (i) => kept(i, 120)),
  },
  {
    state: state(140),
    deleteNotes: [note(3)],
    putNotes: [note(4, { spent: { txid: transaction(19).txid, height: 139, txIndex: 2 } }), note(21)],
    deleteSentOutputs: [sentOutput(2)],
    putBlocks: [block(121)],
  },
];
/** Journal entries, and a rescan entry of a note that was forgotten. */
const RECORDED_JOURNAL: NoteStoreChange = {
  state: state(140),
  journal: range(70, (i) => journalEntry(i)),
  putRescanPages: [{ page: 0, rescanEntries: [rescanEntry(3)] }],
};
export const RECORDED_PAYMENT = madeUpPayment(1, { idempotencyKey: 'order-1' });
export const RECORDED_KEY = madeUpKey(RECORDED_PAYMENT);
export const RECORDED_PART = { key: 'path:orchard:7', height: 100, value: { leaf: 'ab' } };
export const RECORDED_INVOICES = [madeUpInvoice(1), madeUpInvoice(2, 3)];
/** Small enough that the recorded store has summaries. */
export const RECORDED_ROWS_PER_SUMMARY = 8;

/** With a gap. */
export const RECORDED_RANGES = [
  { start: 1, end: 20 },
  { start: 31, end: 40 },
] as const;
export const RECORDED_SERVER = 'http://127.0.0.1:9067';

const EDITED = `{
  "network": "test",   "mine": { "kept": true },
  "auto_lock_seconds": 60
}
`;
export const RECORDED_SETTINGS: Partial<Config> = {
  network: 'test',
  auto_lock_seconds: 60,
  node_url: 'http://127.0.0.1:18232',
  theme: 'dark',
  last_scan_height: 140,
  activation_heights: { nu6_3: 3_000_000 },
};

/** The same at every recording, so that files differ in what the program changed. */
function steadyBytes(): (length: number) => Uint8Array {
  let calls = 0;
  return (length) => {
    const call = calls++;
    const blocks = range(Math.ceil(length / 32), (i) =>
      createHash('sha256').update(`recorded ${call} ${i}`).digest(),
    );
    return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
  };
}

/** Makes one file of each kind in an empty folder. */
export async function makeFiles(folder: string): Promise<void> {
  const randomBytes = steadyBytes();
  const { masterKey } = await createWalletFile({ dataDir: folder, randomBytes }).create(
    RECORDED_HEADER,
    { mnemonic: bytes(RECORDED_MNEMONIC), bip39Passphrase: bytes(RECORDED_PASSPHRASE) },
    RECORDED_BOOK,
    RECORDED_PASSWORD,
  );
  const databases = createNoteDatabases({
    dataDir: folder,
    randomBytes,
    rowsPerSummary: RECORDED_ROWS_PER_SUMMARY,
  });
  for (const change of [...RECORDED_COMMITS, RECORDED_JOURNAL]) {
    const noteStore = databases.open(masterKey);
    noteStore.commit(change);
    // Loading writes the summaries.
    for (const _ of noteStore.load());
    noteStore.close();
  }
  const noteStore = databases.open(masterKey);
  noteStore.putPayment(RECORDED_PAYMENT, 3, { key: 'order-1', row: RECORDED_KEY });
  noteStore.keepWitnessParts([RECORDED_PART]);
  noteStore.close();
  const stores = createCompactStores();
  const store = stores.open(undefined, place(folder));
  for (const stretch of RECORDED_RANGES) store.put(chain(stretch), RECORDED_SERVER);
  store.ask(RECORDED_RANGES[1]);
  stores.close();
  const invoices = createInvoiceFiles({ dataDir: folder, randomBytes }).open(masterKey);
  invoices.put(RECORDED_INVOICES, 3);
  invoices.close();
  fs.writeFileSync(path.join(folder, 'config.json'), EDITED);
  await openConfigFile({ configDir: folder }).update(RECORDED_SETTINGS, true);
}

export interface RecordedKind {
  readonly kind: 'wallet' | 'ledger' | 'invoices' | 'compact' | 'config';
  /** What the program calls it. */
  readonly file: string;
  readonly latest: number;
}

export const RECORDED_KINDS: readonly RecordedKind[] = [
  { kind: 'wallet', file: 'wallet.dat', latest: latestVersion(WALLET_FILE_STEPS) },
  { kind: 'ledger', file: 'ledger.db', latest: latestVersion(NOTE_STORE_STEPS) },
  { kind: 'invoices', file: 'invoices.db', latest: latestVersion(INVOICE_FILE_STEPS) },
  { kind: 'compact', file: 'compact-main.db', latest: latestVersion(COMPACT_STORE_STEPS) },
  { kind: 'config', file: 'config.json', latest: latestVersion(CONFIG_STEPS) },
];

export const recordedName = ({ kind, file }: RecordedKind, version: number): string => {
  const ending = path.extname(file);
  return path.join('test/storage/recorded', `${kind}-v${version}${ending}${ending === '.db' ? '.gz' : ''}`);
};

export const packed = (name: string, contents: Uint8Array): Uint8Array =>
  name.endsWith('.gz') ? gzipSync(contents, { level: 9 }) : contents;

/** Puts the recorded file of this version where the program looks for it. */
export function restore(recorded: RecordedKind, version: number, folder: string): void {
  const name = recordedName(recorded, version);
  const contents = fs.readFileSync(name);
  fs.writeFileSync(path.join(folder, recorded.file), name.endsWith('.gz') ? gunzipSync(contents) : contents, {
    mode: 0o600,
  });
}
