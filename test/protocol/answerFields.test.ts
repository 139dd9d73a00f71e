// What the reference says of answers is what their schemas let through.
import test from 'ava';
import { type AnswerField, answerFields } from '../../scripts/generate/answerFields.ts';
import { examples } from '../../scripts/generate/examples.ts';
import { operationNames, operations } from '../../src/protocol/operations.ts';

type Holder = Record<string, unknown>;

/** The object that has the member, in a copy of the answer; undefined where the example has none. */
function holderOf(answer: unknown, { path }: AnswerField): readonly [Holder, string] | undefined {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let at: unknown = answer;
  for (const step of steps) {
    at = (at as Holder | null | undefined)?.[step.replaceAll('[]', '')];
    if (step.endsWith('[]')) at = (at as readonly unknown[] | null | undefined)?.[0];
  }
  return typeof at === 'object' && at !== null && last in at ? [at as Holder, last] : undefined;
}

for (const name of operationNames) {
  test(`${name}: what may be null or missing in its answer may be, and nothing else`, (t) => {
    const accepts = (
      change: (holder: Holder, key: string) => void,
      field: AnswerField,
    ): boolean | undefined => {
      const answer = structuredClone<unknown>(examples[name].output);
      const found = holderOf(answer, field);
      if (found === undefined) return undefined;
      change(...found);
      return operations[name].output.safeParse(answer).success;
    };
    const reported = new Map(answerFields(name).map((field) => [field.path, field]));
    const plain = Object.keys(examples[name].output)
      .filter((path) => !reported.has(path))
      .map((path) => ({ path, mayBeNull: false, mayBeMissing: false, description: '' }));
    for (const field of [...reported.values(), ...plain]) {
      const withNull = accepts((holder, key) => {
        holder[key] = null;
      }, field);
      const without = accepts((holder, key) => {
        delete holder[key];
      }, field);
      t.is(withNull ?? field.mayBeNull, field.mayBeNull, field.path);
      t.is(without ?? field.mayBeMissing, field.mayBeMissing, field.path);
    }
    t.pass();
  });
}
