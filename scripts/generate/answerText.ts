// The answer of an operation in the reference: an example, and a table of what the example cannot show. A page says
// nothing twice: where an operation above has the same example or the same rows, there is a link to it.

import { type OperationName, operations } from '../../src/protocol/operations.ts';
import { type AnswerField, answerFields } from './answerFields.ts';
import { examples } from './examples.ts';

export interface Linked {
  readonly name: OperationName;
  /** In Markdown. */
  readonly link: string;
}

/** Fewer rows are easier to read again than to look up. */
const ROWS_WORTH_A_LINK = 4;

/** `above`: the operations before it on the same page. */
export function answerText(name: OperationName, above: readonly Linked[]): readonly string[] {
  const same = above.find((one) => operations[one.name].output === operations[name].output);
  const example = exampleOf(name);
  if (same !== undefined && exampleOf(same.name) === example && example.includes('\n'))
    return [`Answer: as that of ${same.link}.`, ''];
  return ['Answer:', '', '```json', example, '```', '', ...tableLines(name, above)];
}

const exampleOf = (name: OperationName): string => JSON.stringify(examples[name].output, undefined, 2);

interface Shared {
  readonly link: string;
  /** Where these members are in this answer, and in that one: `''`, or a path with its dot. */
  readonly here: string;
  readonly there: string;
  readonly rows: readonly AnswerField[];
}

function tableLines(name: OperationName, above: readonly Linked[]): readonly string[] {
  let rows = answerFields(name);
  const links: string[] = [];
  for (let found = mostShared(rows, above); found !== undefined; found = mostShared(rows, above)) {
    const shared = found;
    rows = rows.filter((row) => !shared.rows.includes(row));
    links.push(linkLine(shared));
  }
  const table = rows.map(({ path, mayBeNull, mayBeMissing, description }) => {
    const may = [...(mayBeNull ? ['null'] : []), ...(mayBeMissing ? ['missing'] : [])].join(', ');
    return `| \`${path}\` | ${may} | ${description.replaceAll('|', '\\|')} |`;
  });
  return [
    ...(table.length === 0 ? [] : ['| of the answer | may be | meaning |', '|---|---|---|', ...table, '']),
    ...links.flatMap((line) => [line, '']),
  ];
}

const pathText = (before: string): string => `\`${before.slice(0, -1)}\``;

function linkLine({ link, here, there }: Shared): string {
  const which = here === '' ? 'Other members' : `Other members of ${pathText(here)}`;
  return `${which}: as in ${link}${there === here || there === '' ? '' : `, ${pathText(there)}`}.`;
}

function mostShared(rows: readonly AnswerField[], above: readonly Linked[]): Shared | undefined {
  let most: Shared | undefined;
  for (const { name, link } of above) {
    const theirs = answerFields(name);
    const known = new Set(theirs.map(keyOf));
    for (const here of beginnings(rows))
      for (const there of beginnings(theirs)) {
        const same = rows.filter(
          (row) =>
            row.path.startsWith(here) &&
            known.has(keyOf({ ...row, path: there + row.path.slice(here.length) })),
        );
        if (same.length >= ROWS_WORTH_A_LINK && same.length > (most?.rows.length ?? 0))
          most = { link, here, there, rows: same };
      }
  }
  return most;
}

const keyOf = (row: AnswerField): string => JSON.stringify(row);

/** `''`, and each path that has members, with its dot. */
const beginnings = (rows: readonly AnswerField[]): ReadonlySet<string> =>
  new Set([
    '',
    ...rows.flatMap(({ path }) => [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index + 1))),
  ]);
