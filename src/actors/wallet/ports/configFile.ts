// config.json as the wallet actor needs it. It lies in src/storage/config.

import type { Height } from '@wallet-companion/base/values';
import type { PublicServer, Source } from '@wallet-companion/chain/ports';
import type { ActivationHeights } from '@wallet-companion/zcash/network';
import type { DatevSettings } from '../../../books/format.ts';
import type { ProgramSetting } from '../../../programs/programRun.ts';
import type { BLOCK_SOURCES, LOG_LEVELS, SCAN_KERNELS, THEMES } from '../../../protocol/fields.ts';
import type { AnonymousAccess } from '../../../protocol/grants.ts';
import type { HookSetting } from '../../../protocol/hookEvents.ts';
import type { Network } from '../../../protocol/network.ts';
import type { SignerSocket } from '../../../protocol/pcztPrograms.ts';
import type { PriceSource } from '../../../protocol/prices.ts';
import type { PaymentWrites } from './payment.ts';

export type Theme = (typeof THEMES)[number];

export type BlockSourceSetting = (typeof BLOCK_SOURCES)[number];

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  readonly network: Network;
  readonly node_url: string;
  readonly node_cookie_file: string | null;
  /** Written when a caller sets `node_url`: while `node_url` has that value, the cookie is for the address before it. */
  readonly node_url_over_http: { readonly node_url: string; readonly instead_of: string } | null;
  readonly compact_server_url: string;
  /** Where blocks come from for every call without a source of its own. The first use replaces `auto` by what it chose. */
  readonly block_source: BlockSourceSetting;
  /** Servers that setup and Welcome offer in place of the program's own list. */
  readonly public_servers: readonly PublicServer[] | null;
  /**
   * Whether peers of the network check the blocks of servers; a list: yes, and these are among them. `auto`: where no own node is
   * the source of blocks.
   */
  readonly peers: 'auto' | boolean | readonly string[];
  /** Who passes payments on: the source of blocks, peers, or the compact server of this address. */
  readonly broadcast: string;
  /** The SOCKS5 proxy of everything that leaves this machine, and whether each purpose and server has a login of its own there. */
  readonly proxy: string | null;
  readonly proxy_isolation: boolean;
  /** Highest block scanned, for people to read and to edit while stopped; null when it is not in the file. */
  readonly last_scan_height: Height | null;
  /** The wallet whose phrase the user has seen or typed since it was made. */
  readonly backed_up_wallet: string | null;
  /** The wallet of `last_scan_height` (when it was made): data directories may share a config.json. */
  readonly last_scan_wallet: string | null;
  /** How often the companion wrote `last_scan_height`: a user who edits it leaves this unchanged. */
  readonly last_scan_writes: number | null;
  /** Counts for the wallet of `last_scan_wallet`; null where nothing was counted yet. */
  readonly payment_writes: PaymentWrites | null;
  readonly theme: Theme;
  readonly min_confirmations: number;
  /** Zatoshi that payments pay per action (ZIP 317). */
  readonly fee_per_action: number;
  /** Change is split until the account has so many notes for further payments. */
  readonly change_notes: number;
  /** Invoices below so many zatoshi count as confirmed with one confirmation, unless they say another number. */
  readonly invoice_one_confirmation_below: number;
  /** Where prices of ZEC in money come from; null: nowhere. */
  readonly price_source: PriceSource | null;
  /** An older price needs consent. */
  readonly price_max_age_minutes: number;
  /** Has rates of past days for exports, day by day; null: rows have the rates alone that were kept with orders. */
  readonly rates_file: string | null;
  /** What the adviser says for exports in DATEV's form; null: none are made. */
  readonly datev: DatevSettings | null;
  readonly auto_lock_seconds: number;
  readonly allowed_origins: readonly string[];
  /** What callers over HTTP may do without a grant. */
  readonly anonymous_access: AnonymousAccess;
  readonly restrict_db_path: boolean;
  /** How many blocks below the last scanned one stay of those that a scan stored by itself; null: all. */
  readonly compact_tail_blocks: number | null;
  /** Whether new blocks are scanned as they come, and whether the wallet stays unlocked meanwhile. */
  readonly follow: boolean;
  readonly follow_keep_open: boolean;
  /**
   * Whether memos and sent notes of compact-scanned transactions are fetched in full (shows the server which are the wallet's).
   */
  readonly complete_transactions: boolean;
  /** Whether a scan leaves out pools that only pay out, for accounts that have nothing left there. */
  readonly skip_emptied_pools: boolean;
  /** Which trial decryption to use: `wide` only where this Node has it. */
  readonly scan_kernel: (typeof SCAN_KERNELS)[number];
  /** Whether sending a payment needs the password, even in an open session. */
  readonly broadcast_needs_password: boolean;
  /** Whether a wallet with a phrase signs its payments itself, with the password of the call. */
  readonly own_signer: boolean;
  /** Whether a payment that was sent and not mined is sent again by itself, until it expires. */
  readonly rebroadcast: boolean;
  /** Devnets take made-up proofs. On other networks proofs are always verified. */
  readonly verify_regtest_proofs: boolean;
  /** A queue of scan workers, on this machine or over TLS; null: scans run in this process alone. */
  readonly fleet_redis_url: string | null;
  readonly fleet_redis_password_file: string | null;
  /** The key file that seals jobs and results. */
  readonly fleet_key_file: string | null;
  /** The share of a fleet's jobs that two workers do. */
  readonly fleet_double_jobs: number;
  /** Null: the environment decides. */
  readonly log_level: LogLevel | null;
  /** For how long a followed chain may have no new block, in seconds; and below how much free disk is told. 0: never. */
  readonly behind_after_seconds: number;
  readonly disk_low_bytes: number;
  readonly on_event: readonly HookSetting[];
  /** Programs for the payments' PCZTs, or the socket of an allowance signer; null: none is configured. */
  /** `module`: the reference crates' prover; null: the project's own. */
  readonly prover: ProgramSetting | 'module' | null;
  readonly signer: ProgramSetting | SignerSocket | null;
  /** The folder of Sapling's proving parameters; null: where older nodes have it. */
  readonly sapling_params: string | null;
  /** Regtest only; undefined members take the defaults. */
  readonly activation_heights: Partial<ActivationHeights>;
}

export interface ConfigFile {
  /** The values in force: file over defaults, then what `serve` flags override (never written). */
  get(): Config;
  /** Whether the value comes from config.json or a flag, not from the default. */
  isSet(key: keyof Config): boolean;
  /** The nodes that config.json and the command line name, without those that a caller has set since. */
  namedNodes(): string[];
  /**
   * Writes the changed keys atomically (temp, fsync, rename, folder fsync); unknown keys in the file are kept. `byOwner`: the
   * change comes from the owner of the file, not from another caller.
   */
  update(changes: Partial<Config>, byOwner?: boolean): Promise<Config>;
  /** Replaces a `block_source` of `auto`. A person, or another wallet, may have been faster: returns what is in force. */
  chooseSource(source: Source): Promise<Source>;
}

/** A wallet's configuration at one moment, as plain data. */
export interface ConfigSnapshot {
  readonly values: Config;
  /** The keys that config.json or a flag sets. */
  readonly set: readonly (keyof Config)[];
  readonly namedNodes: readonly string[];
}
