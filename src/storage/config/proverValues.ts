// What `prover` may hold. It names a program to run, so it can be set in the file alone.

import * as z from 'zod';
import type { ProverSetting } from '../../protocol/prover.ts';
import { command } from './commandValues.ts';

/** Two actions take half a minute of two processors, 32 in two pools some ten minutes. */
const DEFAULT_SECONDS = 600;
const MAX_SECONDS = 24 * 3600;
const DEFAULT_MB = 4096;
const MAX_MB = 1024 * 1024;

export const prover: z.ZodType<ProverSetting> = z.strictObject({
  command,
  timeout_seconds: z.int().min(1).max(MAX_SECONDS).default(DEFAULT_SECONDS),
  max_memory_mb: z.int().min(64).max(MAX_MB).default(DEFAULT_MB),
});
