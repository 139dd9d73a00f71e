// Where canaries lie: every output keeps a lane, and within two batches every lane of a block has had a canary.

import { runs } from '@wallet-companion/base/test/atLength';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { LaneMemory } from '../../src/kernel/batch/fieldLanes.ts';
import { type Canary, MissedCanary, PlantedCanaries } from '../../src/kernel/canaries/plantedCanaries.ts';

const TABLE: readonly Canary[] = Array.from({ length: 5 }, (_, i) => ({
  ephemeralKey: new Uint8Array(32).fill(200 + i),
  underKeys: [100, 50].map((first) => ({
    secret: new Uint8Array(32).fill(first + i),
    keyStream: [first, first + 1] as const,
  })),
}));

const memoryOf = (pages: number) => new LaneMemory(new WebAssembly.Memory({ initial: pages }), 64);
const random = (words: readonly number[]) => {
  let next = 0;
  return () => words[next++ % words.length]! / 2 ** 32;
};
const words = fc.array(fc.nat(0xffff_ffff), { minLength: 8, maxLength: 64 }).map((drawn) => [
  ...drawn,
  // Not the same lane for ever.
  ...Array.from({ length: 64 }, (_, i) => i * 67_108_864),
]);

test('each output is in one lane, with its bytes, and each other lane has a canary or nothing', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_100 }), fc.nat(50), words, (rows, turn, drawn) => {
      const planted = new PlantedCanaries(TABLE, rows, turn, random(drawn));
      const lanes = planted.blocks * 4;
      const memory = memoryOf(2);
      const epks = memory.allocate(lanes * 32);
      const [cipher, allowed] = [memory.allocate(lanes), memory.allocate(lanes)];
      for (let row = 0; row < rows; row++) {
        memory.bytes.fill(row % 97, epks + row * 32, epks + row * 32 + 32);
        memory.bytes[cipher + row] = row % 89;
        memory.bytes[allowed + row] = 4;
      }
      planted.plant(memory, { epks, cipher, allowed });
      const seen = new Set<number>();
      let canaries = 0;
      for (let lane = 0; lane < lanes; lane++) {
        const epk = memory.bytes.subarray(epks + lane * 32, epks + lane * 32 + 32);
        const row = planted.rowAt(lane);
        if (row === undefined) {
          if (memory.bytes[allowed + lane] === 2) canaries++;
          else t.deepEqual([memory.bytes[allowed + lane], epk[0]], [0, 0]);
          continue;
        }
        seen.add(row);
        t.true(epk.every((byte) => byte === row % 97));
        t.deepEqual([memory.bytes[cipher + lane], memory.bytes[allowed + lane]], [row % 89, 4]);
      }
      t.is(seen.size, rows);
      t.is(canaries, planted.count);
      t.true(planted.blocks - Math.ceil(rows / 4) <= 1);
    }),
    { numRuns: runs(60) },
  );
});

test('how many there are: two or more where the wide build is used, half a percent at most of a full batch', (t) => {
  const count = (rows: number) => new PlantedCanaries(TABLE, rows, 0, Math.random).count;
  t.deepEqual(
    [1, 3, 4, 8, 63, 64, 256, 300, 640, 1_021, 1_024].map(count),
    [1, 1, 0, 0, 1, 2, 2, 2, 2, 3, 3],
  );
});

test('two batches of the least size have one in every lane of a block, each of them in every vector and half', (t) => {
  for (let turn = 0; turn < 8; turn += 2) {
    const lanesOf = (from: number): number[] => {
      const planted = new PlantedCanaries(TABLE, 64, from, Math.random);
      const memory = memoryOf(2);
      const [epks, cipher, allowed] = [memory.allocate(32 * 264), memory.allocate(264), memory.allocate(264)];
      planted.plant(memory, { epks, cipher, allowed });
      return [...memory.bytes.subarray(allowed, allowed + 264).entries()]
        .filter(([, mask]) => mask === 2)
        .map(([lane]) => lane % 4);
    };
    const [first, second] = [lanesOf(turn), lanesOf(turn + 2)];
    for (const lanes of [first, second]) {
      t.is(new Set(lanes.map((lane) => lane >> 1)).size, 2);
      t.is(new Set(lanes.map((lane) => lane & 1)).size, 2);
    }
    t.deepEqual([...first, ...second].sort(), [0, 1, 2, 3]);
  }
});

/** Two canaries, one under each key, in memory: where they lie and what they are flagged with. */
function planted(t: ExecutionContext) {
  const memory = memoryOf(4);
  // The sign of each canary is the first one.
  const canaries = new PlantedCanaries(TABLE.slice(1, 2), 256, 0, random([0, 0, 0, 0, 2 ** 31, 0]));
  const lanes = canaries.blocks * 4;
  const [epks, cipher, allowed] = [
    memory.allocate(lanes * 32),
    memory.allocate(lanes),
    memory.allocate(lanes),
  ];
  const [secrets, flags] = [memory.allocate(lanes * 32), memory.allocate(lanes)];
  canaries.plant(memory, { epks, cipher, allowed });
  const { bytes } = memory;
  const places = [...bytes.subarray(allowed, allowed + lanes).keys()].filter(
    (lane) => bytes[allowed + lane] === 2,
  );
  t.deepEqual(
    places.map((lane) => bytes[cipher + lane]),
    [100 ^ 2, 50 ^ 2],
  );
  const right = (key: number): void => {
    bytes.fill(key === 0 ? 101 : 51, secrets, secrets + lanes * 32);
    bytes.fill(0, flags, flags + lanes);
    bytes[flags + places[key]!] = 1;
  };
  const check = (key: number) => () => canaries.check(memory, key, secrets, flags);
  return { bytes, places, secrets, flags, right, check };
}

test('any other secret, and a flag that is missing, is a missed canary', (t) => {
  const { bytes, places, secrets, flags, right, check } = planted(t);
  for (const key of [0, 1]) {
    right(key);
    t.notThrows(check(key));
    for (const lane of places) {
      for (const byte of [0, 17, 31]) {
        right(key);
        bytes[secrets + lane * 32 + byte]! ^= 1;
        t.throws(check(key), { instanceOf: MissedCanary });
      }
    }
    for (const bits of [0, 2]) {
      right(key);
      bytes[flags + places[key]!] = bits;
      t.throws(check(key), { instanceOf: MissedCanary });
    }
  }
});

test('known secrets are flagged in sixteen lanes, with each sign, and one that is missing is noticed', (t) => {
  const memory = memoryOf(2);
  const canaries = new PlantedCanaries(TABLE, 256, 0, Math.random);
  for (const [key, first] of [100, 50].entries()) {
    for (let wrong = -1; wrong < 16; wrong++) {
      const check = () =>
        canaries.checkFlags(memory, key, ({ epks, cipher, allowed }, secrets, lanes) => {
          t.is(lanes, 16);
          const { bytes } = memory;
          const flags = memory.allocate(lanes);
          for (let lane = 0; lane < lanes; lane++) {
            const sign = lane < 8 ? 0 : 1;
            t.deepEqual(
              [
                bytes[epks + lane * 32],
                bytes[secrets + lane * 32],
                bytes[cipher + lane],
                bytes[allowed + lane],
              ],
              [200 + (lane % 5), first + (lane % 5), (first + sign) ^ 2, 2],
            );
            bytes[flags + lane] = lane === wrong ? 2 >> sign : 1 << sign;
          }
          return flags;
        });
      if (wrong === -1) t.notThrows(check);
      else t.throws(check, { instanceOf: MissedCanary });
    }
  }
});
