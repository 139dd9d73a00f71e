// The hand-written pages against what they describe.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { ERRORS } from '../src/protocol/errors.ts';
import { CONFIG_KEYS } from '../src/storage/config/configValues.ts';

const pages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((file) =>
  file.endsWith('.md'),
);

const operations = readFileSync('docs/operations.md', 'utf8');

/** First cells of the rows of every table. */
const rowNames = (text: string): string =>
  [...text.matchAll(/^\|([^|]*)\|/gm)].map(([, cell]) => cell).join();

test('links between the pages lead somewhere', (t) => {
  for (const page of pages) {
    for (const [, target = ''] of readFileSync(page, 'utf8').matchAll(/\]\(([^)#]+)/g)) {
      if (/^https?:/.test(target)) continue;
      t.true(existsSync(path.join(path.dirname(page), target)), `${page} links to ${target}`);
    }
  }
});

test('docs/operations.md has every key of config.json', (t) => {
  const rows = rowNames(operations);
  t.deepEqual(
    CONFIG_KEYS.filter((key) => !rows.includes(`\`${key}\``)),
    [],
  );
});

test('docs/operations.md says what to do about every error', (t) => {
  const rows = rowNames(operations);
  // These come from a mistaken call, and their text says what is wrong with it.
  const obvious = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'];
  const left = Object.keys(ERRORS).filter(
    (code) => !code.startsWith('INVALID_') && !obvious.includes(code) && !rows.includes(`\`${code}\``),
  );
  t.deepEqual(left, []);
});
