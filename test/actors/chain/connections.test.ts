import test from 'ava';
import { Connections } from '#chain/context/connections';

class Connection {
  closed = false;

  close(): void {
    this.closed = true;
  }
}

const idle = (): boolean => false;

/** `opened`: the places connected to, in order. */
function connected(isBusy: (connection: Connection) => boolean = idle): {
  readonly connections: Connections<{ readonly place: number }, Connection>;
  readonly opened: number[];
} {
  const opened: number[] = [];
  const connect = ({ place }: { readonly place: number }): Connection => {
    opened.push(place);
    return new Connection();
  };
  return { connections: new Connections(connect, isBusy), opened };
}

test('one connection for each endpoint, opened once', (t) => {
  const { connections, opened } = connected();
  const first = connections.get({ place: 0 });
  const second = connections.get({ place: 1 });
  t.not(first, second);
  t.is(connections.get({ place: 0 }), first);
  t.deepEqual(opened, [0, 1]);
});

test('the longest unused are closed, and opened anew when asked for', (t) => {
  const { connections, opened } = connected();
  const all = [0, 1, 2, 3].map((place) => connections.get({ place }));
  connections.get({ place: 0 });
  all.push(...[4, 5].map((place) => connections.get({ place })));
  t.deepEqual(
    all.map(({ closed }) => closed),
    [false, true, true, false, false, false],
  );
  t.not(connections.get({ place: 1 }), all[1]);
  t.deepEqual(opened, [0, 1, 2, 3, 4, 5, 1]);
});

test('busy ones are not closed', (t) => {
  let isBusy = (_: Connection): boolean => true;
  const { connections } = connected((connection) => isBusy(connection));
  const all = Array.from({ length: 9 }, (_, place) => connections.get({ place }));
  t.false(all.some(({ closed }) => closed));
  isBusy = (connection) => connection === all[3];
  connections.clear();
  t.deepEqual(
    all.filter(({ closed }) => !closed),
    [all[3]!],
  );
});

test('the one asked for is kept when all others are busy, and closed by the next trim once it is idle', (t) => {
  const busy = new Set<Connection>();
  const { connections } = connected((connection) => busy.has(connection));
  for (let place = 0; place < 4; place++) busy.add(connections.get({ place }));
  const asked = connections.get({ place: 4 });
  t.false(asked.closed);
  connections.trim();
  t.true(asked.closed);
});
