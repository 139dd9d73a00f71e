// Stands for `ava` in the bundled tests. Alone a test file has ava itself. In a group (testGroups.mjs) its tests wait until
// those of the files before have ended, so that each file's tests run together as if it were alone, and have its name before
// their titles.
import ava from 'ava';

/** The file that is loaded now; undefined where it is not in a group. */
let file;
/** ava wants all tests of a thread at once, and a file may wait for something while it loads. */
const declarations = [];

/** The next file of a group begins: its tests register with it. */
export function beginFile(name) {
  // One without tests has no end.
  const before = (file?.open === 0 ? file.begun : file?.ended) ?? Promise.resolve();
  let end;
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  file = { name, begun: before, serial: before, open: 0, ended, end };
}

/** All files of the group are loaded. */
export function endGroup() {
  for (const declare of declarations) declare();
  file = { name: 'the end of its group', isClosed: true };
}

function register(title, isSerial, run, args) {
  const own = file;
  if (own.isClosed) throw new Error(`"${title}" comes after ${own.name}, and would be left out`);
  own.open += 1;
  let settled;
  const turn = own.serial;
  // Those that come one after the other come first, as ava has it.
  if (isSerial)
    own.serial = new Promise((resolve) => {
      settled = resolve;
    });
  const inTurn = async (t) => {
    // Teardowns run in the opposite order: when this one does, the test is over.
    t.teardown(() => {
      settled?.();
      own.open -= 1;
      if (own.open === 0) own.end();
    });
    await (isSerial ? turn : own.serial);
    // Tests take it as the seed of their random numbers.
    Object.defineProperty(t, 'title', { value: title });
    return run(t, ...args);
  };
  declarations.push(() => ava(`${own.name} › ${title}`, inTurn));
}

function skip(title, ...rest) {
  const own = file;
  declarations.push(() => ava.skip(`${own.name} › ${title}`, ...rest));
}

const test = (title, run, ...args) =>
  file === undefined ? ava(title, run, ...args) : register(title, false, run, args);
test.serial = (title, run, ...args) =>
  file === undefined ? ava.serial(title, run, ...args) : register(title, true, run, args);
test.skip = (...given) => (file === undefined ? ava.skip(...given) : skip(...given));
test.serial.skip = test.skip;
/** Files with these are in no group, because they would be for all of its files. */
for (const only of ['before', 'beforeEach', 'after', 'afterEach', 'meta', 'only']) test[only] = ava[only];

export default test;
