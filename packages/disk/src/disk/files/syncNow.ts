// What is written to a file, or the names in a folder, made durable before the next step.
import fs from 'node:fs';

/** Throws errors of the file system. */
export function syncNow(file: string, flags: 'r' | 'r+'): void {
  const descriptor = fs.openSync(file, flags);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
