// What was found out about the wide kernel on this machine. Nothing in it is secret, and all of it can be lost.

import fs from 'node:fs';
import path from 'node:path';
import { replaceFile } from '@wallet-companion/disk/files';
import * as z from 'zod';
import { KERNEL_FILE } from './dataFiles.ts';

const MAX_SIZE = 4_096;

const RECORD = z.strictObject({
  /** The build, the engine and the processor that were tested. */
  tested: z.string(),
  /** Why the build is not used; null where it is. */
  fault: z.string().nullable(),
});
export type KernelRecord = z.infer<typeof RECORD>;

export function kernelFile(configDir: string) {
  const file = path.join(configDir, KERNEL_FILE);
  return {
    /** Undefined where there is none that can be read. */
    read(): KernelRecord | undefined {
      try {
        const stats = fs.lstatSync(file);
        if (!stats.isFile() || stats.size > MAX_SIZE) return undefined;
        return RECORD.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
      } catch {
        return undefined;
      }
    },
    /** Where it cannot be written, the next start tests again. */
    async write(record: KernelRecord): Promise<void> {
      try {
        await replaceFile(file, new TextEncoder().encode(`${JSON.stringify(record)}\n`));
      } catch {
        // As if it had been lost.
      }
    },
  };
}
