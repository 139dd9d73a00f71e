import { parseHeader } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import test from 'ava';
import { followHeaders } from '../../src/chain/peers/followHeaders.ts';
import type { ReceivedHeader } from '../../src/chain/peers/messages.ts';
import { FORK, fromGenesis, main, many, nodeWith, small } from '../smallChain.ts';

/** A chain with less work. */
const branch = [...main.slice(0, FORK + 1), ...many];

test('a chain is followed to its end, again without a new header, and past a reorganisation', async (t) => {
  const chain = fromGenesis();
  const changes: (number | undefined)[] = [];
  const other = nodeWith(branch);
  const tipOf = (headers: readonly ReceivedHeader[]) => headers.at(-1)!.header.hash;
  const ofBranch = { kind: 'followed', tip: tipOf(branch) } as const;
  t.deepEqual(await followHeaders(chain, other), { ...ofBranch, fresh: branch.length - 1 });
  const node = nodeWith(main);
  const followed = await followHeaders(chain, node, ({ changedFrom }) => changes.push(changedFrom));
  t.deepEqual(followed, { kind: 'followed', tip: tipOf(main), fresh: main.length - FORK - 1 });
  t.is(chain.tip.height, main.length - 1);
  t.is(changes[0], FORK + 1);
  t.is(changes.length, 2, 'the second answer goes on where the first ended');
  t.deepEqual(await followHeaders(chain, node), { kind: 'followed', tip: tipOf(main), fresh: 0 });
  t.deepEqual(await followHeaders(chain, other), { ...ofBranch, fresh: 0 }, 'less work changes nothing');
  t.is(chain.tip.height, main.length - 1);
});

test('what another peer has shown in the meantime is not read a second time', async (t) => {
  const chain = fromGenesis();
  const node = nodeWith(main);
  let count = 0;
  const slow = {
    headers: async (locator: readonly BlockHash[]) => {
      const headers = node.answer(locator);
      count += headers.length;
      if (count === 160) await followHeaders(chain, node);
      return [...headers];
    },
  };
  t.deepEqual(await followHeaders(chain, slow), {
    kind: 'followed',
    tip: main.at(-1)!.header.hash,
    fresh: 0,
  });
  t.is(count, 161, 'of the rest it only shows its tip');
  const behind = nodeWith(main.slice(0, 250));
  const followed = await followHeaders(chain, behind);
  t.like(followed, { kind: 'followed', fresh: 0 }, 'a peer that is behind is no liar');
});

test('a peer that sends the same headers for ever, or one without work, has lied', async (t) => {
  const chain = fromGenesis();
  const endless = { headers: () => Promise.resolve(main.slice(1, 161)) };
  t.deepEqual(await followHeaders(chain, endless), { kind: 'lied', why: 'endless', fresh: 160 });
  const bytes = main[170]!.bytes.slice();
  bytes[105]! ^= 1;
  const forged = nodeWith(main.with(170, { header: parseHeader(bytes), bytes }));
  t.deepEqual(await followHeaders(chain, forged), { kind: 'lied', why: 'target', fresh: 9 });
  t.is(chain.tip.height, 169);
});

test('a block ahead of the clock ends the round, and is no lie', async (t) => {
  const chain = fromGenesis({ now: () => 1_000 * (small.cases[200]!.time - 7_201) });
  const { kind, fresh } = await followHeaders(chain, nodeWith(main));
  t.is(kind, 'early');
  t.true(fresh <= 200);
});

test('a peer that knows none of ours, as one in its first download, is no liar', async (t) => {
  const chain = fromGenesis();
  const [genesis] = main;
  const other = parseHeader(genesis!.bytes.map((byte, i) => (i === 36 ? byte ^ 1 : byte)));
  const behind = { headers: () => Promise.resolve([{ header: other, bytes: genesis!.bytes }]) };
  t.deepEqual(await followHeaders(chain, behind), { kind: 'followed', tip: undefined, fresh: 0 });
});
