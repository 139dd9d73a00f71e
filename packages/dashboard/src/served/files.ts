// The files of the dashboard, read once: the same over HTTP and in the desktop window. No other file on the disk can be
// requested.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface DashboardFile {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  /** Content security policy. */
  readonly policy: string;
  /** Permissions policy: what of the machine the page may use. */
  readonly permissions: string;
}

/**
 * Allows only the companion's own files: no inline script or style, no markup from text (Trusted Types, with at most the
 * named policies). Frames, forms and other addresses are forbidden, so even an injected script could send nothing away. Images
 * are only those that the page itself draws.
 */
const policy = (trustedTypes: string, scripts = "'self'"): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes}`,
  ].join('; ');

const permissions = (devices: string): string =>
  `camera=${devices}, hid=${devices}, microphone=(), geolocation=(), usb=(), serial=()`;

const DASHBOARD = { policy: policy("'none'"), permissions: permissions('()') };
/** Camera and USB devices are for this page alone. Its policy starts the worker that reads codes, by a fixed address. */
const DEVICES = { policy: policy('scanner'), permissions: permissions('(self)') };
/** The worker's own policy: it alone compiles WebAssembly, of our own files, which cannot make scripts. */
const SCANNER = { ...DASHBOARD, policy: policy("'none'", "'self' 'wasm-unsafe-eval'") };

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** What a build makes of `page/`, by where it is served. */
const FILES = {
  '/': ['index.html', HTML, DASHBOARD],
  '/dashboard/main.js': ['main.js', SCRIPT, DASHBOARD],
  '/dashboard/style.css': ['style.css', 'text/css; charset=utf-8', DASHBOARD],
  '/dashboard/icon.svg': ['icon.svg', 'image/svg+xml', DASHBOARD],
  '/dashboard/app.webmanifest': ['app.webmanifest', 'application/manifest+json', DASHBOARD],
  '/device': ['device.html', HTML, DEVICES],
  '/dashboard/device.js': ['device.js', SCRIPT, DASHBOARD],
  '/dashboard/scanner.js': ['scanner.js', SCRIPT, SCANNER],
  '/dashboard/zxing.wasm': ['zxing.wasm', 'application/wasm', DASHBOARD],
} as const;

export function readDashboard(): ReadonlyMap<string, DashboardFile> {
  return new Map(
    Object.entries(FILES).map(([served, [name, type, policies]]) => {
      const body = readFileSync(new URL(`../../page/${name}`, import.meta.url));
      const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
      return [served, { type, body, etag: `"${digest}"`, ...policies }];
    }),
  );
}
