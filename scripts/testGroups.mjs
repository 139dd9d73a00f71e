// Runs the tests of many files in one thread, one file after the other: each thread compiles the protocol's code, makes its tables
// and warms both up anew, which took half of the CPU of a run when each file had a thread of its own.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BUNDLED, bundled } from './testFiles.mjs';

const GROUPS = `${BUNDLED}/groups`;
/** More make a thread that runs alone at the end of the run; fewer gain less. */
const MOST_FILES = 14;
/** Hooks of a file would be hooks of the whole group, and a browser belongs to one file. */
const NEEDS_ITS_OWN = /\b(?:test|anyTest)\.(?:before|after|meta)|\/(?:browserTest|chromium)\.ts'/;
/** These look at what a thread keeps: hashes that it made before, connections. */
const COUNTS_FROM_NOTHING = /\/(?:poolHash|compactSource)(?:\.full)?\.test\.ts$/;

const isAlone = (test) => COUNTS_FROM_NOTHING.test(test) || NEEDS_ITS_OWN.test(readFileSync(test, 'utf8'));

/** `actors-wallet`, `zcash-keys`, ...: at most two folders. */
function roomOf(test) {
  const folders = test
    .replace(/^(?:packages\/(\w+)\/)?test\//, '$1/')
    .split('/')
    .filter((folder) => folder !== '');
  return folders.slice(0, -1).slice(0, 2).join('-') || 'root';
}

/** Sources of tests to files for ava: those that stand alone, and groups. Call it after the tests are bundled. */
export function grouped(tests) {
  mkdirSync(GROUPS, { recursive: true });
  const alone = tests.filter(isAlone);
  const rooms = new Map();
  for (const test of tests) {
    if (alone.includes(test)) continue;
    const room = roomOf(test);
    rooms.set(room, [...(rooms.get(room) ?? []), test]);
  }
  const groups = [...rooms].flatMap(([room, files]) => {
    const count = Math.ceil(files.length / MOST_FILES);
    // Dealt like cards, so that a folder of long ones is spread.
    return Array.from({ length: count }, (_, i) => ({
      name: count === 1 ? room : `${room}-${i + 1}`,
      files: files.filter((_one, place) => place % count === i),
    }));
  });
  return [...alone.map(bundled), ...groups.map(writeGroup)];
}

function writeGroup({ name, files }) {
  const group = `${GROUPS}/${name}.test.js`;
  const loads = files.map((test) => {
    const title = test.replace(/^test\/|(?:\.full)?\.test\.ts$/g, '').replaceAll('/', ' › ');
    return [`../beginFile.js?${encodeURIComponent(title)}`, path.relative(GROUPS, bundled(test))];
  });
  writeFileSync(
    group,
    [...loads.flat(), '../endGroup.js'].map((from) => `await import('${from}');\n`).join(''),
  );
  return group;
}
