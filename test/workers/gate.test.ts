// The gate that holds callers back while one wallet thread gives way to the next.
import test from 'ava';
import { Gate } from '../../src/workers/gate.ts';

/** What had passed, in order, when everybody who could had their turn. */
async function passing(gate: Gate, names: readonly string[], then: () => void): Promise<string[]> {
  const passed: string[] = [];
  for (const name of names) void gate.passed().then(() => passed.push(name));
  await new Promise((resolve) => setImmediate(resolve));
  then();
  await new Promise((resolve) => setImmediate(resolve));
  return passed;
}

test('an open gate holds nobody', async (t) => {
  const gate = new Gate();
  t.false(gate.isClosed);
  await gate.passed();
  gate.open();
  await gate.passed();
  t.pass();
});

test('whoever waits passes when it opens, in the order in which they came', async (t) => {
  const gate = new Gate();
  gate.close();
  t.deepEqual(await passing(gate, ['a', 'b', 'c'], () => undefined), []);
  t.deepEqual(await passing(gate, ['d', 'e'], () => gate.open()), ['d', 'e']);
  t.false(gate.isClosed);
});

test('a gate that is closed again before anybody went through holds them still', async (t) => {
  const gate = new Gate();
  gate.close();
  const again = await passing(gate, ['a'], () => {
    gate.open();
    gate.close();
  });
  t.deepEqual(again, []);
  t.deepEqual(await passing(gate, ['b'], () => gate.open()), ['b']);
});

test('whoever closed it learns that somebody else has taken it over, or opened it', (t) => {
  const gate = new Gate();
  const first = gate.close();
  t.true(gate.isClosedBy(first));
  const second = gate.close();
  t.false(gate.isClosedBy(first));
  t.true(gate.isClosedBy(second));
  gate.open();
  t.false(gate.isClosedBy(second));
  gate.close();
  t.false(gate.isClosedBy(second));
});
