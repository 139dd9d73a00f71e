// Puts a backup into an empty companion: everything is written beside its place and checked first, then named, each wallet's own
// file after its stores. So a wrong password, a damaged file and a full disk leave nothing, and no wallet appears in part.

import fs from 'node:fs';
import path from 'node:path';
import { ByteReader } from '@wallet-companion/base/bytes';
import { DEFAULT_WALLET, isOtherWalletName } from '@wallet-companion/client/contract';
import {
  latestVersion,
  makeFolder,
  storageFailed,
  syncFolder,
  temporaryName,
} from '@wallet-companion/disk/files';
import { inspectDatabase } from '@wallet-companion/disk/sqlite';
import * as z from 'zod';
import type { Config } from '../../actors/wallet/ports/configFile.ts';
import { CompanionError } from '../../protocol/errors.ts';
import { openConfigFile } from '../config/configFile.ts';
import { CONFIG_KEYS } from '../config/configValues.ts';
import { isOfOneWallet } from '../config/walletConfig.ts';
import {
  CONFIG_FILE,
  INVOICES_FILE,
  isRemovedWalletFile,
  LEDGER_FILE,
  WALLET_FILE,
  WALLETS_FOLDER,
} from '../files/dataFiles.ts';
import type { Directories } from '../files/directories.ts';
import { requirePrivateWallet, walletFolder } from '../files/walletFolders.ts';
import { INVOICE_FILE_STEPS } from '../invoices/migrations/steps.ts';
import { NOTE_STORE_STEPS } from '../notes/migrations/steps.ts';
import { WALLET_FILE_STEPS } from '../wallet/migrations/steps.ts';
import { parsePrefix } from '../wallet/walletFormat.ts';
import { IN_BACKUP, MANIFEST_VERSION, type Manifest } from './backupContent.ts';
import { damaged, newerBackup } from './backupFile.ts';
import { StreamReader } from './streamReader.ts';

const MOST_MANIFEST_BYTES = 1 << 20;
const MOST_NAME_BYTES = 1_000;
const COPY_BYTES = 1 << 18;

const manifestSchema = z.object({
  version: z.int().min(1),
  made_by: z.string(),
  made_at: z.string(),
  wallets: z.array(z.string()),
  config: z.record(z.string(), z.unknown()),
});

/** A file that waits for its name. */
interface Waiting {
  readonly target: string;
  readonly temporary: string;
}

/**
 * For the holder of the directory lock. Returns the manifest. Errors: `WALLET_EXISTS` where files of a wallet are here already,
 * `WALLET_CORRUPT`, `NETWORK_MISMATCH`, `STORAGE_FAILED`, and those of `content`.
 */
export async function restoreContent(
  content: AsyncIterable<Uint8Array>,
  directories: Directories,
): Promise<Manifest> {
  requireEmpty(directories.dataDir);
  const reader = new StreamReader(content);
  const waiting: Waiting[] = [];
  const folders: string[] = [];
  try {
    const manifest = await readManifest(reader);
    for (;;) {
      const head = await readHead(reader);
      if (head === undefined) break;
      const target = targetOf(head.name, directories.dataDir);
      if (waiting.some((other) => other.target === target)) throw damaged('a file is in it twice');
      const folder = path.dirname(target);
      if (folder !== directories.dataDir) requirePrivateWallet(directories.dataDir, path.basename(folder));
      if (!fs.existsSync(folder)) {
        makeFolder(folder);
        folders.push(folder);
      }
      const temporary = temporaryName(target);
      waiting.push({ target, temporary });
      await writeEntry(reader, temporary, head.size);
      checkFile(target, temporary);
    }
    // The seal of the last piece, too, must be right.
    if (!(await reader.isAtEnd())) throw damaged('something follows its last file');
    await applySettings(manifest, directories.configDir);
    await putInPlace(waiting);
    return manifest;
  } catch (error) {
    for (const { temporary } of waiting) fs.rmSync(temporary, { force: true });
    for (const folder of folders.toReversed()) removeIfEmpty(folder);
    throw storageFailed('written', directories.dataDir, error);
  }
}

/** Nothing of a wallet may be here: no file is replaced, and none of another wallet is taken for one of the backup. */
export function requireEmpty(dataDir: string): void {
  const names = fs.existsSync(dataDir) ? fs.readdirSync(dataDir) : [];
  const wallets = path.join(dataDir, WALLETS_FOLDER);
  const isTaken =
    names.some((name) => /^(?:wallet\.dat|ledger|invoices)/.test(name)) ||
    (names.includes(WALLETS_FOLDER) &&
      fs
        .readdirSync(wallets, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        // A restore that was killed leaves temporary files.
        .some(({ name }) => fs.readdirSync(path.join(wallets, name)).some((file) => !file.endsWith('.tmp'))));
  if (isTaken)
    throw new CompanionError(
      'WALLET_EXISTS',
      'There is a wallet here already, or files of one, and a restore replaces nothing. Choose an empty folder with --data-dir.',
    );
}

async function readManifest(reader: StreamReader): Promise<Manifest> {
  const length = await reader.take(4);
  const size = length === undefined ? 0 : new ByteReader(length).u32();
  const bytes = size > 0 && size <= MOST_MANIFEST_BYTES ? await reader.take(size) : undefined;
  let parsed: ReturnType<typeof manifestSchema.safeParse> | undefined;
  try {
    parsed = manifestSchema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    // It is no JSON.
  }
  if (parsed?.success !== true) throw damaged('its list of contents cannot be read');
  if (parsed.data.version > MANIFEST_VERSION) throw newerBackup();
  return parsed.data;
}

async function readHead(
  reader: StreamReader,
): Promise<{ readonly name: string; readonly size: number } | undefined> {
  const head = await reader.take(10);
  if (head === undefined) throw damaged('its end is missing');
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const length = view.getUint16(0, true);
  const size = Number(view.getBigUint64(2, true));
  if (length === 0) return undefined;
  const name = length > MOST_NAME_BYTES ? undefined : await reader.take(length);
  if (name === undefined || !Number.isSafeInteger(size)) throw damaged('the head of a file cannot be read');
  return { name: new TextDecoder().decode(name), size };
}

/** Only names that a backup has: no path leads elsewhere. */
function targetOf(name: string, dataDir: string): string {
  const parts = name.split('/');
  const file = parts.at(-1) ?? '';
  const wallet = parts.length === 1 ? DEFAULT_WALLET : parts[1]!;
  const isPlace =
    parts.length === 1 || (parts.length === 3 && parts[0] === WALLETS_FOLDER && isOtherWalletName(wallet));
  const isKnown =
    [WALLET_FILE, LEDGER_FILE, INVOICES_FILE].includes(file) ||
    isRemovedWalletFile(file) ||
    (file === CONFIG_FILE && parts.length === 3);
  if (!isPlace || !isKnown) throw damaged('it has a file of another name than it may have');
  return path.join(walletFolder(dataDir, wallet), file);
}

async function writeEntry(reader: StreamReader, file: string, size: number): Promise<void> {
  const handle = await fs.promises.open(file, 'wx', 0o600);
  try {
    for (let missing = size; missing > 0; ) {
      const piece = await reader.takeUpTo(Math.min(missing, COPY_BYTES));
      if (piece === undefined) throw damaged('its end is missing');
      await handle.writeFile(piece);
      missing -= piece.length;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether this program knows the file's version: it must not find that out when the first wallet is opened. */
function checkFile(target: string, file: string): void {
  const name = path.basename(target);
  if (name === WALLET_FILE) parsePrefix(fs.readFileSync(file), latestVersion(WALLET_FILE_STEPS));
  const steps = { [LEDGER_FILE]: NOTE_STORE_STEPS, [INVOICES_FILE]: INVOICE_FILE_STEPS }[name];
  if (steps === undefined) return;
  const found = inspectDatabase(file);
  if (found.kind !== 'database') throw damaged(`its ${name} is no database`);
  if (found.userVersion > latestVersion(steps)) throw newerBackup();
}

/** What is set here stays, except what is known of the wallets. */
async function applySettings({ config, wallets }: Manifest, configDir: string): Promise<void> {
  const file = openConfigFile({ configDir });
  const { network } = config;
  if (network !== undefined && file.isSet('network') && file.get().network !== network)
    throw new CompanionError(
      'NETWORK_MISMATCH',
      `The wallets of the backup are on "${network}", and config.json here names "${file.get().network}". Choose an empty folder with --config-dir.`,
    );
  const isTaken = (key: keyof Config): boolean =>
    isOfOneWallet({ [key]: null })
      ? wallets.includes(DEFAULT_WALLET)
      : !file.isSet(key === 'node_url_over_http' ? 'node_url' : key);
  const taken = CONFIG_KEYS.filter(
    (key) => IN_BACKUP[key] && config[key] !== undefined && config[key] !== null && isTaken(key),
  );
  if (taken.length === 0) return;
  await file.update(Object.fromEntries(taken.map((key) => [key, config[key]])) as Partial<Config>, true);
}

/** A wallet exists once its own file does: that one comes last. */
async function putInPlace(waiting: readonly Waiting[]): Promise<void> {
  const isWallet = ({ target }: Waiting): boolean => path.basename(target) === WALLET_FILE;
  for (const { temporary, target } of [
    ...waiting.filter((file) => !isWallet(file)),
    ...waiting.filter((file) => isWallet(file)).toReversed(),
  ])
    fs.renameSync(temporary, target);
  for (const folder of new Set(waiting.map(({ target }) => path.dirname(target)))) await syncFolder(folder);
}

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // Something else is in it.
  }
}
