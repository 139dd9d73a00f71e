// What an example cannot show of an answer: which members may be null or missing, and what those mean that do not speak
// for themselves.

import * as z from 'zod';
import * as field from './fields.ts';
import { type OperationName, operations } from './operations.ts';

export interface AnswerField {
  /** As in `notes[].spent.height`. */
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

/** What the introduction says of all of them. */
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
