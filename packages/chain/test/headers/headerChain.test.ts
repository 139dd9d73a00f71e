import { runs } from '@wallet-companion/base/test/atLength';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { regtestWork, targetOf, workOf } from '@wallet-companion/zcash/work';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { DEEPEST_FORK, HeaderChain } from '../../src/chain/headers/headerChain.ts';
import { fromGenesis as chain, END, FORK, few, main, many, received, small } from '../smallChain.ts';

const work = (headers: readonly { header: { bits: number } }[]): bigint =>
  headers.reduce((sum, { header }) => sum + workOf(targetOf(header.bits)!), 0n);

const tipIs = (t: ExecutionContext, one: HeaderChain, { header }: (typeof main)[number], height: number) => {
  t.deepEqual(one.tip.hash, header.hash);
  t.is(one.tip.height, height);
};

test('a chain that was worked for is taken whole, in pieces, and again', (t) => {
  const one = chain();
  t.deepEqual(one.take(main.slice(0, 200)), { kind: 'taken', fresh: 199, changedFrom: 1 });
  t.deepEqual(one.take(main.slice(150)), { kind: 'taken', fresh: main.length - 200, changedFrom: 200 });
  t.deepEqual(one.take(main), { kind: 'taken', fresh: 0 });
  tipIs(t, one, main.at(-1)!, main.length - 1);
  t.is(one.tip.work, work(main.slice(1)));
  for (const [height, { header }] of main.entries()) t.deepEqual(one.hashAt(height), header.hash);
  t.is(one.hashAt(main.length), undefined);
});

test('the most work wins, whether its chain is shorter or comes later: peers/small_chain', (t) => {
  t.true(few.length < many.length && work(few) > work(many));
  for (const order of [
    [few, many],
    [many, few],
  ]) {
    const one = chain();
    one.take(main.slice(0, FORK + 1));
    for (const branch of order) t.is(one.take(branch).kind, 'taken');
    tipIs(t, one, few.at(-1)!, FORK + few.length);
    // What was the best chain before is known, and can become it again.
    t.deepEqual(one.take(many), { kind: 'taken', fresh: 0 });
    t.deepEqual(one.take(main), { kind: 'taken', fresh: main.length - FORK - 1, changedFrom: FORK + 1 });
    tipIs(t, one, main.at(-1)!, main.length - 1);
    t.is(one.tip.work, work(main.slice(1)));
  }
});

test('any order in which branches come in pieces ends in the same chain', (t) => {
  const branches = [main.slice(FORK + 1), few, many];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 60 })), { maxLength: 30 }),
      (steps) => {
        const one = chain();
        one.take(main.slice(0, FORK + 1));
        const given = [0, 0, 0];
        for (const [branch, count] of steps) {
          t.is(one.take(branches[branch]!.slice(given[branch], given[branch]! + count)).kind, 'taken');
          given[branch]! += count;
          const works = branches.map((headers, i) => work(headers.slice(0, given[i])));
          const [most = 0n] = works.sort((a, b) => Number(b - a));
          t.is(one.tip.work, work(main.slice(1, FORK + 1)) + most);
        }
        for (const headers of branches) one.take(headers);
        tipIs(t, one, main.at(-1)!, main.length - 1);
        t.deepEqual(
          main.map((_, height) => one.hashAt(height)),
          main.map(({ header }) => header.hash),
        );
      },
    ),
    { numRuns: runs(30) },
  );
});

test('each lie in a header is refused by its name, and what came before it stays', (t) => {
  const changed = (at: number, edit: (bytes: Uint8Array, view: DataView) => void) => {
    const bytes = main[at]!.bytes.slice();
    edit(bytes, new DataView(bytes.buffer));
    return received(bytes);
  };
  const LIES = {
    unlinked: changed(150, (bytes) => bytes[4]!++),
    version: changed(150, (_, view) => view.setInt32(0, 3, true)),
    target: changed(150, (_, view) => view.setUint32(104, small.cases.length, true)),
    time: changed(150, (_, view) => view.setUint32(100, small.cases[139]!.time, true)),
  };
  for (const [why, lie] of Object.entries(LIES)) {
    const one = chain();
    t.like(one.take([...main.slice(0, 150), lie, ...main.slice(151)]), { kind: 'refused', at: 150, why });
    tipIs(t, one, main[149]!, 149);
    t.is(one.take(main).kind, 'taken', 'the true one is taken from another');
  }
  // Some changed nonces have a hash above the target, the others only solve nothing.
  const whys = new Set<string>();
  for (let byte = 0; byte < 64; byte++) {
    const answer = chain().take([...main.slice(0, 150), changed(150, (bytes) => (bytes[108]! ^= byte + 1))]);
    whys.add(answer.kind === 'refused' ? answer.why : answer.kind);
  }
  t.deepEqual([...whys].sort(), ['hash', 'solution']);
});

test('a header that is ahead of the clock is kept for later and is no lie', (t) => {
  let now = (small.cases[100]!.time - 7_201) * 1_000;
  const one = chain({ now: () => now });
  t.like(one.take(main.slice(0, 101)), { kind: 'early' });
  now += 10_000_000;
  t.is(one.take(main.slice(0, 101)).kind, 'taken');
});

test('a chain without the known block of a height is refused there', (t) => {
  const checkpoints = new Map([[FORK + 5, few[4]!.header.hash]]);
  const one = chain({ checkpoints });
  t.like(one.take(main), { kind: 'refused', at: FORK + 5, why: 'checkpoint' });
  t.is(one.take(few).kind, 'taken');
});

test('a branch that begins below the trusted start is refused', (t) => {
  const one = chain({}, FORK + 20);
  t.is(one.take(main).kind, 'taken');
  t.like(one.take(few), { kind: 'refused', at: 0, why: 'deep' });
});

test('a branch that begins deeper than nodes would leave is refused, one block higher it is taken', (t) => {
  const header = (prevHash: Uint8Array, salt: number, time: number) => {
    const bytes = new Uint8Array(140 + 1);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 4, true);
    bytes.set(prevHash, 4);
    view.setUint32(100, time, true);
    view.setUint32(104, 0x200f0f0f, true);
    view.setUint32(108, salt, true);
    return received(bytes);
  };
  const grow = (from: Uint8Array, count: number, salt: number, start: number) => {
    const made = [header(from, salt, start)];
    while (made.length < count) made.push(header(made.at(-1)!.header.hash, salt, start + made.length));
    return made;
  };
  const [genesis] = grow(new Uint8Array(32), 1, 0, 1_000);
  const long = grow(genesis!.header.hash, 5_000, 1, 1_001);
  const one = new HeaderChain({
    rules: regtestWork(regtestParameters({ sapling: 0 }).activation),
    start: { height: 0, headers: [genesis!.header] },
    solves: () => false,
    now: () => END,
  });
  t.deepEqual(one.take(long), { kind: 'taken', fresh: 5_000, changedFrom: 1 });
  const forkAt = (height: number, count: number) =>
    grow(long[height - 1]!.header.hash, count, 2, 1_001 + height);
  const deepest = 5_000 - DEEPEST_FORK;
  t.like(one.take(forkAt(deepest - 1, 1_010)), { kind: 'refused', at: 0, why: 'deep' });
  const branch = forkAt(deepest, DEEPEST_FORK + 1);
  t.deepEqual(one.take(branch), { kind: 'taken', fresh: branch.length, changedFrom: deepest + 1 });
  tipIs(t, one, branch.at(-1)!, 5_001);
  // A peer that is behind answers from a hash far below: what is known costs nothing and blames nobody.
  t.deepEqual(one.take(long.slice(10, 170)), { kind: 'taken', fresh: 0 });
  const locator = one.locator();
  t.true(locator.length <= 40);
  t.deepEqual(locator[0], branch.at(-2)!.header.hash);
  t.deepEqual(locator.at(-1), genesis!.header.hash);
});
