// What each key of config.json may hold, and its default. Values that can also be set over the API use the API's
// schemas.

import path from 'node:path';
import type { ProxySetting } from '@wallet-companion/base/proxy';
import { MAX_HEIGHT } from '@wallet-companion/base/values';
import { isCompanionOrigin, parsePeerAddress } from '@wallet-companion/client/contract';
import { UPGRADES } from '@wallet-companion/zcash/network';
import { LEAST_FEE_PER_ACTION, MOST_FEE_PER_ACTION } from '@wallet-companion/zcash/zip317';
import * as z from 'zod';
import type { Config } from '../../actors/wallet/ports/configFile.ts';
import * as field from '../../protocol/fields.ts';
import type { Network } from '../../protocol/network.ts';
import { onEvent, priceSource, proverSetting, signerSetting } from './programValues.ts';

/** Timers hold at most 2^31 - 1 ms (24 days); a week is long enough. */
const MAX_AUTO_LOCK_SECONDS = 7 * 24 * 3600;
/** Whoever takes older ones should have to say so each time. */
const MAX_PRICE_AGE_MINUTES = 24 * 60;
const MAX_BEHIND_SECONDS = 7 * 24 * 3600;
/** Nodes do not reorganise deeper, so a higher number would add nothing. */
const MAX_CONFIRMATIONS = 1000;
/** Not quite three days of 25 s blocks: several times the deepest reorganisation, and up to 700 MB where blocks are fullest. */
const TAIL_BLOCKS = 10_000;
/** 0.1 ZEC: what a till takes, where waiting for more would cost more than a reorganisation. */
const ONE_CONFIRMATION_BELOW = 10_000_000;
/** Half of the actions that hardware signers have space for. */
const MAX_CHANGE_NOTES = 16;
const MAX_PATH_LENGTH = 4096;
/** More would be a list that nobody reads. */
const MAX_PUBLIC_SERVERS = 10;
const MAX_SERVER_TEXT = 100;
const MAX_PEERS = 100;

/** Birthday minus one, for a wallet whose birthday is the genesis block. */
const NOTHING_SCANNED = -1;

const EXTENSION_ORIGIN = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[A-Za-z0-9._-]+$/;

const allowedOrigin = z
  .string()
  .refine(
    (text) => isCompanionOrigin(text) || EXTENSION_ORIGIN.test(text),
    'must be the exact origin of a packaged extension, such as "chrome-extension://abcdefgh", or of a page on this machine',
  );

const never = z.null().transform(() => undefined);
const upgrade = field.height.optional();
const optionalUpgrade = z.union([field.height, never], 'must be a height, or null for never').optional();

const activationHeights = z.strictObject(
  Object.fromEntries(UPGRADES.map(({ key, optional }) => [key, optional ? optionalUpgrade : upgrade])),
);

const peerAddress = z
  .string()
  .refine((text) => parsePeerAddress(text) !== undefined, 'must be an address, such as "192.0.2.7:8233"');

const isProxyUrl = (text: string): boolean => {
  if (text.length > MAX_PATH_LENGTH || /\s/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text);
  const rest = [username, password, pathname.replace('/', ''), search, hash].join('');
  return protocol === 'socks5:' && hostname !== '' && rest === '';
};

const proxyUrl = z
  .string()
  .refine(isProxyUrl, 'must be "socks5://host:port", without user name and password');

const absoluteFile = z
  .string()
  .refine(
    (text) => text.length <= MAX_PATH_LENGTH && !text.includes('\0') && path.isAbsolute(text),
    'must be an absolute path',
  );

const datevAccount = z.string().regex(/^[1-9]\d{3,7}$/, 'must have 4 to 8 digits');

const datevSettings: z.ZodType<NonNullable<Config['datev']>> = z.strictObject({
  adviser: z.int().min(1_001).max(9_999_999),
  client: z.int().min(1).max(99_999),
  accounts: z
    .strictObject({ zec: datevAccount, income: datevAccount, expenses: datevAccount, fees: datevAccount })
    .refine(
      (accounts) => new Set(Object.values(accounts).map(({ length }) => length)).size === 1,
      'must have as many digits as the others',
    ),
});

export const CONFIG_SCHEMAS = {
  network: field.network,
  node_url: field.nodeUrl,
  node_cookie_file: absoluteFile.nullable(),
  node_url_over_http: z.strictObject({ node_url: field.nodeUrl, instead_of: field.nodeUrl }).nullable(),
  compact_server_url: field.compactServerUrl,
  block_source: field.blockSource,
  public_servers: z
    .array(
      z.strictObject({
        compact_server_url: field.compactServerUrl,
        operator: z.string().max(MAX_SERVER_TEXT),
        where: z.string().max(MAX_SERVER_TEXT).default(''),
        network: field.network,
      }),
    )
    .max(MAX_PUBLIC_SERVERS)
    .nullable(),
  peers: z.union([z.literal('auto'), z.boolean(), z.array(peerAddress).max(MAX_PEERS)]),
  broadcast: z.union([z.enum(['source', 'peers']), field.compactServerUrl]),
  proxy: proxyUrl.nullable(),
  proxy_isolation: z.boolean(),
  last_scan_height: z.int().min(NOTHING_SCANNED).max(MAX_HEIGHT).nullable(),
  backed_up_wallet: z.string().nullable(),
  last_scan_wallet: z.string().nullable(),
  last_scan_writes: z.int().min(0).nullable(),
  payment_writes: z.strictObject({ count: z.int().min(0), until: z.int().min(0).max(MAX_HEIGHT) }).nullable(),
  theme: field.theme,
  min_confirmations: z.int().min(1).max(MAX_CONFIRMATIONS),
  fee_per_action: z.int().min(LEAST_FEE_PER_ACTION).max(MOST_FEE_PER_ACTION),
  change_notes: z.int().min(1).max(MAX_CHANGE_NOTES),
  invoice_one_confirmation_below: field.zatoshi,
  price_source: priceSource.nullable(),
  price_max_age_minutes: z.int().min(1).max(MAX_PRICE_AGE_MINUTES),
  rates_file: absoluteFile.nullable(),
  datev: datevSettings.nullable(),
  auto_lock_seconds: z.int().min(0).max(MAX_AUTO_LOCK_SECONDS),
  allowed_origins: z.array(allowedOrigin),
  anonymous_access: field.anonymousAccess,
  restrict_db_path: z.boolean(),
  compact_tail_blocks: z.int().min(0).max(MAX_HEIGHT).nullable(),
  follow: z.boolean(),
  follow_keep_open: z.boolean(),
  complete_transactions: z.boolean(),
  skip_emptied_pools: z.boolean(),
  scan_kernel: z.enum(field.SCAN_KERNELS),
  broadcast_needs_password: z.boolean(),
  own_signer: z.boolean(),
  rebroadcast: z.boolean(),
  verify_regtest_proofs: z.boolean(),
  fleet_redis_url: z.string().max(MAX_PATH_LENGTH).nullable(),
  fleet_redis_password_file: absoluteFile.nullable(),
  fleet_key_file: absoluteFile.nullable(),
  fleet_double_jobs: z.number().min(0).max(1),
  log_level: z.enum(field.LOG_LEVELS).nullable(),
  behind_after_seconds: z.int().min(0).max(MAX_BEHIND_SECONDS),
  disk_low_bytes: z.int().min(0),
  on_event: onEvent,
  prover: proverSetting.nullable(),
  signer: signerSetting.nullable(),
  sapling_params: absoluteFile.nullable(),
  activation_heights: activationHeights,
} as const satisfies Record<keyof Config, z.ZodType>;

/** The keys that a running companion reloads from an edited file on request: those that are read at each use. */
export const RELOADED_KEYS = [
  'allowed_origins',
  'anonymous_access',
  'auto_lock_seconds',
  'behind_after_seconds',
  'broadcast_needs_password',
  'change_notes',
  'complete_transactions',
  'datev',
  'disk_low_bytes',
  'fee_per_action',
  'invoice_one_confirmation_below',
  'log_level',
  'min_confirmations',
  'on_event',
  'own_signer',
  'price_max_age_minutes',
  'price_source',
  'prover',
  'rates_file',
  'rebroadcast',
  'signer',
  'skip_emptied_pools',
] as const satisfies (keyof Config)[];

const OWN_KEYS: readonly (keyof Config)[] = [
  'backed_up_wallet',
  'last_scan_height',
  'last_scan_wallet',
  'last_scan_writes',
  'node_url_over_http',
  'payment_writes',
];

/** Written by the companion alone while it runs: counters that reveal older files must not go back with an edit. */
export const isOwnKey = (key: keyof Config): boolean => OWN_KEYS.includes(key);

export const CONFIG_KEYS = Object.keys(CONFIG_SCHEMAS) as (keyof Config)[];

/** Through which proxy everything leaves that is not for this machine; null: through none. */
export const proxyOf = ({ proxy, proxy_isolation: isolates }: Config): ProxySetting | null =>
  proxy === null ? null : { url: proxy, isolates };

/** Nodes listen on port 8232 by default on the main network, and on 18232 on the others. */
export function configDefaults(network: Network): Config {
  return {
    network,
    node_url: network === 'main' ? 'http://127.0.0.1:8232' : 'http://127.0.0.1:18232',
    node_cookie_file: null,
    node_url_over_http: null,
    compact_server_url: 'http://127.0.0.1:9067',
    block_source: 'auto',
    public_servers: null,
    peers: 'auto',
    broadcast: 'source',
    proxy: null,
    proxy_isolation: true,
    last_scan_height: null,
    backed_up_wallet: null,
    last_scan_wallet: null,
    last_scan_writes: null,
    payment_writes: null,
    theme: 'system',
    min_confirmations: 1,
    fee_per_action: MOST_FEE_PER_ACTION,
    change_notes: 4,
    invoice_one_confirmation_below: ONE_CONFIRMATION_BELOW,
    price_source: null,
    price_max_age_minutes: 10,
    rates_file: null,
    datev: null,
    auto_lock_seconds: 900,
    allowed_origins: [],
    anonymous_access: 'full',
    restrict_db_path: false,
    compact_tail_blocks: TAIL_BLOCKS,
    follow: false,
    follow_keep_open: false,
    complete_transactions: true,
    skip_emptied_pools: false,
    scan_kernel: 'auto',
    broadcast_needs_password: false,
    own_signer: true,
    rebroadcast: false,
    verify_regtest_proofs: false,
    fleet_redis_url: null,
    fleet_redis_password_file: null,
    fleet_key_file: null,
    fleet_double_jobs: 0.02,
    log_level: null,
    behind_after_seconds: 3_600,
    disk_low_bytes: 1_000_000_000,
    on_event: [],
    prover: null,
    signer: null,
    sapling_params: null,
    activation_heights: {},
  };
}
