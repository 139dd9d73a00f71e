// A program and its arguments, as an array: no shell reads it.

import path from 'node:path';
import * as z from 'zod';

const MAX_WORDS = 64;
export const MAX_WORD_LENGTH = 4096;

export const word = z
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
