import test from 'ava';
import { PATIENCE_MS, Patience } from '../../src/chain/patience.ts';

const never = new Promise<never>(() => undefined);

test('an answer in time is given, and so is a failure', async (t) => {
  const patience = new Patience(60_000);
  t.is(await patience.within(() => Promise.resolve(1)), 1);
  await t.throwsAsync(
    patience.within(() => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.is(await patience.within(() => Promise.resolve(2)), 2);
});

test('who waits too long gets nothing, and until the answer is there nobody asks again', async (t) => {
  const patience = new Patience(1);
  let asked = 0;
  const ask = (): Promise<never> => {
    asked++;
    return never;
  };
  t.is(await patience.within(ask), undefined);
  t.is(await patience.within(ask), undefined);
  t.is(asked, 1);
});

for (const [how, settle] of [
  ['with an answer', () => Promise.resolve('late')],
  ['with a failure', () => Promise.reject(new Error('late'))],
] as const) {
  test(`once the question has ended ${how}, the next one is asked`, async (t) => {
    const patience = new Patience(1);
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    t.is(await patience.within(() => held.then(settle)), undefined);
    end();
    await new Promise(setImmediate);
    t.is(await patience.within(() => Promise.resolve('next')), 'next');
  });
}

test('stored blocks are gone on with well before a call is given up', (t) => {
  t.true(PATIENCE_MS <= 3_000);
});
