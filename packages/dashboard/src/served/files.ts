// The files of the dashboard, read once: the same over HTTP and in the desktop window. No other file on the disk can be
// requested.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

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

/** What a build makes of `page/`, by where it is served. */
const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/dashboard/main.js': ['main.js', 'text/javascript; charset=utf-8'],
  '/dashboard/style.css': ['style.css', 'text/css; charset=utf-8'],
  '/dashboard/icon.svg': ['icon.svg', 'image/svg+xml'],
} as const;

export function readDashboard(): ReadonlyMap<string, DashboardFile> {
  return new Map(
    Object.entries(FILES).map(([served, [name, type]]) => {
      const body = readFileSync(new URL(`../../page/${name}`, import.meta.url));
      const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
      return [served, { type, body, etag: `"${digest}"` }];
    }),
  );
}
