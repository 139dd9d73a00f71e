// What the settings that name a program to run, or an address to send to, may hold: they can be set in the file alone.

import path from 'node:path';
import { DEFAULT_WALLET, isOtherWalletName, isReadByServerAlone } from '@wallet-companion/client/contract';
import * as z from 'zod';
import type { ProgramSetting } from '../../programs/programRun.ts';
import { displayName, isPlainHttpUrl } from '../../protocol/fields.ts';
import { HOOK_EVENTS, type HookSetting } from '../../protocol/hookEvents.ts';
import { DEFAULT_PROGRAM_SECONDS, type SignerSocket } from '../../protocol/pcztPrograms.ts';
import type { PriceSource } from '../../protocol/prices.ts';
import { MOST_WALLETS } from '../files/walletFolders.ts';

// A program and its arguments, as an array: no shell reads it.
const MAX_WORDS = 64;
const MAX_WORD_LENGTH = 4096;

const word = z
  .string()
  .refine((text) => text.length <= MAX_WORD_LENGTH && !text.includes('\0'), 'must be text without NUL');

export const command = z
  .array(word)
  .min(1)
  .max(MAX_WORDS)
  .refine(
    ([program = '']) => path.isAbsolute(program),
    'must begin with the absolute path of a program; no shell reads it',
  );

// What an entry of `on_event` may hold.
const MAX_HOOKS = 16;
const absolutePath = word.refine((text) => path.isAbsolute(text), 'must be an absolute path');

const SERVER_RULE =
  'must be an https URL, or an http URL on 127.0.0.1, [::1], localhost or a .onion, without credentials';

/** Plaintext goes to this machine only: a name that is looked up may lead anywhere, whatever it leads to today. */
const isGuardedUrl = (text: string): boolean => {
  if (text.length > MAX_WORD_LENGTH || !isPlainHttpUrl(text)) return false;
  return isReadByServerAlone(new URL(text));
};

const wallets = z
  .array(
    z
      .string()
      .refine((name) => name === DEFAULT_WALLET || isOtherWalletName(name), 'must be the name of a wallet'),
  )
  .min(1)
  .max(MOST_WALLETS + 1)
  .refine((names) => new Set(names).size === names.length, 'must name a wallet once');

const hook = z
  .strictObject({
    name: z
      .string()
      .refine(
        (text) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text),
        'must be 1 to 64 letters, digits, dots, - and _',
      ),
    events: z.array(z.enum(HOOK_EVENTS)).min(1).max(HOOK_EVENTS.length),
    wallets: wallets.optional(),
    grant: displayName.optional(),
    command: command.optional(),
    url: z.string().refine(isGuardedUrl, SERVER_RULE).optional(),
    secret_file: absolutePath.optional(),
  })
  .refine((one) => (one.command === undefined) !== (one.url === undefined), 'must have either command or url')
  .refine(
    (one) => (one.url === undefined) === (one.secret_file === undefined),
    'must have a secret_file with its url, and none with a command',
  );

export const onEvent: z.ZodType<readonly HookSetting[]> = z
  .array(hook)
  .max(MAX_HOOKS)
  .refine((hooks) => new Set(hooks.map(({ name }) => name)).size === hooks.length, 'must have a name each');

/** Where prices come from. */
export const priceSource: z.ZodType<PriceSource> = z.union([
  z.strictObject({ file: absolutePath }),
  z.strictObject({ command }),
  z.strictObject({ url: z.string().refine(isGuardedUrl, SERVER_RULE) }),
]);

// What `prover` and `signer` may hold.
const MAX_SECONDS = 24 * 3600;
const DEFAULT_MB = 4096;
const MAX_MB = 1024 * 1024;

export const pcztProgram: z.ZodType<ProgramSetting> = z.strictObject({
  command,
  timeout_seconds: z.int().min(1).max(MAX_SECONDS).default(DEFAULT_PROGRAM_SECONDS),
  max_memory_mb: z.int().min(64).max(MAX_MB).default(DEFAULT_MB),
});

/** Besides a program: the reference crates' module in place of the own prover. */
export const proverSetting = z.union([pcztProgram, z.literal('module')]);

/** Besides a program: the socket of an allowance signer. */
export const signerSetting: z.ZodType<ProgramSetting | SignerSocket> = z.union([
  pcztProgram,
  z.strictObject({ socket: absolutePath }),
]);
