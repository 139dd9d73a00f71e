// What the example of an answer cannot show: which members may be null or missing, and what a member means when its
// name does not explain it.

import * as z from 'zod';
import * as field from '../../src/protocol/fields.ts';
import { type OperationName, operations } from '../../src/protocol/operations.ts';

export interface AnswerField {
  /** The member's path, for example `notes[].spent.height`. */
  readonly path: string;
  readonly mayBeNull: boolean;
  readonly mayBeMissing: boolean;
  readonly description: string;
}

interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Descriptions that the introduction of docs/api.md already contains, so the pages do not repeat them. */
const COMMON: readonly (string | undefined)[] = [
  field.account,
  field.pool,
  field.zatoshi,
  field.time,
  field.displayHash,
  field.elapsedMs,
].map(({ description }) => description);

export const answerFields = (name: OperationName): readonly AnswerField[] =>
  membersOf(z.toJSONSchema(operations[name].output) as Schema, '');

function membersOf(schema: Schema, before: string): readonly AnswerField[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => membersOf(one, before));
  if (schema.items !== undefined) return membersOf(schema.items, `${before}[]`);
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const path = before === '' ? key : `${before}.${key}`;
    const own: AnswerField = {
      path,
      mayBeNull: isNullable(member),
      mayBeMissing: !required.has(key),
      description: descriptionOf(member),
    };
    const says = own.mayBeNull || own.mayBeMissing || own.description !== '';
    return [...(says ? [own] : []), ...membersOf(member, path)];
  });
}

const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
  type === 'null' || (Array.isArray(type) && type.includes('null')) || anyOf.some(isNullable);

const descriptionOf = ({ description = '' }: Schema): string =>
  COMMON.includes(description) ? '' : description;
