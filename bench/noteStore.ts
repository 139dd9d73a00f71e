// A wallet as one that was used for years leaves it: 100,000 notes (`--notes N`, in thousands) in half as many transactions,
// each of which spends an older note and makes two. Every memo is full and every id random, so nothing is smaller here than it can be.

import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asBlockHash, asNullifierHex, asTxIdHex, type TxIdHex } from '@wallet-companion/zcash/identifiers';
import { networkParameters } from '@wallet-companion/zcash/network';
import { PackedMemo } from '@wallet-companion/zcash/notes';
import { POOLS, perPool } from '@wallet-companion/zcash/pools';
import type {
  NoteStoreState,
  StoredBlock,
  StoredSentOutput,
  StoredTransaction,
} from '../src/actors/wallet/ports/noteDatabase.ts';
import type { StoredNote } from '../src/actors/wallet/ports/storedNote.ts';
import { draftFromPhrase } from '../src/actors/wallet/session/walletDraft.ts';
import { createDataDirectory } from '../src/storage/files/directories.ts';
import { createNoteDatabases } from '../src/storage/notes/noteDatabase.ts';
import { createWalletFile } from '../src/storage/wallet/walletFile.ts';
import { numberOption } from './options.ts';

export const NOTES = numberOption('notes', 100_000);
export const TRANSACTIONS = NOTES / 2;
export const SENT_OUTPUTS = TRANSACTIONS / 2;
export const PASSWORD = 'bench';
export const NOTE_VALUE = 1_000;

const MNEMONIC = `${'abandon '.repeat(23)}art`;
const PER_COMMIT = 500;
const KEPT_BLOCKS = 1_100;
const TEXT = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789, ';

const bytes = (length: number): Uint8Array => new Uint8Array(randomBytes(length));
const hex = (length: number): string => randomBytes(length).toString('hex');
const fullMemo = (): PackedMemo =>
  new PackedMemo(randomBytes(512).map((byte) => TEXT.charCodeAt(byte % TEXT.length)));

/** Height of a transaction: one in each block. */
const heightOf = (transaction: number): number => transaction + 1;

function stateAt(height: number): NoteStoreState {
  const scanned = { 0: [{ start: 1, end: height }] };
  const unchanged = { verified: [], floors: { 0: 1 }, exportCount: 0, confirmedUpTo: height };
  return { ...unchanged, scanned, lastScanHeight: height, exportedScanHeight: height };
}

function block(height: number): StoredBlock {
  const size = 2 * height;
  const treeSizes = perPool(() => size);
  return {
    height,
    hash: asBlockHash(bytes(32)),
    prevHash: asBlockHash(bytes(32)),
    time: 1_700_000_000 + height,
    treeSizes,
  };
}

function note(txid: TxIdHex, transaction: number, outputIndex: number): StoredNote {
  const number = 2 * transaction + outputIndex;
  return {
    pool: POOLS[number % 3]!,
    account: 0,
    scope: outputIndex === 1 ? 'internal' : 'external',
    value: NOTE_VALUE,
    height: heightOf(transaction),
    txid,
    txIndex: 1,
    outputIndex,
    position: number,
    nullifier: asNullifierHex(hex(32)),
    diversifierIndex: (2n ** 80n + BigInt(number)).toString(),
    memo: fullMemo(),
    spent: null,
  };
}

function sentOutput(txid: TxIdHex, transaction: number): StoredSentOutput {
  return {
    pool: POOLS[(transaction / 2) % 3]!,
    account: 0,
    scope: 'external',
    txid,
    height: heightOf(transaction),
    outputIndex: 0,
    value: NOTE_VALUE,
    recipient: hex(43),
    memo: fullMemo(),
  };
}

/** Makes configuration and data directory, both in `folder`; the phrase is everybody's. */
export async function makeWallet(
  folder: string,
): Promise<{ configDir: string; dataDir: string; masterKey: Uint8Array }> {
  const configDir = path.join(folder, 'config');
  const dataDir = path.join(folder, 'data');
  mkdirSync(configDir, { mode: 0o700 });
  createDataDirectory(dataDir);
  const clock = { now: () => Date.UTC(2026, 0, 1), elapsed: () => 0, after: () => () => undefined };
  const phrase = { mnemonic: MNEMONIC, passphrase: '', isNew: true };
  const { header, secrets, book } = draftFromPhrase(phrase, networkParameters('regtest', {}), 1, clock);
  const files = { dataDir, randomBytes: bytes };
  const { masterKey } = await createWalletFile(files).create(header, secrets, book, Buffer.from(PASSWORD));
  writeFileSync(
    path.join(configDir, 'config.json'),
    JSON.stringify({
      network: 'regtest',
      node_url: 'http://127.0.0.1:9',
      last_scan_height: TRANSACTIONS,
      last_scan_wallet: header.createdAt,
    }),
  );
  fillStore(dataDir, masterKey);
  return { configDir, dataDir, masterKey };
}

function fillStore(dataDir: string, masterKey: Uint8Array): void {
  const store = createNoteDatabases({ dataDir, randomBytes: bytes }).open(masterKey);
  const unspent: StoredNote[] = [];
  for (let first = 0; first < TRANSACTIONS; first += PER_COMMIT) {
    const putNotes: StoredNote[] = [];
    const putTransactions: StoredTransaction[] = [];
    const putSentOutputs: StoredSentOutput[] = [];
    const putBlocks: StoredBlock[] = [];
    for (let i = first; i < first + PER_COMMIT; i++) {
      const height = heightOf(i);
      const txid = asTxIdHex(hex(32));
      const time = 1_700_000_000 + height;
      putTransactions.push({ txid, height, txIndex: 1, time, complete: true, blockHash: hex(32) });
      const spent = unspent.shift();
      if (spent !== undefined) putNotes.push({ ...spent, spent: { txid, height, txIndex: 1 } });
      for (const outputIndex of [0, 1]) {
        const made = note(txid, i, outputIndex);
        putNotes.push(made);
        unspent.push(made);
      }
      if (i % 2 === 0) putSentOutputs.push(sentOutput(txid, i));
      if (height > TRANSACTIONS - KEPT_BLOCKS) putBlocks.push(block(height));
    }
    store.commit({
      state: stateAt(first + PER_COMMIT),
      putNotes,
      putTransactions,
      putSentOutputs,
      putBlocks,
    });
  }
  store.close();
}
