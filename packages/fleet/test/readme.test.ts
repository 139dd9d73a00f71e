// The README's list of doors is that of package.json.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';

const ROOT = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(ROOT, 'README.md'), 'utf8');

test('every door is in the list', (t) => {
  const { exports } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    exports: object;
  };
  const doors = Object.keys(exports).filter((door) => door !== './package.json');
  const listed = [...page.matchAll(/^\| `(\.[\w/]*)` \|/gm)].map(([, door]) => door);
  t.deepEqual(listed.sort(), doors.sort());
});
