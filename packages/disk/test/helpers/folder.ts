import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ExecutionContext } from 'ava';

/** An empty folder of this test, 0700, reached without a link; removed with the test. */
export function temporaryFolder(t: Pick<ExecutionContext, 'teardown'>): string {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'wallet-companion-test-'));
  t.teardown(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every file below a folder with its bytes, by relative name. */
export function contentsOf(folder: string): Map<string, Buffer> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => fs.lstatSync(path.join(folder, name)).isFile());
  return new Map(files.map((name) => [name, fs.readFileSync(path.join(folder, name))]));
}

/** The same as digests: short when a comparison fails. */
export const fingerprintsOf = (folder: string): Map<string, string> =>
  new Map(
    [...contentsOf(folder)].map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]),
  );

export const permissions = (file: string): number => fs.statSync(file).mode & 0o777;
