// What `prover` and `signer` may hold. Each names a program to run, so it can be set in the file alone.

import * as z from 'zod';
import type { ProgramSetting } from '../../programs/programRun.ts';
import { DEFAULT_PROGRAM_SECONDS } from '../../protocol/pcztPrograms.ts';
import { command } from './commandValues.ts';

const MAX_SECONDS = 24 * 3600;
const DEFAULT_MB = 4096;
const MAX_MB = 1024 * 1024;

export const pcztProgram: z.ZodType<ProgramSetting> = z.strictObject({
  command,
  timeout_seconds: z.int().min(1).max(MAX_SECONDS).default(DEFAULT_PROGRAM_SECONDS),
  max_memory_mb: z.int().min(64).max(MAX_MB).default(DEFAULT_MB),
});
