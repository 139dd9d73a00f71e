// The reference in docs/api is what the doc comments say, and what can be called has one.

import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { packagePath } from './helpers/fixtures.ts';

const { apiPages, undocumented } = (await import(
  pathToFileURL(packagePath('scripts/apiPages.mjs')).href
)) as { apiPages(): ReadonlyMap<string, string>; undocumented(): readonly string[] };

test('the pages are up to date (npm run generate)', (t) => {
  const pages = apiPages();
  t.true(pages.size > 20);
  t.deepEqual(readdirSync(packagePath('docs/api')).sort(), [...pages.keys()].sort());
  for (const [name, text] of pages)
    t.true(readFileSync(packagePath(`docs/api/${name}`), 'utf8') === text, name);
});

test('every function and class of a door says what it does', (t) => {
  t.deepEqual(undocumented(), []);
});

test('the pages show no name of a door without its declaration, and each type once', (t) => {
  for (const [name, text] of apiPages()) {
    t.notRegex(text, /```ts\n\n?```/, name);
    const declared = [...text.matchAll(/^(?:interface|class) (\w+)/gm)].map(([, type]) => type);
    t.is(new Set(declared).size, declared.length, name);
  }
});
