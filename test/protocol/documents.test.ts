// What is made from the table, for people and for programs.

import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { answerFields } from '../../scripts/generate/answerFields.ts';
import { referencePages } from '../../scripts/generate/apiReference.ts';
import { bindingFiles } from '../../scripts/generate/bindings.ts';
import { COMMANDS_FILE, commandsSource } from '../../scripts/generate/commandTable.ts';
import { httpErrors, openApiDocument } from '../../scripts/generate/openapi.ts';
import { PLAIN_TYPES_FILE, plainTypesSource } from '../../scripts/generate/plainTypes.ts';
import { ROUTES_FILE, routesSource } from '../../scripts/generate/routeTable.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { type HttpOnlyRoute, httpOnlyPaths, httpOnlyRoutes } from '../../src/protocol/httpOnly.ts';
import { operationNames, operations } from '../../src/protocol/operations.ts';

test('docs/api.md and the pages in docs/api are what the table says (npm run generate)', (t) => {
  const pages = referencePages();
  for (const [page, text] of pages) t.true(readFileSync(page, 'utf8') === text, page);
  const committed = readdirSync('docs/api').map((name) => `docs/api/${name}`);
  t.deepEqual(
    committed.filter((page) => !pages.has(page)),
    [],
  );
});

test('what the build made is what the table says', (t) => {
  const made = [
    ...bindingFiles(),
    [ROUTES_FILE, routesSource()],
    [COMMANDS_FILE, commandsSource()],
    [PLAIN_TYPES_FILE, plainTypesSource()],
    ['docs/openapi.json', `${JSON.stringify(openApiDocument(), undefined, 2)}\n`],
  ] as const;
  for (const [file, text] of made) t.true(readFileSync(file, 'utf8') === text, file);
});

interface Described {
  readonly responses: Record<string, unknown>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Document {
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: { readonly securitySchemes: object };
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

test('every operation and route says which grants reach it, each of its scopes by itself', (t) => {
  const { paths, components } = openApiDocument() as unknown as Document;
  t.like(components.securitySchemes, { grant: { type: 'http', scheme: 'bearer' } });
  const scopesOf = (path: string, method: string): readonly string[] =>
    paths[path]![method]!.security.flatMap(({ grant }) => (grant === undefined ? [] : [grant.join()]));
  for (const name of operationNames) {
    const { http, reach } = operations[name];
    const expected = typeof reach === 'string' ? [] : [...reach];
    t.deepEqual(scopesOf(http.path, http.method.toLowerCase()), expected, name);
  }
  for (const path of httpOnlyPaths) {
    const { reach } = httpOnlyRoutes[path] as HttpOnlyRoute;
    t.deepEqual(scopesOf(path, 'get'), typeof reach === 'string' ? [] : [...reach], path);
  }
});

test('the reference leaves out of an answer only what the answer that it links to has', (t) => {
  const sections = new Map<string, string>();
  for (const text of referencePages().values())
    for (const section of text.split('\n## ')) sections.set(section.split('\n')[0] ?? '', section);
  const withLinked = (name: string): string => {
    const own = sections.get(name) ?? '';
    const linked = [...own.matchAll(/^(?:Answer|Other members).*: as .*\[([\w.]+)\]\(#/gm)];
    return own + linked.map(([, other = '']) => withLinked(other)).join('');
  };
  let left = 0;
  for (const name of operationNames)
    for (const { path, description } of answerFields(name)) {
      const rest = `${/[^.]+$/.exec(path)?.[0] ?? path}\` |`;
      const hasRow = (text: string): boolean =>
        text
          .split('\n')
          .some((line) => line.includes(rest) && line.includes(description.replaceAll('|', '\\|')));
      t.true(hasRow(withLinked(name)), `${name}: ${path}`);
      if (!hasRow(sections.get(name) ?? '')) left += 1;
    }
  t.true(left > 100);
});
