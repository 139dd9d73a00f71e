// grants.json, beside config.json: which programs and extensions may do what. No token is in it, only what recognises one;
// but who can write it can let anyone in, so it has to be the owner's alone.

import fs from 'node:fs';
import path from 'node:path';
import { timeText, timeTextOrNull } from '@wallet-companion/base/values';
import { isPrivateFile, makeFolder, replaceFile, storageFailed } from '@wallet-companion/disk/files';
import * as z from 'zod';
import type { Grant, GrantFile } from '../../grants/grant.ts';
import { CompanionError } from '../../protocol/errors.ts';
import { SCOPES } from '../../protocol/grants.ts';
import { GRANTS_FILE } from './dataFiles.ts';

const VERSION = 1;
const MAX_SIZE = 4 * 1024 * 1024;

const time = z.iso.datetime().transform((text) => Date.parse(text));
const row = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  name: z.string(),
  origin: z.string().nullable(),
  token_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  scopes: z.array(z.enum(SCOPES)),
  wallets: z.array(z.string()),
  expires_at: time.nullable(),
  limits: z.strictObject({
    payment_zatoshi: z.int().min(0).optional(),
    day_zatoshi: z.int().min(0).optional(),
    payees: z.array(z.string()).optional(),
    calls_per_minute: z.int().min(1).optional(),
  }),
  created_at: time,
  last_used_at: time.nullable(),
  pin: z
    .strictObject({
      salt: z.string().regex(/^[0-9a-f]{32}$/),
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      wrong_tries: z.int().min(0),
    })
    .optional(),
});
const contents = z.strictObject({ version: z.literal(VERSION), grants: z.array(row) });

type Row = z.output<typeof row>;

export function grantFile(configDir: string): GrantFile {
  const file = path.join(configDir, GRANTS_FILE);
  return {
    /**
     * Throws `STORAGE_FAILED`; `INVALID_REQUEST` for a file that is damaged, or that another user may have written: a
     * companion that started without it would let in those who were shut out.
     */
    read() {
      const text = readText(file);
      if (text === undefined) return [];
      const read = parsed(text);
      return read.map(({ token_hash, expires_at, created_at, last_used_at, pin, ...rest }) => ({
        ...rest,
        tokenHash: token_hash,
        expiresAt: expires_at,
        createdAt: created_at,
        lastUsedAt: last_used_at,
        ...(pin && { pin: { salt: pin.salt, hash: pin.hash, wrongTries: pin.wrong_tries } }),
      }));
    },
    async write(grants) {
      try {
        const bytes = new TextEncoder().encode(textOf(grants));
        if (bytes.length > MAX_SIZE) throw refused('would be too large. Revoke grants that are not needed');
        makeFolder(configDir);
        await replaceFile(file, bytes);
      } catch (error) {
        throw error instanceof CompanionError ? error : storageFailed('written', file, error);
      }
    },
  };
}

const textOf = (grants: readonly Grant[]): string =>
  `${JSON.stringify(
    {
      version: VERSION,
      grants: grants.map(({ tokenHash, expiresAt, createdAt, lastUsedAt, pin, ...rest }) => ({
        ...rest,
        token_hash: tokenHash,
        expires_at: timeTextOrNull(expiresAt),
        created_at: timeText(createdAt),
        last_used_at: timeTextOrNull(lastUsedAt),
        ...(pin && { pin: { salt: pin.salt, hash: pin.hash, wrong_tries: pin.wrongTries } }),
      })),
    },
    undefined,
    2,
  )}\n`;

function readText(file: string): string | undefined {
  try {
    const stats = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isFile() || !isPrivateFile(stats))
      throw refused('must be a file of yours that nobody else can read (chmod 600)');
    if (stats.size > MAX_SIZE) throw refused('is larger than any that the companion has written');
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CompanionError) throw error;
    throw storageFailed('read', file, error);
  }
}

function parsed(text: string): readonly Row[] {
  try {
    const read = contents.safeParse(JSON.parse(text));
    if (read.success) return read.data.grants;
  } catch {
    // Not JSON: as for every other damage.
  }
  throw refused('is damaged. Put a copy back, or remove it: then every grant has to be made again');
}

const refused = (what: string): CompanionError =>
  new CompanionError('INVALID_REQUEST', `${GRANTS_FILE} ${what}. It was left as it is.`);
