// Creating, opening and maintaining the wallet.

import * as z from 'zod';
import * as field from '../fields.ts';
import { ANY_SCOPE, type CallingGrant, hasScope, OPENING } from '../grants.ts';
import { NEEDS_PASSWORD, NEEDS_SESSION, type Operation } from '../operation.ts';

const nothing = z.strictObject({});
const knownDevice = z
  .strictObject({ kind: field.device, version: field.deviceVersion.nullable() })
  .nullable();
const warning = z.string().optional().describe('What the caller should know about the answer');

/** What the signer is and knows: no viewing key contains it. */
export const signerFields = {
  account_index: field.accountIndex.optional(),
  seed_fingerprint: field.seedFingerprint.optional(),
  device: field.device.optional(),
  device_version: field.deviceVersion.optional(),
};

export const walletOperations = {
  'wallet.exists': {
    actor: 'wallet',
    access: 'anyone',
    reach: ANY_SCOPE,
    summary: 'Tell whether a wallet file exists',
    input: nothing,
    output: z.strictObject({ exists: z.boolean() }),
    http: { method: 'GET', path: '/api/wallet/exists' },
    ipc: 'wallet_exists',
    cli: { words: ['wallet', 'exists'] },
    errors: [],
    answerOfNone: { exists: false },
  },
  'wallet.status': {
    actor: 'wallet',
    access: 'anyone',
    reach: ANY_SCOPE,
    // What signs is something to those who prepare and send, and to those who read everything.
    answerFor: (grant: CallingGrant, { warning, ...answer }: { readonly warning?: string }) => ({
      ...answer,
      ...(hasScope(grant, ['admin']) && warning !== undefined && { warning }),
      ...(hasScope(grant, ['read', 'prepare', 'send']) ? {} : { device: null, program_signer: false }),
      own_signer: false,
      ...(hasScope(grant, ['admin']) ? {} : { phrase_confirmed: null }),
    }),
    summary: 'Tell whether the wallet exists, is unlocked and is syncing',
    input: nothing,
    output: z.strictObject({
      exists: z.boolean(),
      unlocked: z.boolean(),
      expires_at: field.time.nullable().describe('End of the session; null when locked or without auto-lock'),
      syncing: z.boolean(),
      network: field.network,
      device: knownDevice.describe(
        'What signs for the wallet; null while it is locked, and where it is not known',
      ),
      own_signer: z.boolean().describe('Whether it signs its payments itself; false while locked'),
      phrase_confirmed: z
        .boolean()
        .nullable()
        .describe(
          'Whether words of its recovery phrase were given back since it was made; null while locked, and without a phrase',
        ),
      program_signer: z
        .boolean()
        .describe(
          'Whether config.json has a signer, a program or an allowance signer, that comes before the others; false while locked',
        ),
      warning,
    }),
    http: { method: 'GET', path: '/api/wallet/status' },
    ipc: 'wallet_status',
    cli: { words: ['wallet', 'status'], remindsOfBackup: true },
    errors: [],
  },
  'wallet.create': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['admin'],
    summary: 'Create a wallet; the recovery phrase is shown once, in this answer',
    input: z.strictObject({
      password: field.password,
      word_count: z.literal([12, 24]).optional().describe('Words in the recovery phrase (default 24)'),
      birthday_height: field.birthdayHeight.optional(),
    }),
    output: z.strictObject({
      mnemonic: z.string(),
      unified_address: z.string(),
      birthday_height: field.height,
      network: field.network,
      warning,
    }),
    http: { method: 'POST', path: '/api/wallet/create' },
    ipc: 'wallet_create',
    cli: {
      words: ['wallet', 'create'],
      confirmPassword: true,
      asksWords: 'after',
      warning:
        'Write the recovery phrase down now: anyone who has it has the funds, and without it they are lost. "wallet-companion wallet backup" shows it again.',
    },
    makesWallet: true,
    errors: ['INVALID_PASSWORD_FORMAT', 'WALLET_EXISTS'],
  },
  'wallet.restore': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['admin'],
    summary: 'Restore a wallet from its recovery phrase',
    input: z.strictObject({
      mnemonic: field.mnemonic,
      password: field.password,
      birthday_height: field.birthdayHeight.optional(),
      bip39_passphrase: field.bip39Passphrase.optional(),
      birthday: field.birthday.optional(),
    }),
    output: z.strictObject({
      unified_address: z.string(),
      birthday_height: field.height,
      network: field.network,
      unlocked: z.literal(true),
      accounts_searched: field.accountsSearched,
      not_searched: z.string().describe('Which keys of the phrase no scan looks at'),
      warning,
    }),
    http: { method: 'POST', path: '/api/wallet/restore' },
    ipc: 'wallet_restore',
    cli: { words: ['wallet', 'restore'], confirmPassword: true },
    makesWallet: true,
    errors: ['INVALID_MNEMONIC', 'INVALID_PASSWORD_FORMAT', 'WALLET_EXISTS'],
  },
  'wallet.import_viewing_key': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['admin'],
    summary: 'Make a watch-only wallet from a viewing key; nothing it holds can spend',
    input: z.strictObject({
      viewing_key: field.viewingKey,
      password: field.password,
      birthday_height: field.birthdayHeight.optional(),
      birthday: field.birthday.optional(),
      name: field.accountName.optional(),
      ...signerFields,
    }),
    output: z.strictObject({
      unified_address: z.string(),
      birthday_height: field.height,
      network: field.network,
      unlocked: z.literal(true),
      kind: z.enum(['full', 'incoming']).describe('incoming: neither spends nor change can be seen'),
      warning,
    }),
    http: { method: 'POST', path: '/api/wallet/import-viewing-key' },
    ipc: 'wallet_import_viewing_key',
    cli: { words: ['wallet', 'import-viewing-key'], confirmPassword: true, scans: true },
    makesWallet: true,
    errors: ['INVALID_VIEWING_KEY', 'INVALID_PASSWORD_FORMAT', 'WALLET_EXISTS'],
  },
  'wallet.device': {
    actor: 'wallet',
    access: 'session',
    reach: ['admin'],
    summary: "Keep what signs, and where it finds an account's keys; what is left out stays as it is",
    input: z.strictObject({ account: field.oneAccount, ...signerFields }),
    output: z.strictObject({
      device: knownDevice,
      seed_fingerprint: field.seedFingerprint.nullable(),
      account: field.account,
      account_index: field.accountIndex.nullable(),
      warning,
    }),
    http: { method: 'POST', path: '/api/wallet/device' },
    ipc: 'wallet_device',
    cli: { words: ['wallet', 'device'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'wallet.unlock': {
    actor: 'wallet',
    access: 'password',
    reach: OPENING,
    summary: 'Open a session with the password',
    input: z.strictObject({ password: field.password }),
    output: z.strictObject({
      unlocked: z.literal(true),
      expires_at: field.time.nullable().describe('Null when auto-lock is off'),
      unified_address: z.string(),
    }),
    http: { method: 'POST', path: '/api/wallet/unlock' },
    ipc: 'wallet_unlock',
    cli: {
      words: ['wallet', 'unlock'],
      withoutCompanion:
        'The password is right, but no companion runs, so nothing stays open after this command. Start one with "wallet-companion serve", or give each command --password-file.',
    },
    errors: [...NEEDS_PASSWORD],
  },
  'wallet.lock': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['admin'],
    summary: 'End the session; a running scan stops at its next commit',
    input: nothing,
    output: z.strictObject({ unlocked: z.literal(false) }),
    http: { method: 'POST', path: '/api/wallet/lock' },
    ipc: 'wallet_lock',
    cli: { words: ['wallet', 'lock'] },
    errors: [],
  },
  'wallet.change_password': {
    actor: 'wallet',
    access: 'password',
    reach: 'owner',
    summary: 'Change the password; phrase, keys and notes stay as they are',
    input: z.strictObject({ password: field.password, new_password: field.password }),
    output: z.strictObject({ changed: z.literal(true) }),
    http: { method: 'POST', path: '/api/wallet/change-password' },
    ipc: 'wallet_change_password',
    cli: { words: ['wallet', 'change-password'], confirmPassword: true },
    hasNoDeadline: true,
    errors: [...NEEDS_PASSWORD, 'SYNC_IN_PROGRESS'],
  },
  'wallet.backup': {
    actor: 'wallet',
    access: 'password',
    reach: 'owner',
    summary: 'Show the recovery phrase and what else a restore needs',
    input: z.strictObject({ password: field.password }),
    output: z.strictObject({
      mnemonic: z.string(),
      bip39_passphrase: z.string().nullable().describe('Null when none was used'),
      birthday_height: field.height,
      network: field.network,
    }),
    http: { method: 'POST', path: '/api/wallet/backup' },
    ipc: 'wallet_backup',
    cli: { words: ['wallet', 'backup'], asksWords: 'after' },
    errors: [...NEEDS_PASSWORD],
  },
  'wallet.confirm_phrase': {
    actor: 'wallet',
    access: 'password',
    reach: 'owner',
    summary: 'Confirm that the recovery phrase is written down, by three of its words',
    input: z.strictObject({
      password: field.password,
      words: field.phraseWords.optional(),
    }),
    output: z.strictObject({
      confirmed: z.boolean().describe('Whether words were given, and are those of the phrase'),
      numbers: z
        .array(z.int().min(1))
        .describe('The words that were given; without any: three drawn ones to give'),
    }),
    http: { method: 'POST', path: '/api/wallet/confirm-phrase' },
    ipc: 'wallet_confirm_phrase',
    cli: { words: ['wallet', 'confirm-phrase'], asksWords: 'instead' },
    errors: [...NEEDS_PASSWORD, 'INVALID_MNEMONIC'],
  },
  'wallet.remove': {
    actor: 'wallet',
    access: 'password',
    reach: ['admin'],
    summary: 'Remove the wallet from this companion; its files are kept under another name',
    input: z.strictObject({
      password: field.password,
      without_backup: z
        .boolean()
        .optional()
        .describe('Remove it although its recovery phrase was never shown by wallet.backup'),
    }),
    output: z.strictObject({
      removed: z.literal(true),
      kept_as: z.string().describe('The name of its file now; named wallet.dat again it is back'),
    }),
    http: { method: 'POST', path: '/api/wallet/remove' },
    ipc: 'wallet_remove',
    cli: { words: ['wallet', 'remove'] },
    removesWallet: true,
    errors: [...NEEDS_PASSWORD],
  },
  'wallet.rescan': {
    actor: 'wallet',
    access: 'session',
    reach: ['admin'],
    summary: 'Forget what was scanned, keep the keys; the next sync starts again',
    input: z.strictObject({
      from_height: field.height
        .optional()
        .describe(
          'Forget from this height up, and lower the birthday to it where that is above; left out: everything',
        ),
    }),
    output: z.strictObject({ last_scan_height: field.height, next_start_height: field.height }),
    http: { method: 'POST', path: '/api/wallet/rescan' },
    ipc: 'wallet_rescan',
    cli: { words: ['wallet', 'rescan'] },
    errors: [...NEEDS_SESSION, 'SYNC_IN_PROGRESS'],
  },
  'wallet.viewing_key': {
    actor: 'wallet',
    access: 'password',
    reach: 'owner',
    summary: "Show an account's unified viewing key (ZIP 316)",
    input: z.strictObject({
      password: field.password,
      account: field.oneAccount,
    }),
    output: z.strictObject({
      account: field.account,
      viewing_key: z.string(),
      kind: z.enum(['full', 'incoming']),
      birthday_height: field.height,
      network: field.network,
    }),
    http: { method: 'POST', path: '/api/viewing-key' },
    ipc: 'wallet_viewing_key',
    cli: { words: ['wallet', 'viewing-key'] },
    errors: [...NEEDS_PASSWORD, 'NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
