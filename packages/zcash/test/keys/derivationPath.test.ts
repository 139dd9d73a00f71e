import test from 'ava';
import { readPrfExpand } from '../../src/zcash/hashes/prfExpand.ts';
import { deriveAlongPath } from '../../src/zcash/keys/derivationPath.ts';

interface TestKey {
  readonly path: readonly number[];
  wiped: boolean;
}

const key = (path: readonly number[]): TestKey => ({ path, wiped: false });
const wipe = (done: TestKey): void => {
  done.wiped = true;
};

test('the path is walked from the master key, and every key above the last is wiped', (t) => {
  const made = [key([])];
  const last = deriveAlongPath(made[0]!, [32, 133, 7], {
    child: (parent, index) => {
      t.false(parent.wiped, 'wiped before its child was derived');
      const child = key([...parent.path, index]);
      made.push(child);
      return child;
    },
    wipe,
  });
  t.deepEqual(last.path, [32, 133, 7]);
  t.deepEqual(
    made.map(({ wiped }) => wiped),
    [true, true, true, false],
  );
});

test('a child that does not exist leaves no parent behind', (t) => {
  const master = key([]);
  const child = (): TestKey => {
    throw new Error('no such child');
  };
  t.throws(() => deriveAlongPath(master, [0], { child, wipe }), { message: 'no such child' });
  t.true(master.wiped);
});

test('expanded bytes are wiped once they are read, also when they are refused', (t) => {
  const seen: Uint8Array[] = [];
  const sum = readPrfExpand(
    (wide) => {
      seen.push(wide);
      return wide.reduce((total, byte) => total + byte, 0);
    },
    new Uint8Array(32),
    Uint8Array.of(1),
  );
  t.true(sum > 0);
  t.throws(() =>
    readPrfExpand((wide) => {
      seen.push(wide);
      throw new Error('refused');
    }, new Uint8Array(32)),
  );
  t.deepEqual(
    seen.map((bytes) => [bytes.length, bytes.every((byte) => byte === 0)]),
    [
      [64, true],
      [64, true],
    ],
  );
});
