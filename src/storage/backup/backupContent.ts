// What is in a backup: a manifest with the settings, then the files of every wallet, each with its length. The files stay sealed
// under their wallets' own passwords. A companion may run meanwhile: every database is copied by SQLite in one transaction.

import fs from 'node:fs';
import path from 'node:path';
import { concatBytes, equalBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { storageFailed, temporaryName } from '@wallet-companion/disk/files';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import type { Config } from '../../actors/wallet/ports/configFile.ts';
import { CompanionError } from '../../protocol/errors.ts';
import { openConfigFile } from '../config/configFile.ts';
import { CONFIG_KEYS } from '../config/configValues.ts';
import {
  CONFIG_FILE,
  INVOICES_FILE,
  isRemovedWalletFile,
  LEDGER_FILE,
  RESEALED_LEDGER_FILE,
  WALLET_FILE,
  WALLETS_FOLDER,
} from '../files/dataFiles.ts';
import type { Directories } from '../files/directories.ts';
import { walletFolder, walletNames } from '../files/walletFolders.ts';

export const MANIFEST_VERSION = 1;

export interface Manifest {
  readonly version: number;
  /** Of the program. */
  readonly made_by: string;
  readonly made_at: string;
  readonly wallets: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Which settings another machine gets. Not: what has secrets of others or may have some (hooks, Redis), paths and programs of this
 * machine, and who may call.
 */
export const IN_BACKUP: Readonly<Record<keyof Config, boolean>> = {
  network: true,
  node_url: true,
  node_cookie_file: false,
  // Without it, the address would count as named by the owner.
  node_url_over_http: true,
  compact_server_url: true,
  block_source: true,
  public_servers: true,
  peers: true,
  broadcast: true,
  proxy: true,
  proxy_isolation: true,
  last_scan_height: true,
  backed_up_wallet: true,
  last_scan_wallet: true,
  last_scan_writes: true,
  payment_writes: true,
  theme: true,
  min_confirmations: true,
  fee_per_action: true,
  change_notes: true,
  invoice_one_confirmation_below: true,
  price_source: false,
  price_max_age_minutes: true,
  rates_file: false,
  datev: true,
  auto_lock_seconds: true,
  allowed_origins: false,
  anonymous_access: true,
  restrict_db_path: true,
  compact_tail_blocks: true,
  follow: true,
  follow_keep_open: true,
  complete_transactions: true,
  skip_emptied_pools: true,
  scan_kernel: true,
  broadcast_needs_password: true,
  own_signer: true,
  rebroadcast: true,
  verify_regtest_proofs: true,
  fleet_redis_url: false,
  fleet_redis_password_file: false,
  fleet_key_file: false,
  fleet_double_jobs: false,
  log_level: true,
  behind_after_seconds: true,
  disk_low_bytes: true,
  on_event: false,
  prover: false,
  signer: false,
  sapling_params: false,
  activation_heights: true,
};

const READ_BYTES = 1 << 18;
/** A wallet file changes when a label or a password does: not again and again while a store is copied. */
const MOST_TRIES = 5;

/** Errors: `NO_WALLET` where there is nothing to back up, `STORAGE_FAILED`, `BUSY`. */
export async function* backupContent(
  { configDir, dataDir }: Directories,
  program: { readonly version: string; readonly now: Date },
): AsyncGenerator<Uint8Array> {
  const names = walletNames(dataDir).filter((name) =>
    fs.existsSync(path.join(walletFolder(dataDir, name), WALLET_FILE)),
  );
  if (names.length === 0) throw new CompanionError('NO_WALLET', 'There is no wallet here to back up.');
  // Before the stores: config.json counts their writes, and one that counts more than they have means an old copy.
  const manifest: Manifest = {
    version: MANIFEST_VERSION,
    made_by: program.version,
    made_at: program.now.toISOString(),
    wallets: names,
    config: settingsIn(configDir),
  };
  const text = new TextEncoder().encode(JSON.stringify(manifest));
  yield concatBytes(u32ToLeBytes(text.length), text);
  for (const name of names) yield* walletContent(name, walletFolder(dataDir, name));
  yield entryHead('', 0);
}

function settingsIn(configDir: string): Record<string, unknown> {
  const file = openConfigFile({ configDir });
  const values = file.get();
  return Object.fromEntries(
    CONFIG_KEYS.filter((key) => IN_BACKUP[key] && file.isSet(key)).map((key) => [key, values[key]]),
  );
}

async function* walletContent(name: string, folder: string): AsyncGenerator<Uint8Array> {
  const under = (file: string): string =>
    name === DEFAULT_WALLET ? file : `${WALLETS_FOLDER}/${name}/${file}`;
  for (const file of fs.readdirSync(folder).filter((file) => isRemovedWalletFile(file)))
    yield* small(under(file), fs.readFileSync(path.join(folder, file)));
  const ownConfig = path.join(folder, CONFIG_FILE);
  if (name !== DEFAULT_WALLET && fs.existsSync(ownConfig))
    yield* small(under(CONFIG_FILE), fs.readFileSync(ownConfig));
  const { walletFile, copies } = copiedWallet(folder);
  try {
    for (const [file, copy] of copies) yield* large(under(file), copy);
  } finally {
    dropCopies(copies);
  }
  yield* small(under(WALLET_FILE), walletFile);
}

interface Copied {
  readonly walletFile: Uint8Array;
  /** By name. */
  readonly copies: ReadonlyMap<string, string>;
}

/**
 * The wallet file and stores that its key opens: a change of password lays the new note store beside the old one, replaces the wallet
 * file, then the store. So a store is not copied while another lies beside it, and not kept where the wallet file has changed since.
 */
function copiedWallet(folder: string): Copied {
  const file = path.join(folder, WALLET_FILE);
  const isBeingChanged = (): boolean => fs.existsSync(path.join(folder, RESEALED_LEDGER_FILE));
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const copies = new Map<string, string>();
    try {
      const walletFile = fs.readFileSync(file);
      if (isBeingChanged()) continue;
      for (const name of [LEDGER_FILE, INVOICES_FILE]) {
        const store = path.join(folder, name);
        if (fs.existsSync(store)) copies.set(name, copyDatabase(store));
      }
      if (!isBeingChanged() && equalBytes(walletFile, fs.readFileSync(file))) return { walletFile, copies };
    } catch (error) {
      dropCopies(copies);
      throw storageFailed('read', file, error);
    }
    dropCopies(copies);
  }
  throw new CompanionError('BUSY', 'The password of a wallet is being changed. Try again when that is done.');
}

/** A copy beside it, as of one moment, also while others write. Its name is one that a later start sweeps. */
function copyDatabase(file: string): string {
  const copy = temporaryName(file);
  fs.closeSync(fs.openSync(copy, 'wx', 0o600));
  try {
    const database = openDatabase(file, { readOnly: true });
    try {
      database.prepare('VACUUM INTO ?').run(copy);
    } finally {
      database.close();
    }
    return copy;
  } catch (error) {
    fs.rmSync(copy, { force: true });
    throw storageFailed('read', file, error);
  }
}

function dropCopies(copies: ReadonlyMap<string, string>): void {
  for (const copy of copies.values()) fs.rmSync(copy, { force: true });
}

async function* small(name: string, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield entryHead(name, bytes.length);
  yield bytes;
}

async function* large(name: string, file: string): AsyncGenerator<Uint8Array> {
  yield entryHead(name, fs.statSync(file).size);
  yield* fs.createReadStream(file, { highWaterMark: READ_BYTES });
}

/** An empty name ends the content. */
function entryHead(name: string, size: number): Uint8Array {
  const text = new TextEncoder().encode(name);
  const head = new DataView(new ArrayBuffer(10));
  head.setUint16(0, text.length, true);
  head.setBigUint64(2, BigInt(size), true);
  return concatBytes(new Uint8Array(head.buffer), text);
}
