// The example extension as its author would load it: unpacked, with the client beside it, and an id that stays because
// the manifest has a key.

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const EXAMPLE = path.join('docs', 'examples', 'extension');
const CLIENT = path.join('packages', 'client', 'dist', 'src');

interface Manifest {
  readonly key: string;
  readonly [name: string]: unknown;
}

/** Chromium's name for a public key: its digest, with letters for digits. */
function idOf({ key }: Manifest): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  return [...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('');
}

export interface Unpacked {
  readonly folder: string;
  readonly origin: string;
}

/** `more`: what the manifest has besides; with another key it is another extension. */
export function unpackExtension(
  folder: string,
  companionUrl: string,
  more: Readonly<Record<string, unknown>> = {},
): Unpacked {
  mkdirSync(folder);
  cpSync(EXAMPLE, folder, { recursive: true });
  // As docs/extensions.md has it.
  cpSync(CLIENT, path.join(folder, 'wallet-companion'), { recursive: true });
  writeFileSync(path.join(folder, 'settings.js'), `export const COMPANION_URL = '${companionUrl}';\n`);
  const file = path.join(folder, 'manifest.json');
  const manifest = { ...(JSON.parse(readFileSync(file, 'utf8')) as Manifest), ...more } as Manifest;
  writeFileSync(file, JSON.stringify(manifest));
  return { folder, origin: `chrome-extension://${idOf(manifest)}` };
}

export const loading = (extensions: readonly Unpacked[]): readonly string[] => [
  `--load-extension=${extensions.map(({ folder }) => folder).join()}`,
  '--disable-features=DisableLoadExtensionCommandLineSwitch',
];
