import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Everything below a folder with kind, rights, size, time and content: two that are equal say that nothing was touched.
 */
export function fileTree(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return ['', ...names].map((name) => {
    const file = path.join(folder, name);
    const { mode, uid, nlink, size, mtimeNs, ctimeNs } = fs.lstatSync(file, { bigint: true });
    const content = fs.lstatSync(file).isFile()
      ? createHash('sha256').update(fs.readFileSync(file)).digest('hex')
      : '';
    return [name, mode.toString(8), uid, nlink, size, mtimeNs, ctimeNs, content].join(' ');
  });
}
