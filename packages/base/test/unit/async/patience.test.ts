import test from 'ava';
import { PATIENCE_MS, Patience } from '../../../src/async/after.ts';
import { Waits } from '../../helpers/waits.ts';

const never = new Promise<never>(() => undefined);

test('an answer in time is given, and so is a failure', async (t) => {
  const waits = new Waits();
  const patience = new Patience(PATIENCE_MS, waits.after);
  t.is(await patience.within(() => Promise.resolve(1)), 1);
  await t.throwsAsync(
    patience.within(() => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.is(await patience.within(() => Promise.resolve(2)), 2);
  t.is(waits.open, 0);
});

test('the wait lasts as long as requested', async (t) => {
  const asked: number[] = [];
  for (const patience of [
    new Patience(7, (ms, strike) => {
      asked.push(ms);
      setImmediate(strike);
      return () => undefined;
    }),
    new Patience(1),
  ]) {
    t.is(await patience.within(() => never), undefined);
  }
  t.deepEqual(asked, [7]);
});

test('a wait that times out gives nothing, and no new call starts until the answer is there', async (t) => {
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
    const waits = new Waits();
    const patience = new Patience(PATIENCE_MS, waits.after);
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const late = patience.within(() => held.then(settle));
    waits.end();
    t.is(await late, undefined);
    waits.begin();
    end();
    await new Promise(setImmediate);
    t.is(await patience.within(() => Promise.resolve('next')), 'next');
  });
}

test('stored blocks are gone on with well before a call is given up', (t) => {
  t.true(PATIENCE_MS <= 3_000);
});
