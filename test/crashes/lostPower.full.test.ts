// The disks that a loss of power may leave, by the rules of fsync(2) alone: the tests of whole operations trust them.

import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import { Disk, type Mood, type Recorded } from './support/lostPower.ts';

const NOTHING: Mood = { namesInOrder: true, names: 0, data: 0, torn: 0, sector: 512, sizes: 0 };
const ALL: Mood = { ...NOTHING, names: 1, data: 1 };
const OLD = Buffer.alloc(1_024, 'o');

/** Calls on the file `old`, which is certain, and on others. */
const calls = (inode: number) => ({
  write: (at: number, text: string): Recorded => ({
    call: 'write',
    name: '',
    inode,
    at,
    data: Buffer.from(text),
  }),
  create: (name: string): Recorded => ({ call: 'create', name, inode, at: 0, data: OLD.subarray(0, 0) }),
  sync: (name: string): Recorded => ({ call: 'sync', name, inode, at: 0, data: OLD.subarray(0, 0) }),
  rename: (name: string, to: string): Recorded => ({
    call: 'rename',
    name,
    inode,
    at: 0,
    data: Buffer.from(to),
  }),
});

function start(t: ExecutionContext) {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'old');
  fs.writeFileSync(file, OLD);
  const disk = new Disk(folder);
  const draw = (mood: Mood, chance = () => 0.5): Record<string, string> =>
    Object.fromEntries(disk.draw(mood, chance).map(({ name, bytes }) => [name, String(bytes)]));
  const does = (...all: readonly Recorded[]): void => all.forEach((one) => void disk.apply(one));
  return { disk, folder, draw, does, old: calls(fs.statSync(file).ino), other: calls(1) };
}

test('a write is certain once its file was synced', (t) => {
  const { draw, does, old } = start(t);
  does(old.write(0, 'new'));
  t.is(draw(NOTHING)['old'], OLD.toString());
  t.is(draw(ALL)['old'], `new${OLD.toString().slice(3)}`);
  does(old.sync('old'));
  t.is(draw(NOTHING)['old'], `new${OLD.toString().slice(3)}`);
});

test('a torn write has whole sectors, and a file may be as long as it was with zeros in it', (t) => {
  const { draw, does, old } = start(t);
  does(old.write(500, 'n'.repeat(600)));
  let drawn = 0;
  const second = () => [0, 0, 0.9, 0][drawn++ % 4]!;
  const torn = draw({ ...NOTHING, torn: 1, data: 1 }, second)['old'];
  // The sectors begin at 0, 512 and 1,024; the second of them is not there.
  t.is(torn, `${'o'.repeat(500)}${'n'.repeat(12)}${'o'.repeat(512)}${'n'.repeat(76)}`);
  t.is(draw({ ...NOTHING, sizes: 1 })['old'], `${OLD}${'\0'.repeat(76)}`);
});

test('a name is certain once its folder was synced, whatever became of the file', (t) => {
  const { draw, does, other } = start(t);
  does(other.create('new'), other.write(0, 'x'), other.sync('new'));
  t.deepEqual(Object.keys(draw(NOTHING)), ['old']);
  t.is(draw({ ...NOTHING, names: 1 })['new'], 'x');
  does(other.rename('new', 'old'));
  t.deepEqual(draw(ALL), { old: 'x' });
  // The rename without the creation that came before it: only where names come in any order.
  let drawn = 0;
  const last = () => [0.9, 0][drawn++ % 2]!;
  t.deepEqual(draw({ ...NOTHING, names: 0.5, namesInOrder: false }, last), { old: 'x' });
  drawn = 0;
  t.is(draw({ ...NOTHING, names: 0.5 }, last)['old'], OLD.toString());
  does(other.sync(''));
  t.deepEqual(draw(NOTHING), { old: 'x' });
});

test('writes past the record are reported', (t) => {
  const { disk, folder } = start(t);
  t.deepEqual(disk.differences(folder), []);
  fs.appendFileSync(path.join(folder, 'old'), 'x');
  fs.writeFileSync(path.join(folder, 'more'), '');
  t.deepEqual(
    disk
      .differences(folder)
      .map((file) => path.basename(file))
      .sort(),
    ['more', 'old'],
  );
});
