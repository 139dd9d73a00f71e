import test from 'ava';
import { AddressBook, networkOf, type PeerPlace } from '../../src/chain/peers/addressBook.ts';
import type { PeerAddress } from '../../src/chain/peers/messages.ts';
import { draws } from './draws.ts';

const mapped = (
  a: number,
  b: number,
  c: number,
  d: number,
  changed: Partial<PeerAddress> = {},
): PeerAddress => ({
  services: 1n,
  ip: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, a, b, c, d),
  port: 8_233,
  ...changed,
});
const place = (host: string): PeerPlace => ({ host, port: 8_233 });

function book(isLocalAllowed = false) {
  let elapsed = 0;
  const made = new AddressBook({
    isLocalAllowed,
    elapsed: () => elapsed,
    random: draws(),
  });
  return {
    book: made,
    pass: (ms: number) => {
      elapsed += ms;
    },
    /** All that can be picked. */
    hosts: () => {
      const hosts = new Set<string>();
      for (let i = 0; i < 5_000; i++) hosts.add(made.pick(new Set())?.host ?? 'none');
      return [...hosts].sort();
    },
  };
}

test('what cannot be a peer with blocks on the network is not learned', (t) => {
  const { book: made, hosts } = book();
  made.learn([
    mapped(127, 0, 0, 1),
    mapped(10, 1, 2, 3),
    mapped(192, 168, 0, 4),
    mapped(172, 31, 0, 4),
    mapped(255, 255, 255, 255),
    mapped(8, 8, 8, 8, { services: 4n }),
    mapped(8, 8, 4, 4, { port: 0 }),
    mapped(1, 1, 1, 1, { ip: new Uint8Array(16) }),
    mapped(1, 1, 1, 1, { ip: Uint8Array.of(0xfe, 0x80, ...new Uint8Array(14)) }),
    mapped(9, 9, 9, 9),
    mapped(1, 1, 1, 1, { ip: Uint8Array.of(0x26, 0x06, ...new Uint8Array(13), 1) }),
  ]);
  t.deepEqual(hosts(), ['2606:0:0:0:0:0:0:1', '9.9.9.9']);
  const near = book(true);
  near.book.learn([mapped(127, 0, 0, 1)]);
  t.deepEqual(near.hosts(), ['127.0.0.1']);
});

test('one source names at most a hundred, and no flood of names pushes out who was good', (t) => {
  const { book: made, hosts } = book();
  made.good(place('9.9.9.9'));
  for (let source = 1; source <= 100; source++) {
    made.learn(Array.from({ length: 1_000 }, (_, i) => mapped(20 + source, i >> 8, i & 255, 1)));
    t.is(made.size, 1 + Math.min(1_000, 100 * source));
  }
  t.true(hosts().includes('9.9.9.9'));
  t.deepEqual(made.anchors(2), [place('9.9.9.9')]);
  for (let i = 0; i < 2_000; i++) made.good(place(`30.${i >> 8}.${i & 255}.1`));
  t.deepEqual(made.anchors(1), [place('9.9.9.9')], 'the newest makes room');
  t.true(made.size <= 2_000);
});

test('no second peer is picked in the network of a first', (t) => {
  const { book: made } = book();
  made.name([place('9.9.1.1'), place('9.9.2.2'), place('2606:4700::1'), place('2606:4700:1::2')]);
  t.is(made.pick(new Set(['9.9', '2606:4700'])), undefined);
  t.is(networkOf(made.pick(new Set(['9.9']))!), '2606:4700');
  t.is(networkOf(place('2606:47::')), '2606:47');
  t.is(networkOf(place('2606::7')), '2606:0');
});

test('a host is left alone for its time, on every port, and then it can be tried again', (t) => {
  const { book: made, pass, hosts } = book();
  made.good(place('9.9.9.9'));
  made.leave(place('9.9.9.9'), 1_000);
  made.name([{ host: '9.9.9.9', port: 1 }]);
  t.deepEqual(hosts(), ['none']);
  t.deepEqual(made.anchors(2), []);
  pass(1_000);
  t.deepEqual(hosts(), ['9.9.9.9']);
});

test('what the owner named is tried again after a sixtieth of the time, and after a minute at most', (t) => {
  const { book: made, pass } = book();
  const own = place('9.9.9.9');
  made.want([own]);
  for (const [ms, again] of [
    [600_000, 10_000],
    [86_400_000, 60_000],
  ] as const) {
    made.leave(own, ms);
    pass(again - 1);
    t.is(made.pick(new Set()), undefined);
    pass(1);
    t.deepEqual(made.pick(new Set()), own);
  }
});
