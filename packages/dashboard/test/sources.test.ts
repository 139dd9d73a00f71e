// What the pages are made of: no way to turn text into markup or code, and nothing that is not served.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { DASHBOARD_POLICY, readDashboard } from '../src/doors/index.ts';

const sources = ['page', 'model']
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

test('no page turns text into markup or code, keeps anything, or names another address', (t) => {
  t.true(sources.length > 30);
  for (const file of sources) {
    const text = readFileSync(file, 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
    for (const pattern of FORBIDDEN) t.notRegex(text, pattern, file);
  }
});

const files = readDashboard();

test('what the page loads is served, and nothing else', (t) => {
  const page = files.get('/')!.body.toString('utf8');
  const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => `/${name}`);
  t.deepEqual([...files.keys()].sort(), ['/', ...loaded].sort());
});

test('the script stays small, and the styles load nothing more', (t) => {
  const script = files.get('/dashboard/main.js')!.body;
  const styles = files.get('/dashboard/style.css')!.body.toString('utf8');
  t.true(gzipSync(script).length < 75_000, `${gzipSync(script).length} bytes`);
  t.false(/@import|url\(/.test(styles));
});

test('the policy lets in nothing but our own files', (t) => {
  const rules = new Map(DASHBOARD_POLICY.split('; ').map((rule) => rule.split(' ', 2) as [string, string]));
  t.is(rules.get('default-src'), "'none'");
  for (const [name, value] of rules)
    t.true(["'none'", "'self'", "'script'"].includes(value), `${name} ${value}`);
  t.notRegex(DASHBOARD_POLICY, /unsafe|data:|blob:|\*|http/);
});
