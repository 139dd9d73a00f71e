// The building blocks of every operation's input and output. A field with its own error code states it here, once, so
// that the same bad value gets the same code on every route and every surface.

import { MAX_HEIGHT, normalForm } from '@wallet-companion/base/values';
import {
  copiedCode,
  EXTENSION_ORIGIN,
  hasHidden,
  portOnThisMachine,
  trimCopied,
} from '@wallet-companion/client/contract';
import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { ANONYMOUS_ACCESS } from './grants.ts';
import { NETWORKS } from './network.ts';

/** ZIP 32: account indices are hardened, so 31 bits are left. */
export const MAX_ACCOUNT = 2 ** 31 - 1;
/** ZIP 32: a diversifier index has 88 bits, more than a JSON number holds, so it travels as decimal text. */
const DIVERSIFIER_INDEX_END = 1n << 88n;
export const MAX_PASSWORD_BYTES = 1024;
/** 24 words of at most 8 letters need 215 bytes; the rest is for white space. */
const MAX_MNEMONIC_LENGTH = 2048;
const MAX_URL_LENGTH = 2048;
const MAX_PATH_LENGTH = 4096;
const MAX_CURSOR_LENGTH = 256;

export const THEMES = ['system', 'light', 'dark'] as const;
export const SCAN_KERNELS = ['auto', 'wide', 'fma'] as const;
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export const POOL_NAMES = ['sapling', 'orchard', 'ironwood'] as const;
export type PoolName = (typeof POOL_NAMES)[number];
export const SOURCES = ['node', 'compact', 'peers'] as const;
/** Who passes transactions on; `server`: one that is named for that alone. */
export const CARRIERS = [...SOURCES, 'server'] as const;
/** `auto` is replaced by what was chosen, at the first use. */
export const BLOCK_SOURCES = ['auto', ...SOURCES] as const;

/** One value repeated for every pool. */
export const perPoolName = <T>(value: T): Record<PoolName, T> =>
  Object.fromEntries(POOL_NAMES.map((name) => [name, value])) as Record<PoolName, T>;

/** The length is counted without encoding: encoded bytes of a password would stay in memory and are never wiped. */
export function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return length;
}

/**
 * A lone surrogate has no UTF-8 form: encoders turn all lone surrogates into the replacement character. Where that
 * character occurs, a decoder has already lost what was typed.
 */
export const isWellFormed = (text: string): boolean => !/[\p{Surrogate}\ufffd]/u.test(text);

/** The refusal for every caller's text that is shown later. */
export const HIDDEN_REFUSED =
  'must be text without control characters, and without any that is invisible or turns text around; pasted text may have some, so type it';

const parsedUrl = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};

/** URL parsers ignore line breaks and tabs anywhere, but the stored text must be the intended URL. */
export const isPlainHttpUrl = (text: string): boolean => {
  const url = /^https?:\/\/\S+$/i.test(text) ? parsedUrl(text) : undefined;
  return url !== undefined && url.username === '' && url.password === '' && url.hash === '';
};

const isCompactServerUrl = (text: string): boolean => {
  const port = portOnThisMachine(text);
  if (port !== undefined) return port >= 1 && parsedUrl(`http://${text}`) !== undefined;
  const url = isPlainHttpUrl(text) ? parsedUrl(text) : undefined;
  return url !== undefined && url.pathname === '/' && url.search === '';
};

// ---------------------------------------------------------------------------------------------------------------------
// Input

/**
 * 1 to 1,024 bytes of UTF-8 after NFKC, which is applied here so that a password typed on two keyboards is one
 * password. There are no composition rules.
 */
export const password = z
  .string()
  .overwrite((text) => normalForm(text, 'NFKC'))
  .refine(isWellFormed, 'must be valid Unicode text')
  .refine(
    (text) => text.length > 0 && utf8Length(text) <= MAX_PASSWORD_BYTES,
    `must be 1 to ${MAX_PASSWORD_BYTES} bytes of UTF-8`,
  )
  .meta({
    description: 'Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC)',
    minLength: 1,
    maxLength: MAX_PASSWORD_BYTES,
  });

/** The wallet actor checks the words and the checksum. */
export const mnemonic = z
  .string()
  .overwrite(trimCopied)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine((text) => text.length <= MAX_MNEMONIC_LENGTH, 'is longer than any recovery phrase')
  .meta({
    description: 'BIP-39 recovery phrase, 12 to 24 English words',
    pattern: String.raw`\S`,
    maxLength: MAX_MNEMONIC_LENGTH,
  });

/** The wallet actor checks numbers and words. */
export const phraseWords = z
  .string()
  .overwrite(trimCopied)
  .refine((text) => text.length <= MAX_MNEMONIC_LENGTH, 'is longer than any recovery phrase')
  .regex(
    /^\s*(?:\d{1,2}\s+\S+(?:\s+|$)){3,}$/,
    'must be at least three words of the phrase, each after its number, such as "3 river 11 stone 20 wall"',
  )
  .meta({
    description:
      'At least three words of the recovery phrase, each after its number: "3 river 11 stone 20 wall"',
    maxLength: MAX_MNEMONIC_LENGTH,
  });

export const bip39Passphrase = z
  .string()
  .refine(
    (text) => isWellFormed(text) && utf8Length(text) <= MAX_PASSWORD_BYTES,
    `must be at most ${MAX_PASSWORD_BYTES} bytes of UTF-8`,
  )
  .meta({
    description: 'BIP-39 passphrase ("25th word") that was used with the phrase',
    maxLength: MAX_PASSWORD_BYTES,
  });

/** Copied bytes, such as a txid or an identifier: capitals mean the same. */
export const hex = (bytes: number, message = `must be ${bytes} bytes in hexadecimal`) =>
  z
    .string()
    .overwrite((text) => trimCopied(text).toLowerCase())
    .regex(new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`), message);

/** Copied bytes of any number, `maxLength` characters at most. */
export const hexBytes = (maxLength: number) =>
  z
    .string()
    .overwrite((text) => trimCopied(text).toLowerCase())
    .refine(
      (text) => text.length <= maxLength && text.length % 2 === 0 && /^[0-9a-f]+$/.test(text),
      'must be bytes in hexadecimal',
    )
    .meta({ pattern: '^[0-9a-fA-F]+$', minLength: 2, maxLength });

export const MAX_ADDRESS_LENGTH = 1024;
/** The wallet actor checks the encoding and the network. */
export const address = z
  .string()
  .overwrite(copiedCode)
  .refine((text) => text !== '', 'must not be empty')
  .refine((text) => text.length <= MAX_ADDRESS_LENGTH, 'is longer than any address')
  .meta({ minLength: 1, maxLength: MAX_ADDRESS_LENGTH });

export const txid = hex(32).describe('Lower-case hex, display (reversed) byte order');

/** A viewing key with keys of every pool (ZIP 316) has about 450 characters; the rest is for future items. */
const MAX_VIEWING_KEY_LENGTH = 4096;

/** The wallet actor checks the encoding and the network. */
export const viewingKey = z
  .string()
  .overwrite(copiedCode)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine((text) => text.length <= MAX_VIEWING_KEY_LENGTH, 'is longer than any viewing key')
  .meta({
    description: 'Unified full or incoming viewing key (ZIP 316), or a Sapling extended full viewing key',
    pattern: String.raw`\S`,
    maxLength: MAX_VIEWING_KEY_LENGTH,
  });

export const height = z.int().min(0).max(MAX_HEIGHT);
export const birthdayHeight = height.describe('Height below which this wallet holds nothing');

/** Whole days, months or years. The wallet actor finds the height, and refuses dates in the future. */
const isDate = (text: string): boolean => {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
};

export const birthday = z
  .string()
  .refine(isDate, 'must be a date: 2021, 2021-06 or 2021-06-15; for a block height there is birthday_height')
  .meta({
    description:
      'Date before which this wallet holds nothing, instead of birthday_height: 2021, 2021-06 or 2021-06-15 (main network). The block taken is at most two weeks older, or the newest whose date is known here, of October 2026',
    pattern: '^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$',
  });
export const account = z.int().min(0).max(MAX_ACCOUNT).describe('ZIP 32 account index');
/** For a request about one account, or about all accounts. */
export const onlyAccount = account.describe('ZIP 32 account index; left out: all accounts').optional();
/** For a request about one account. */
export const oneAccount = account.describe('ZIP 32 account index (default 0)').optional();

/** What a viewing key does not contain, and a signer finds its keys by (ZIP 32). */
export const accountIndex = z
  .int()
  .min(0)
  .max(MAX_ACCOUNT)
  .describe('ZIP 32 account that the key has in the seed that signs');
export const seedFingerprint = hex(32).describe('ZIP 32 fingerprint of the seed that signs');
/** Who signs a payment here: the program of config.json, the device of the wallet, the wallet itself with its phrase. */
export const SIGNERS = ['program', 'device', 'own'] as const;

export const DEVICES = ['keystone', 'ledger', 'other'] as const;
export type Device = (typeof DEVICES)[number];
export const device = z.enum(DEVICES).describe('What signs');
export const deviceVersion = z
  .string()
  .regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/, 'must have the form 3.0.2')
  .describe("Version of the device's firmware or app, as it shows it");

export const nodeUrl = z
  .string()
  .refine(
    (text) => text.length <= MAX_URL_LENGTH && isPlainHttpUrl(text),
    'must be an http or https URL without credentials',
  )
  .refine((text) => !hasHidden(text), HIDDEN_REFUSED)
  .meta({
    description: 'JSON-RPC endpoint of the chain node (http or https, no credentials)',
    pattern: '^[hH][tT][tT][pP][sS]?://',
    maxLength: MAX_URL_LENGTH,
  });

export const compactServerUrl = z
  .string()
  .refine(
    (text) => text.length <= MAX_URL_LENGTH && isCompactServerUrl(text),
    'must be an http or https URL without credentials or path, or a loopback host:port',
  )
  .refine((text) => !hasHidden(text), HIDDEN_REFUSED)
  .meta({
    description: 'Compact-block server: https://, http://, or host:port on loopback',
    minLength: 1,
    maxLength: MAX_URL_LENGTH,
  });

/** The chain actor checks where the path may lie. */
export const dbPath = z
  .string()
  .refine(
    (text) => text !== '' && text.length <= MAX_PATH_LENGTH && !text.includes('\0'),
    'must be a file path',
  )
  .meta({
    description: 'Compact store: a .db, .sqlite or .sqlite3 file; relative means inside the data directory',
    minLength: 1,
    maxLength: MAX_PATH_LENGTH,
  });

export const anonymousAccess = z.enum(ANONYMOUS_ACCESS);
export const theme = z.enum(THEMES).describe('UI theme of companion frontends');

export const source = z
  .enum(SOURCES)
  .describe('Where blocks come from (default: block_source of the configuration)');
export const blockSource = z
  .enum(BLOCK_SOURCES)
  .describe(
    'Where blocks come from, for every call without a source of its own. auto: the first use chooses, and what it chose is kept here',
  );
/** The server that a compact server's blocks were compared with. */
export const verifier = z.enum(['node', 'work']);
/** The mark of one block, wherever what it moved is shown. */
export const mark = verifier
  .nullable()
  .describe(
    '`node`: a node gave the block; `work`: peers did, and it fits its header on the chain of most work; null: a compact server alone says what is in it',
  );
export const pool = z.enum(POOL_NAMES).describe('Shielded pool');
export const limit = z.int().min(1).max(1000).describe('Entries per page, at most 1,000 (default 100)');
export const cursor = z
  .string()
  .overwrite(trimCopied)
  .min(1)
  .max(MAX_CURSOR_LENGTH)
  .describe('`next_cursor` of the page before');

export const diversifierIndex = z
  .string()
  .overwrite(trimCopied)
  .refine(
    (text) => /^(?:0|[1-9]\d{0,26})$/.test(text) && BigInt(text) < DIVERSIFIER_INDEX_END,
    'must be a decimal number below 2^88',
  )
  .meta({
    description: 'Diversifier index, decimal (up to 88 bits)',
    pattern: '^(?:0|[1-9][0-9]{0,26})$',
  });

/** The limit of a user's name for an address. */
export const MAX_LABEL_LENGTH = 256;
const nameFor = (what: string) =>
  z
    .string()
    .overwrite((text) => text.normalize('NFC'))
    .refine((text) => isWellFormed(text) && text.trim() !== '', 'must be text')
    .refine((text) => !hasHidden(text), HIDDEN_REFUSED)
    .refine((text) => [...text].length <= MAX_LABEL_LENGTH, `must be at most ${MAX_LABEL_LENGTH} characters`)
    .meta({
      description: `What you call the ${what}, 1 to 256 characters`,
      minLength: 1,
      maxLength: MAX_LABEL_LENGTH,
      pattern: String.raw`\S`,
    });
export const label = nameFor('address');
export const accountName = nameFor('account');

/** The error code of a value that has the right JSON type but is not acceptable. Other fields: `INVALID_REQUEST`. */
export const FIELD_ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  password: 'INVALID_PASSWORD_FORMAT',
  new_password: 'INVALID_PASSWORD_FORMAT',
  mnemonic: 'INVALID_MNEMONIC',
  url: 'INVALID_URL',
  node_url: 'INVALID_URL',
  compact_server_url: 'INVALID_URL',
  theme: 'INVALID_THEME',
  db_path: 'INVALID_DB_PATH',
  viewing_key: 'INVALID_VIEWING_KEY',
  pczt: 'INVALID_PCZT',
};

/** An extension's origin as browsers write it; Firefox and Safari create one for each installation. */
export const extensionOrigin = z
  .string()
  .regex(EXTENSION_ORIGIN, 'must be the origin of a browser extension, such as "chrome-extension://abc…"');

/**
 * A name that is shown to users when they decide whom to let in. What it may hold is no pattern in the contract, because
 * tools that make requests from it cannot follow that one.
 */
export const displayName = z
  .string()
  .refine((text) => /^(?: |[^\p{Z}\p{Co}\p{Cn}]){1,64}$/u.test(text), 'must be 1 to 64 visible characters')
  .refine((text) => !hasHidden(text), HIDDEN_REFUSED)
  .meta({ minLength: 1, maxLength: 64 });

// ---------------------------------------------------------------------------------------------------------------------
// Output

export const network = z.enum(NETWORKS);
export const scope = z.enum(['external', 'internal']).describe('ZIP 32 key scope; internal is change');
export const count = z.int().min(0);
export const accountsSearched = count
  .nullable()
  .describe(
    'How many accounts of a restored phrase (ZIP 32, from 0 on) were looked at up to `last_scan_height`: those with notes and the one after them; null where none is looked for, because the phrase was made here or there is none',
  );
export const zatoshi = z.int().min(0).describe('Amount in zatoshi (10^-8 ZEC)');
/** RFC 3339, UTC. */
export const time = z.string().describe('RFC 3339 time, UTC');
export const displayHash = z.string().describe('Lower-case hex, display (reversed) byte order');
export const protocolHex = z.string().describe('Lower-case hex, protocol byte order');
export const elapsedMs = count.describe('Milliseconds');

/** The address that a note was paid to. */
export const receivingAddress = z
  .string()
  .nullable()
  .describe(
    'The unified address it was paid to; null for change, and where no unified address has the index',
  );
export const receivingLabel = z.string().nullable().describe('What you call that address');

/** Of operations with `hasFunds`. */
export const warning = z.string().optional().describe('Why the amounts are not what they seem');

/** Inclusive on both ends. */
export const heightRange = z.strictObject({ start_height: height, end_height: height });

export const reorg = z
  .strictObject({
    fork_height: height.describe('The last common block'),
    depth: count.describe('Blocks that were undone'),
  })
  .nullable();

/** Null: no memo (ZIP 302), or the memo is not known yet (compact scan). */
export const memo = z
  .strictObject({
    text: z.string().optional().describe('The memo, when it is text'),
    hex: z.string().optional().describe('The 512 bytes of a memo that is not text'),
  })
  .nullable()
  .describe('Null where there is none, and where the transaction was not read in full yet');

/** One note of this wallet among the outputs of a transaction. */
export const receivedOutput = z.strictObject({
  account,
  pool,
  scope,
  output_index: count,
  value_zatoshi: zatoshi,
  diversifier_index: diversifierIndex,
  label: receivingLabel,
  memo,
});
