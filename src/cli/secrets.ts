// Passwords and phrases come from a prompt, a file or an open file descriptor. Never from an argument, which the
// process list and the shell's history would reveal.

import { isUtf8 } from 'node:buffer';
import { read } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { newPasswordProblem } from '@wallet-companion/client/contract';
import { badField, type CompanionError } from '../protocol/errors.ts';
import type { Prompt } from '../terminal/prompt.ts';

/** Larger than any secret; keeps a mistaken path (a disk, a log) from being read whole. */
const MAX_SECRET_BYTES = 16 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** The byte order mark in UTF-8, which some editors write. */
const MARK = [0xef, 0xbb, 0xbf];

export interface SecretSource {
  readonly file?: string | undefined;
  readonly fd?: string | undefined;
}

interface SecretQuestion {
  readonly question: string;
  /** The second question; both inputs must agree. */
  readonly repeat?: string;
  /** The flags to use when there is no terminal. */
  readonly flags: string;
}

const QUESTIONS: Readonly<Record<string, SecretQuestion>> = {
  password: {
    question: 'Password: ',
    repeat: 'Password again: ',
    flags: '--password-file or --password-fd',
  },
  new_password: {
    question: 'New password: ',
    repeat: 'New password again: ',
    flags: '--new-password-file or --new-password-fd',
  },
  mnemonic: { question: 'Recovery phrase (not shown while you type): ', flags: '--mnemonic-file' },
  words: {
    question: 'Words of the phrase, each after its number (not shown while you type): ',
    flags: '--words-file',
  },
  viewing_key: { question: 'Viewing key (not shown while you type): ', flags: '--viewing-key-file' },
  pin: { question: 'PIN of the till: ', repeat: 'PIN again: ', flags: '--pin-file' },
  bip39_passphrase: { question: 'BIP-39 passphrase: ', flags: '--bip39-passphrase-file' },
};

/** The secret for an input member, from its source if one was given, otherwise from a prompt. */
export async function readSecret(
  field: string,
  source: SecretSource,
  prompt: Prompt,
  confirm: boolean,
): Promise<string> {
  const given = await readGivenSecret(field, source);
  if (given !== undefined) return given;
  const { question, repeat, flags } = QUESTIONS[field] ?? { question: `${field}: `, flags: 'a file' };
  const orElse = `Use ${flags}.`;
  const secret = await prompt.hidden(question, orElse);
  const problem = confirm && repeat !== undefined ? newPasswordProblem(secret) : undefined;
  if (problem !== undefined) throw badField(field, 'is too short', problem);
  if (confirm && repeat !== undefined && (await prompt.hidden(repeat, orElse)) !== secret) {
    throw badField(
      field,
      'was typed differently the second time',
      'The two passwords are not the same; nothing was changed.',
    );
  }
  return secret;
}

/** Undefined when no source is given. */
export async function readGivenSecret(field: string, source: SecretSource): Promise<string | undefined> {
  const bytes = await readSource(field, source);
  const given = bytes?.toString('utf8');
  bytes?.fill(0);
  // A phrase may be spread over several lines; its white space does not matter.
  if (given === undefined || field === 'mnemonic') return given?.trim();
  return firstLine(given);
}

/** The same line as bytes, which the caller wipes; it never becomes a string. A source must be given. */
export async function readSecretLine(field: string, source: SecretSource): Promise<Uint8Array> {
  const bytes = await readSource(field, source);
  if (bytes === undefined) throw unreadable(field, 'file or descriptor must be given');
  // Invalid UTF-8 is decoded as it would be in text.
  const whole = isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8'));
  const start = MARK.every((byte, place) => whole[place] === byte) ? MARK.length : 0;
  const feed = whole.indexOf(LINE_FEED);
  const end = feed === -1 ? whole.length : feed - Number(whole[feed - 1] === CARRIAGE_RETURN);
  const line = Uint8Array.from(whole.subarray(start, Math.max(start, end)));
  whole.fill(0);
  bytes.fill(0);
  return line;
}

function readSource(field: string, { file, fd }: SecretSource): Promise<Buffer> | undefined {
  if (file !== undefined) return readSecretFile(file, field);
  return fd === undefined ? undefined : readDescriptor(fd, field);
}

export const isSecretGiven = ({ file, fd }: SecretSource): boolean => file !== undefined || fd !== undefined;

/** Editors end files with a line break, and some begin them with a byte order mark; neither is part of the secret. */
const firstLine = (text: string): string => text.replace(/^\ufeff/, '').replace(/\r?\n.*$/s, '');

async function readSecretFile(path: string, field: string): Promise<Buffer> {
  try {
    const bytes = await readFile(path);
    if (bytes.length <= MAX_SECRET_BYTES) return bytes;
    bytes.fill(0);
  } catch (cause) {
    throw unreadable(field, 'file cannot be read', cause);
  }
  throw unreadable(field, 'file is too large for a secret');
}

const readFrom = promisify(read);

/** Reads up to the first line break or the end. The descriptor stays open: the program that opened it closes it. */
async function readDescriptor(text: string, field: string): Promise<Buffer> {
  if (!/^\d{1,9}$/.test(text)) throw unreadable(field, 'descriptor must be a number');
  const buffer = Buffer.alloc(MAX_SECRET_BYTES);
  let length = 0;
  try {
    while (length < buffer.length) {
      const { bytesRead } = await readFrom(Number(text), buffer, length, buffer.length - length, null);
      length += bytesRead;
      if (bytesRead === 0 || buffer.subarray(0, length).includes(LINE_FEED)) break;
    }
    return Buffer.from(Uint8Array.from(buffer.subarray(0, length)).buffer);
  } catch (cause) {
    throw unreadable(field, 'descriptor cannot be read', cause);
  } finally {
    buffer.fill(0);
  }
}

const unreadable = (field: string, what: string, cause?: unknown): CompanionError =>
  badField(field, what, `The ${field} ${what}.`, 'INVALID_REQUEST', cause);
