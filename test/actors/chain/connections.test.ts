import test from 'ava';
import { Connections } from '../../../src/actors/chain/connections.ts';

class Connection {
  closed = false;

  close(): void {
    this.closed = true;
  }
}

const idle = (): boolean => false;

function open(connections: Connections<Connection>, count: number): Connection[] {
  return Array.from({ length: count }, (_, i) => connections.get(String(i), () => new Connection()));
}

test('one connection for each place, opened once', (t) => {
  const connections = new Connections<Connection>();
  const [first] = open(connections, 2);
  t.is(
    connections.get('0', () => t.fail() as never),
    first!,
  );
});

test('the longest unused are closed, and opened anew when asked for', (t) => {
  const connections = new Connections<Connection>();
  const [first, second, ...others] = open(connections, 6);
  connections.get('0', () => t.fail() as never);
  connections.trim(idle);
  t.deepEqual(
    [first, second, ...others].map((connection) => connection?.closed),
    [false, true, true, false, false, false],
  );
  t.not(
    connections.get('1', () => new Connection()),
    second,
  );
});

test('busy ones are not closed', (t) => {
  const connections = new Connections<Connection>();
  const all = open(connections, 9);
  connections.trim(() => true);
  t.false(all.some(({ closed }) => closed));
  connections.clear((connection) => connection === all[3]);
  t.deepEqual(
    all.filter(({ closed }) => !closed),
    [all[3]!],
  );
});
