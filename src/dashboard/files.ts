// The files of the dashboard, read once: the same over HTTP and in the desktop window. No other file on the disk can be
// requested.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DashboardFile {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

/**
 * Allows only the companion's own files: no inline script or style, no markup from text (Trusted Types without a
 * policy). Frames, forms and other addresses are forbidden, so even an injected script could send nothing away. Images
 * are only those that the page itself draws.
 */
export const DASHBOARD_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The folder that mirrors the compiled tree, so that the modules' relative imports work. */
const MODULES = '/modules/';
const FOLDERS = ['dashboard/page', 'dashboard/model'];
/** What the pages load from the program's other folders. */
const SHARED = ['protocol/hiddenCharacters.js'];
/** What they load from packages: the client, and the block times. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  client: [
    'client/client.js',
    'client/events.js',
    'client/syncToTip.js',
    'contract/companionAddress.js',
    'contract/errors.js',
    'contract/eventMessages.js',
    'contract/generated/routes.js',
    'contract/httpRequest.js',
    'contract/pathMembers.js',
    'contract/problem.js',
    'contract/upToDate.js',
    'contract/walletNames.js',
    'doors/contract.js',
    'doors/index.js',
  ],
  shielded: [
    'doors/blockTimes.js',
    'shielded/blockSpacing.js',
    'shielded/blockTimes.js',
    'shielded/blockTimeTable.js',
    'shielded/bytes.js',
    'shielded/identifiers.js',
    'shielded/network.js',
  ],
};
/** The folder beside it that mirrors the compiled packages. */
const PACKAGE_MODULES = 'package/';
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const compiled = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const resolved = (module: string): string => fileURLToPath(import.meta.resolve(module));
const packageRoot = (name: string): string =>
  path.join(path.dirname(resolved(`@wallet-companion/${name}/package.json`)), 'dist', 'src');
const DOOR = /'@wallet-companion\/(\w+)(\/\w+)?'/g;

/** Browsers cannot resolve packages: an import of one of a package's entries becomes the path of the served file. */
function withPlaces(name: string, text: string): string {
  return text.replaceAll(DOOR, (_, of: string, door = '') => {
    const place = path
      .relative(packageRoot(of), resolved(`@wallet-companion/${of}${door}`))
      .replaceAll('\\', '/');
    return `'${path.posix.relative(path.posix.dirname(name), `${PACKAGE_MODULES}${of}/${place}`)}'`;
  });
}

/** The files by path. The page is at `/`. */
export function readDashboard(): ReadonlyMap<string, DashboardFile> {
  const listed = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(compiled, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  );
  const files = new Map<string, DashboardFile>();
  const places = [
    ...[...listed, ...SHARED].map((name) => [name, path.join(compiled, name)] as const),
    ...Object.entries(PACKAGES).flatMap(([of, names]) =>
      names.map((name) => [`${PACKAGE_MODULES}${of}/${name}`, path.join(packageRoot(of), name)] as const),
    ),
  ];
  for (const [name, place] of places) {
    const type = TYPES[/\.([a-z]+)$/.exec(name)?.[1] ?? ''];
    if (type === undefined) continue;
    const body = Buffer.from(withPlaces(name, readFileSync(place, 'utf8')));
    files.set(MODULES + name, fileOf(type, body));
  }
  const page = files.get(`${MODULES}dashboard/page/index.html`);
  if (page !== undefined) files.set('/', page);
  files.delete(`${MODULES}dashboard/page/index.html`);
  return files;
}

function fileOf(type: string, body: Buffer): DashboardFile {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { type, body, etag: `"${digest}"` };
}
