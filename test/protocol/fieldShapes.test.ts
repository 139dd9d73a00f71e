// What surfaces are told of lists.

import test from 'ava';
import { fieldShapes } from '../../scripts/generate/fieldShapes.ts';

const shape = (name: string) => fieldShapes('payments.prepare').find((field) => field.name === name);

test('a list of names says which there are', (t) => {
  t.is(shape('pools')?.type, 'array');
  t.deepEqual(shape('pools')?.choices, ['sapling', 'orchard', 'ironwood']);
  t.is(shape('pools')?.members, undefined);
});

test('a list of objects says what each has', (t) => {
  t.is(shape('recipients')?.type, 'array');
  t.is(shape('recipients')?.choices, undefined);
  t.deepEqual(
    shape('recipients')?.members?.map(({ name, required }) => [name, required]),
    [
      ['address', false],
      ['contact', false],
      ['amount', false],
      ['zatoshi', false],
      ['memo', false],
    ],
  );
});
