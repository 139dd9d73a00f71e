import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Teardown } from './childProcess.ts';

/** A folder of the test's own, removed when it ends. */
export function temporaryFolder(t: Teardown): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
