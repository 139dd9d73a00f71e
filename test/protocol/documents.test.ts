import { readFileSync } from 'node:fs';
import test from 'ava';
import { apiReference } from '../../src/protocol/apiReference.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { httpErrors, openApiDocument } from '../../src/protocol/openapi.ts';
import { operationNames, operations } from '../../src/protocol/operations.ts';

const hint = 'run: npm run docs';

test('docs/openapi.json is what the table says', (t) => {
  const committed: unknown = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  t.deepEqual(committed, JSON.parse(JSON.stringify(openApiDocument())), hint);
});

test('docs/api.md is what the table says', (t) => {
  t.true(readFileSync('docs/api.md', 'utf8') === apiReference(), hint);
});

interface Document {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, unknown> }>>;
}

test('every operation documents every status it can answer with', (t) => {
  const { paths } = openApiDocument() as unknown as Document;
  for (const name of operationNames) {
    const { method, path } = operations[name].http;
    const responses = Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number);
    const statuses = new Set<number>([
      operations[name].http.status ?? 200,
      ...httpErrors(name).map((code) => ERRORS[code].status),
    ]);
    t.deepEqual(responses.sort(), [...statuses].sort(), name);
  }
});
