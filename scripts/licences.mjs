// The licences of bundled packages require their text.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders of the packages of others in a bundle, by what esbuild says of it. */
export const packagesIn = ({ inputs }) =>
  [
    ...new Set(
      Object.keys(inputs).flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
    ),
  ].sort();

export function licencesOf(folders) {
  const licences = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
    const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
