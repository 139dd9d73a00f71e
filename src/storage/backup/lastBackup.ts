// When everything was last backed up from this data directory. It can be lost: then the companion only reminds again.

import fs from 'node:fs';
import path from 'node:path';
import { replaceFile } from '@wallet-companion/disk/files';
import * as z from 'zod';
import { BACKUP_RECORD_FILE } from '../files/dataFiles.ts';

const MAX_SIZE = 1_000;
const schema = z.object({ last_backup_at: z.iso.datetime() });

export function lastBackup(dataDir: string) {
  const file = path.join(dataDir, BACKUP_RECORD_FILE);
  return {
    /** Null where there was none, or the file cannot be read. */
    read(): string | null {
      try {
        if (fs.statSync(file).size > MAX_SIZE) return null;
        return schema.parse(JSON.parse(fs.readFileSync(file, 'utf8'))).last_backup_at;
      } catch {
        return null;
      }
    },
    /** Throws errors of the file system. */
    write: (at: Date): Promise<void> =>
      replaceFile(
        file,
        new TextEncoder().encode(`${JSON.stringify({ last_backup_at: at.toISOString() })}\n`),
      ),
  };
}
