// What the pages are made of: no way to turn text into markup or code, and nothing that is not served.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { readDashboard } from '../src/doors/index.ts';

const sources = ['page', 'model', 'texts']
  .flatMap((folder) => {
    const root = path.resolve(import.meta.dirname, '../../src', folder);
    return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => path.join(root, name));
  })
  .filter((file) => /\.(?:tsx?|html|svg|css)$/.test(file));

/** Sinks that take text as markup or code, and places that outlive the page. */
const FORBIDDEN = [
  /innerHTML|dangerouslySet|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|setHTML/,
  /\beval\b|new Function|javascript:|import\(/,
  /\bstyle=|'style':|\bon\w+="/,
  /localStorage|sessionStorage|indexedDB|document\.cookie|caches\.|serviceWorker|pushState|replaceState/,
  /https?:\/\/(?!www\.w3\.org\/2000\/svg)/,
];

/** The address then has less than before. */
const TAKES_CODE_AWAY = "history.replaceState(null, '', location.pathname + rest);";

test('no page turns text into markup or code, keeps anything, or names another address', (t) => {
  t.true(sources.length > 30);
  for (const file of sources) {
    const text = readFileSync(file, 'utf8')
      .replaceAll(/^\s*\/\/.*$/gm, '')
      .replaceAll(TAKES_CODE_AWAY, '');
    for (const pattern of FORBIDDEN) t.notRegex(text, pattern, file);
  }
});

const files = readDashboard();

const SCANNER = '/dashboard/scanner.js';
const WORKER_LOADS = '/dashboard/zxing.wasm';

test('what the pages load is served, and nothing else', (t) => {
  const pages = ['/', '/device'];
  const loaded = pages.flatMap((page) =>
    [
      ...files
        .get(page)!
        .body.toString('utf8')
        .matchAll(/(?:src|href)="([^"]+)"/g),
    ].map(([, name]) => `/${name}`),
  );
  const worker = /["'`](dashboard\/\w+\.js)["'`]/.exec(
    files.get('/dashboard/device.js')!.body.toString('utf8'),
  )?.[1];
  t.deepEqual(
    [...files.keys()].sort(),
    [...new Set([...pages, ...loaded, `/${worker}`, WORKER_LOADS])].sort(),
  );
});

/** Bytes that a browser receives at most. */
const SIZES = {
  '/dashboard/main.js': 136_000,
  // Loaded where a device or the camera is used.
  '/dashboard/device.js': 72_000,
  [SCANNER]: 36_000,
  [WORKER_LOADS]: 450_000,
};

test('the scripts stay small, and the styles load nothing more', (t) => {
  for (const [path, most] of Object.entries(SIZES)) {
    const { length } = gzipSync(files.get(path)!.body);
    t.true(length < most, `${path}: ${length} bytes`);
  }
  const styles = files.get('/dashboard/style.css')!.body.toString('utf8');
  t.false(/@import|url\(/.test(styles));
});

const DEVICE_PAGE = '/device';

test('the policies let in nothing but our own files', (t) => {
  for (const [path, { policy }] of files) {
    const mayCompile = policy.includes(" 'wasm-unsafe-eval'");
    t.is(mayCompile, path === SCANNER);
    const rules = new Map(policy.split('; ').map((rule) => rule.split(' ', 2) as [string, string]));
    t.is(rules.get('default-src'), "'none'");
    t.is(rules.get('trusted-types'), path === DEVICE_PAGE ? 'scanner' : "'none'", path);
    rules.delete('trusted-types');
    for (const [name, value] of rules)
      t.true(["'none'", "'self'", "'script'"].includes(value), `${path} ${name} ${value}`);
    t.notRegex(policy.replace(" 'wasm-unsafe-eval'", ''), /unsafe|data:|blob:|\*|http/);
  }
});

test('one page may use camera and USB devices, and no page anything else of the machine', (t) => {
  for (const [path, { permissions }] of files) {
    const devices = path === DEVICE_PAGE ? '(self)' : '()';
    t.is(
      permissions,
      `camera=${devices}, hid=${devices}, microphone=(), geolocation=(), usb=(), serial=()`,
      path,
    );
  }
});
