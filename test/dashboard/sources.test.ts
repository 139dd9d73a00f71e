// What the pages are made of: no way to turn text into markup or code, and nothing that is not served.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { DASHBOARD_POLICY, readDashboard } from '../../src/dashboard/files.ts';

const sources = ['page', 'model']
  .flatMap((folder) => {
    const root = path.join('src', 'dashboard', folder);
    return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => path.join(root, name));
  })
  .filter((file) => /\.(?:ts|html|svg|css)$/.test(file));

/** Sinks that take text as markup or code, and places that outlive the page. */
const FORBIDDEN = [
  /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|setHTML/,
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

test('every module that a page loads is served, and of the client no more than that', (t) => {
  const loaded = new Set<string>();
  const load = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    const text = files.get(name)?.body.toString('utf8');
    if (text === undefined) return void t.fail(`${name} is not served`);
    for (const [, from, to = from ?? ''] of text.matchAll(
      /^(?:import|export) [^;'"=]*?from '([^']+)'|^import '([^']+)'/gm,
    )) {
      t.true(to.startsWith('.'), `${name} loads ${to}`);
      load(path.posix.join(path.posix.dirname(name), to));
    }
    for (const [, to] of text.matchAll(/(?:src|href)="(modules\/[^"]+)"/g)) load(`/${to}`);
  };
  load('/');
  const others = [...files.keys()].filter((name) => !name.startsWith('/modules/dashboard/'));
  t.deepEqual(
    others.filter((name) => !loaded.has(name)),
    [],
  );
  t.deepEqual(others.filter((name) => name.startsWith('/modules/package/shielded/')).sort(), [
    '/modules/package/shielded/doors/blockTimes.js',
    '/modules/package/shielded/shielded/blockSpacing.js',
    '/modules/package/shielded/shielded/blockTimeTable.js',
    '/modules/package/shielded/shielded/blockTimes.js',
    '/modules/package/shielded/shielded/bytes.js',
    '/modules/package/shielded/shielded/identifiers.js',
    '/modules/package/shielded/shielded/network.js',
  ]);
});

test('the policy lets in nothing but our own files', (t) => {
  const rules = new Map(DASHBOARD_POLICY.split('; ').map((rule) => rule.split(' ', 2) as [string, string]));
  t.is(rules.get('default-src'), "'none'");
  for (const [name, value] of rules)
    t.true(["'none'", "'self'", "'script'"].includes(value), `${name} ${value}`);
  t.notRegex(DASHBOARD_POLICY, /unsafe|data:|blob:|\*|http/);
});
