// The example extension as its author would load it: unpacked, with the client beside it, and an id that stays because
// the manifest has a key.

import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
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

/** What the manifest has besides. */
export type Changes = Readonly<Record<string, unknown>>;

function unpack(folder: string, companionUrl: string, changes: Changes): Manifest {
  mkdirSync(folder);
  cpSync(EXAMPLE, folder, { recursive: true });
  // As docs/extensions.md has it.
  cpSync(CLIENT, path.join(folder, 'wallet-companion'), { recursive: true });
  writeFileSync(path.join(folder, 'settings.js'), `export const COMPANION_URL = '${companionUrl}';\n`);
  const file = path.join(folder, 'manifest.json');
  const manifest = { ...(JSON.parse(readFileSync(file, 'utf8')) as Manifest), ...changes } as Manifest;
  writeFileSync(file, JSON.stringify(manifest));
  return manifest;
}

const freshKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64');

/** For Chromium. With another name it is another extension. */
export function unpackExtension(folder: string, companionUrl: string, changes: Changes = {}): Unpacked {
  const own = 'name' in changes ? { key: freshKey() } : {};
  const manifest = unpack(folder, companionUrl, { ...changes, ...own });
  return { folder, origin: `chrome-extension://${idOf(manifest)}` };
}

export const loading = (extensions: readonly Unpacked[]): readonly string[] => [
  `--load-extension=${extensions.map(({ folder }) => folder).join()}`,
  '--disable-features=DisableLoadExtensionCommandLineSwitch',
];

export interface AddOn extends Unpacked {
  /** What its author calls it; the origin has a name that each installation draws. */
  readonly id: string;
  readonly installation: string;
}

/** For Firefox. */
export function unpackAddOn(folder: string, companionUrl: string, changes: Changes = {}): AddOn {
  const id = `${path.basename(folder)}@companion.example`;
  const installation = randomUUID();
  unpack(folder, companionUrl, { ...changes, browser_specific_settings: { gecko: { id } } });
  return { folder, id, installation, origin: `moz-extension://${installation}` };
}

/** The preference with which Firefox draws these names. */
export const drawing = (addOns: readonly AddOn[]): Readonly<Record<string, string>> => ({
  'extensions.webextensions.uuids': JSON.stringify(
    Object.fromEntries(addOns.map(({ id, installation }) => [id, installation])),
  ),
});
