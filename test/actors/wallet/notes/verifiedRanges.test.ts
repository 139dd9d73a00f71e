// Who verified each block, against a plain table of heights: whatever is scanned, scanned again and undone.

import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';
import { Blocks, World } from '../../../truth/support/world.ts';

const LENGTH = 40;
const ACCOUNTS = [{ index: 0, birthdayHeight: 1 }];
const verifiers = ['node', 'work', null] as const;
type Verifier = (typeof verifiers)[number];

const height = fc.integer({ min: 1, max: LENGTH });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ from: height, more: fc.nat(12), by: fc.constantFrom(...verifiers) }) },
  { weight: 1, arbitrary: fc.record({ undo: height, how: fc.constantFrom('rewind', 'forget') }) },
);

test('each block has the verifier of the best scan: a compact block takes nothing back', (t) => {
  const world = new World(new Blocks());
  world.mine(Array.from({ length: LENGTH }, () => ({ notes: [], spends: [] })));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const database = new MemoryNoteDatabase();
      const noteStore = new NoteStore(database, ACCOUNTS, 1);
      const model = new Map<number, Verifier>();
      for (const made of steps) {
        if ('undo' in made) {
          if (made.how === 'forget') noteStore.forget(made.undo + 1);
          else noteStore.rewind(made.undo);
          for (const at of [...model.keys()]) if (at > made.undo) model.delete(at);
        } else {
          const blocks = world.chain.slice(made.from - 1, made.from + made.more);
          noteStore.apply(
            blocks.map(({ scanned }) => scanned),
            undefined,
            made.by,
          );
          for (const { scanned } of blocks)
            model.set(scanned.height, better(model.get(scanned.height) ?? null, made.by));
        }
        const { stretches, whole } = reported(model);
        for (const store of [noteStore, new NoteStore(database, ACCOUNTS, 1)]) {
          t.deepEqual(store.verifiedStretches(0), stretches);
          t.is(store.verifiedWith(), whole);
        }
      }
    }),
    { numRuns: runs(60, 300) },
  );
});

test('where the verifier changes, both blocks stay known however far the scan goes on', (t) => {
  const world = new World(new Blocks());
  world.mine(Array.from({ length: 400 }, () => ({ notes: [], spends: [] })));
  const noteStore = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, 1);
  const scan = (from: number, to: number, by: (typeof verifiers)[number]) =>
    noteStore.apply(
      world.chain.slice(from - 1, to).map(({ scanned }) => scanned),
      5_000,
      by,
    );
  scan(1, 64, null);
  scan(65, 111, null);
  scan(112, 175, 'node');
  scan(176, 400, 'node');
  t.deepEqual(
    noteStore.blockHeights.filter((at) => at < 390 && at % 50 !== 0),
    [1, 111, 112],
  );
  scan(100, 120, 'node');
  scan(1, 64, 'node');
  scan(65, 99, 'node');
  t.deepEqual(
    noteStore.blockHeights.filter((at) => at < 390 && at % 50 !== 0),
    [1],
  );
});

const better = (...both: readonly Verifier[]): Verifier => verifiers.find((one) => both.includes(one))!;

function reported(model: ReadonlyMap<number, Verifier>) {
  const stretches: { start: number; end: number; verifiedWith: Verifier }[] = [];
  for (const [at, verifiedWith] of [...model].sort(([a], [b]) => a - b)) {
    const last = stretches.at(-1);
    if (last?.end === at - 1 && last.verifiedWith === verifiedWith) last.end = at;
    else stretches.push({ start: at, end: at, verifiedWith });
  }
  const least = verifiers.findLast((one) => [...model.values()].includes(one)) ?? null;
  return { stretches, whole: least };
}
