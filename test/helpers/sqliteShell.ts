// The `sqlite3` command line tool, which is not ours: what it reads in a file is what anybody's tools read there.
import { spawnSync } from 'node:child_process';

export const hasSqliteShell = (): boolean => spawnSync('sqlite3', ['-version']).status === 0;

/** Height and bytes of every block in a compact store, ascending; the companion may have it open. */
export function blocksBySqliteShell(file: string): { height: number; data: string }[] {
  const query = 'SELECT height, lower(hex(data)) FROM compactblocks ORDER BY height';
  const { status, stdout, stderr } = spawnSync('sqlite3', ['-readonly', '-separator', ' ', file, query], {
    encoding: 'utf8',
    maxBuffer: 256 * 2 ** 20,
  });
  if (status !== 0) throw new Error(`sqlite3 failed: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [height = '', data = ''] = line.split(' ');
      return { height: Number(height), data };
    });
}
