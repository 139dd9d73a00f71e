// The names of our own files, all in one place, because a client's `db_path` must never reach any of them.

import { createHash } from 'node:crypto';
import { LOCK_FILE, LOCK_HOLDER_FILE, SQLITE_SIDE_FILES } from '@wallet-companion/disk/files';
import { NETWORKS, type Network } from '../../protocol/network.ts';

export const WALLET_FILE = 'wallet.dat';
/** The name under which the file of a removed wallet is kept. */
export const removedWalletFile = (number: number): string =>
  `${WALLET_FILE}.removed${number === 1 ? '' : `-${number}`}`;
export const isRemovedWalletFile = (name: string): boolean =>
  /^wallet\.dat\.removed(?:-\d{1,6})?$/.test(name);
export const CONFIG_FILE = 'config.json';

/** Who besides the owner may do what; beside config.json. */
export const GRANTS_FILE = 'grants.json';
export const GRANTS_LOG = 'grants.log';

/** When the last backup was made. */
export const BACKUP_RECORD_FILE = 'backup.json';

/** The progress of the hooks. */
export const HOOKS_FILE = 'hooks.json';

/** What was found out about the wide kernel; beside config.json. */
export const KERNEL_FILE = 'kernel.json';

export const LOG_FILE = 'companion.log';

/** The log's file, the one before it, which was full, and one that exists while a thread puts a full one aside. */
export const logNames = (name: string): readonly [string, string, string] => {
  const base = name.replace(/\.log$/, '');
  return [name, `${base}-earlier.log`, `${base}-turn.log`];
};

/** The folder of the wallets beside the default one. */
export const WALLETS_FOLDER = 'wallets';

export const LEDGER_FILE = 'ledger.db';

/** The note store of a change of password that has not ended. */
export const RESEALED_LEDGER_FILE = 'ledger-next.db';

/** The name under which an earlier wallet's note store is put aside. */
export const retiredLedgerFile = (number: number): string => `ledger-retired-${number}.db`;

export const INVOICES_FILE = 'invoices.db';

/** The name under which an earlier wallet's invoices are put aside. */
export const retiredInvoicesFile = (number: number): string => `invoices-retired-${number}.db`;

/** The store of the first configured server. */
export const defaultCompactStoreFile = (network: Network): string => `compact-${network}.db`;

/** The store of any other server. */
export const serverStoreFile = (network: Network, serverId: string): string =>
  `compact-${network}-${serverId}.db`;

/** Headers of the chain of most work, and addresses of peers that were good. */
export const headersFile = (network: Network): string => `headers-${network}.bin`;
export const peersFile = (network: Network): string => `peers-${network}.json`;

const SERVER_ID = '[0-9a-f]{32}';

/**
 * Identifies a compact server in file names and in its stores. The same server under another name counts as another
 * one.
 */
export const compactServerId = (url: string): string =>
  createHash('sha256')
    .update(`compact server ${addressOf(url)}`)
    .digest('hex')
    .slice(0, 32);

/** Scheme, host and port in one spelling. A URL without a scheme means plaintext, see compactServerUrl.ts. */
function addressOf(url: string): string {
  const text = /^https?:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(text)) return url;
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}

export const isServerStoreFile = (name: string, network: Network): boolean =>
  new RegExp(`^compact-${network}-${SERVER_ID}\\.db$`).test(name);

const OWN_STORE = new RegExp(`^compact-(?:${NETWORKS.join('|')})(?:-${SERVER_ID})?\\.db$`);

/** Whether the name is one that the companion gives to stores itself. */
export const isOwnStoreName = (name: string): boolean => OWN_STORE.test(name.toLowerCase());

const OWN_FILES = [
  WALLET_FILE,
  CONFIG_FILE,
  LOCK_FILE,
  LOCK_HOLDER_FILE,
  HOOKS_FILE,
  BACKUP_RECORD_FILE,
  GRANTS_FILE,
  KERNEL_FILE,
  WALLETS_FOLDER,
];
const OWN_PATTERNS = [
  /^(?:ledger|invoices).*\.db$/,
  /\.(?:dat|db|sqlite3?)\.v\d+$/,
  /\.tmp$/,
  /\.sock$/,
  /^headers-.*\.bin$/,
  /^peers-.*\.json$/,
  /\.log$/,
];

/**
 * Whether a file name is, or could be taken by the file system for, one of ours other than a compact store. Compared
 * without case and with compatibility forms folded, as some file systems do.
 */
export function isOwnFileName(name: string): boolean {
  const folded = name.normalize('NFKC').toLowerCase();
  if (SQLITE_SIDE_FILES.some((ending) => folded.endsWith(ending))) return true;
  return OWN_FILES.includes(folded) || OWN_PATTERNS.some((pattern) => pattern.test(folded));
}
