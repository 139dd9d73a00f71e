// The files of the dashboard, read once: over HTTP and in the desktop window the same, and nothing of the disk beyond
// this list can be asked for.

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
 * Nothing but our own files, no inline script or style, no markup made of text (Trusted Types without a policy). Frames,
 * forms and other addresses are out, so that even a script that got in could send nothing away. Pictures are those that
 * the page itself draws.
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

/** Where the compiled tree is mirrored, so that the modules find each other. */
const MODULES = '/modules/';
const FOLDERS = ['dashboard/page', 'dashboard/model'];
/** What the pages load from outside their folders: the client, and what it needs. */
const SHARED = [
  'client/client.js',
  'client/events.js',
  'client/generated/routes.js',
  'client/syncToTip.js',
  'protocol/companionAddress.js',
  'protocol/errors.js',
  'protocol/eventMessages.js',
  'protocol/hiddenCharacters.js',
  'protocol/httpRequest.js',
  'protocol/pathMembers.js',
  'protocol/problem.js',
  'protocol/upToDate.js',
  'protocol/walletNames.js',
  'shielded/blockSpacing.js',
  'shielded/blockTimes.js',
  'shielded/blockTimeTable.js',
  'shielded/bytes.js',
  'shielded/identifiers.js',
  'shielded/network.js',
];
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const compiled = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** By path. The page is at `/`. */
export function readDashboard(): ReadonlyMap<string, DashboardFile> {
  const listed = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(compiled, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  );
  const files = new Map<string, DashboardFile>();
  for (const name of [...listed, ...SHARED]) {
    const type = TYPES[/\.([a-z]+)$/.exec(name)?.[1] ?? ''];
    if (type !== undefined) files.set(MODULES + name, fileOf(type, readFileSync(path.join(compiled, name))));
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
